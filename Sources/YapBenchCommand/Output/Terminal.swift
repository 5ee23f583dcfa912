internal import Foundation
internal import Glibc

/// A terminal on which a line can be written over.
struct Terminal: Sendable {
  static let usualColumns = 80

  var hasColor: Bool
  /// Asked anew for every line, because people resize their windows.
  var columns: @Sendable () -> Int

  /// That of standard error; nil where it is none, or one that cannot move its cursor.
  static func standardError(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Terminal? {
    guard isatty(STDERR_FILENO) == 1, canRewrite(environment) else { return nil }
    return Terminal(hasColor: wantsColor(environment)) {
      var size = winsize()
      let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      return isKnown ? Int(size.ws_col) : usualColumns
    }
  }

  static func canRewrite(_ environment: [String: String]) -> Bool {
    let kind = environment["TERM"] ?? ""
    return kind != "" && kind != "dumb"
  }

  /// See https://no-color.org.
  static func wantsColor(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty
  }
}
