/// One problem of a scenario: its location, and in words what was found, what was expected and what to write instead.
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

/// All problems of a scenario, sorted by location; never empty.
public struct ScenarioDiagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// One line a problem, in the form that editors can jump to.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

/// The position of a piece of a scenario. Lines and columns count from 1, columns in Unicode scalars.
struct SourceLocation: Hashable, Comparable, Sendable {
  var file: String
  var line: Int
  var column: Int

  static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    // An override is not in the file, so it is reported after everything that is.
    let leftIsOverride = left.file == ScenarioOverride.file
    let rightIsOverride = right.file == ScenarioOverride.file
    if leftIsOverride != rightIsOverride { return rightIsOverride }
    return (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// Collects problems, so that one never hides another.
///
/// A class, because every part that is being decoded writes into the same one.
final class DiagnosticLog {
  private(set) var entries: [(location: SourceLocation, message: String)] = []

  /// Grows with each problem; a part whose decoding leaves it unchanged has none.
  var count: Int { entries.count }

  func report(_ message: String, at location: SourceLocation) {
    entries.append((location, message))
  }

  /// Reports a node that is not what was expected.
  func report(expected: String, found node: YAMLNode) {
    report("expected \(expected), found \(node.found)", at: node.location)
  }

  /// Parses a text, and reports a problem at the text's location.
  func parse<Value>(
    _ text: String,
    at location: SourceLocation,
    by parse: (String) throws(ScalarProblem) -> Value
  ) -> Value? {
    do {
      return try parse(text)
    } catch {
      report(error.message, at: location)
      return nil
    }
  }

  /// Parses a node that must be a scalar.
  func parse<Value>(_ node: YAMLNode, expected: String, by parse: (String) throws(ScalarProblem) -> Value) -> Value? {
    guard let text = node.text, !text.isEmpty else {
      report(expected: expected, found: node)
      return nil
    }
    return self.parse(text, at: node.location, by: parse)
  }

  /// The elements of a list that must have some; nil is reported.
  func elements(of node: YAMLNode, expected: String) -> [YAMLNode]? { parts(node.elements, of: node, expected) }

  /// The pairs of a mapping that must have some; nil is reported.
  func pairs(of node: YAMLNode, expected: String) -> [YAMLPair]? { parts(node.pairs, of: node, expected) }

  private func parts<Part>(_ parts: [Part]?, of node: YAMLNode, _ expected: String) -> [Part]? {
    if let parts, !parts.isEmpty { return parts }
    report("expected \(expected), found \(parts == nil ? node.found : "an empty one")", at: node.location)
    return nil
  }

  /// - Throws: everything reported, sorted and each once: an actor's problem is found again in every phase that
  ///   changes the actor.
  func throwIfAny() throws(ScenarioDiagnostics) {
    guard !entries.isEmpty else { return }
    var seen: Set<Diagnostic> = []
    let sorted = entries.enumerated().sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }
    let diagnostics = sorted.map { entry in
      let location = entry.element.location
      return Diagnostic(
        file: location.file,
        line: location.line,
        column: location.column,
        message: entry.element.message
      )
    }
    throw ScenarioDiagnostics(diagnostics.filter { seen.insert($0).inserted })
  }
}
