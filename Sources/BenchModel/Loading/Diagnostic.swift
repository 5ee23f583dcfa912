/// One problem of a scenario: where, and in words what was found, what was expected and what to write instead.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public let file: String
  /// Counts from 1.
  public let line: Int
  /// Counts from 1, in Unicode scalars.
  public let column: Int
  public let message: String

  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  public var description: String { "\(file):\(line):\(column): error: \(message)" }
}

/// All problems of a scenario, sorted by place; never empty.
public struct ScenarioDiagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// One line a problem, as an editor can jump to.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}
