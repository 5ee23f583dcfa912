import Foundation

/// Tests that run for minutes, for `Scripts/nightly`.
package enum Nightly {
  /// The duration of each of them in minutes: the environment variable YAP_NIGHTLY_MINUTES. Nil disables them.
  package static let minutes = ProcessInfo.processInfo.environment["YAP_NIGHTLY_MINUTES"].flatMap { UInt64($0) }

  /// Prints figures for the user.
  package static func tell(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
