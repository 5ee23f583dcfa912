internal import BenchReports
internal import BenchResults
internal import Foundation
internal import Glibc

/// A terminal on which a line can be overwritten.
struct Terminal: Sendable {
  static let usualColumns = 80

  /// A foreground colour; the raw value is its code in an SGR escape sequence (ECMA-48, 8.3.117).
  enum Color: Int, Sendable {
    case red = 31
    case green = 32
    case yellow = 33

    /// The color of a verdict.
    init(_ status: ExitStatus) {
      switch status {
      case .passed: self = .green
      case .expectationFailed, .invariantViolated, .internalError: self = .red
      default: self = .yellow
      }
    }
  }

  var hasColor: Bool
  /// Returns the current width. It is called for each line, because a window may be resized.
  var columns: @Sendable () -> Int

  /// Returns the terminal of a descriptor; nil if it is not a terminal, or one that cannot move its cursor.
  static func of(descriptor: Int32) -> Terminal? {
    let environment = ProcessInfo.processInfo.environment
    guard isatty(descriptor) == 1, canRewrite(environment) else { return nil }
    return Terminal(hasColor: wantsColor(environment)) {
      var size = winsize()
      let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      return isKnown ? Int(size.ws_col) : usualColumns
    }
  }

  static func canRewrite(_ environment: [String: String]) -> Bool {
    !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// Returns whether colors are wanted: https://no-color.org
  static func wantsColor(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Returns the part of a line that fits on one row.
  func cut(_ line: String) -> String { InertText.shortened(line, to: columns()) }

  /// Returns the text in a color, if colors are wanted.
  func colored(_ text: String, _ color: Color?) -> String {
    guard hasColor, let color else { return text }
    return "\u{1b}[\(color.rawValue)m\(text)\u{1b}[0m"
  }
}

extension CommandContext {
  /// Prints the verdict of a scenario with its figures, for the width of a terminal.
  func showSummary(of result: ScenarioResult) {
    let lines = ConsoleSummary.lines(result)
    let shown = outputTerminal.map { SummaryText(terminal: $0).lines(lines, of: result.verdict) } ?? lines
    for line in shown { output.line(line) }
  }
}

/// The summary of a scenario's runs on a terminal: the verdict's word in color, and lines wrapped at words.
struct SummaryText {
  let terminal: Terminal

  /// - Parameter lines: The lines of `ConsoleSummary`, which begin with the verdict.
  func lines(_ lines: [String], of verdict: VerdictResult) -> [String] {
    let columns = terminal.columns()
    var result = lines.flatMap { Self.wrapped($0, columns: columns) }
    let (word, color) = (verdict.exitCode.word, Terminal.Color(verdict.exitCode))
    if let first = result.first, first.hasPrefix(word) {
      result[0] = terminal.colored(word, color) + first.dropFirst(word.count)
    }
    return result
  }

  /// Returns the line in parts of at most `columns` characters, except for longer words. The parts after the first are
  /// indented by four spaces more.
  static func wrapped(_ line: String, columns: Int) -> [String] {
    let indent = String(repeating: " ", count: line.prefix { $0 == " " }.count + 4)
    var parts: [String] = []
    var rest = Substring(line)
    while rest.count > columns, columns > indent.count {
      let start = rest.drop { $0 == " " }.startIndex
      let limit = rest.index(rest.startIndex, offsetBy: columns)
      // The last space that is not at the beginning, or else the first one.
      guard let space = rest[start...limit].lastIndex(of: " ") ?? rest[limit...].firstIndex(of: " ") else { break }
      parts.append(String(rest[..<space]).withoutTrailingSpaces)
      rest = indent + rest[space...].drop { $0 == " " }
    }
    return parts + [String(rest)]
  }
}
