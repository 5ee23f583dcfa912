import Foundation
import TestSupport

/// Tests that run for minutes, for `Scripts/nightly`.
enum Nightly {
  /// The duration of each of them in minutes: the environment variable YAP_NIGHTLY_MINUTES. Nil disables them.
  static let minutes = ProcessInfo.processInfo.environment["YAP_NIGHTLY_MINUTES"].flatMap { UInt64($0) }

  /// Prints figures for the user.
  static func tell(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}

extension TestScale {
  /// The number of operations of all random histories together: the environment variable YAP_MODEL_OPERATIONS.
  static let modelOperations =
    ProcessInfo.processInfo.environment["YAP_MODEL_OPERATIONS"].flatMap { Int($0) } ?? count(500_000)
}
