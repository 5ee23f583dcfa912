extension Scenario {
  /// Returns the scenario as YAML that loads as an equal scenario. Only keys whose values are not their defaults are
  /// written, and a mapping that fits on a line is on one line.
  /// - Throws: `ScalarProblem` for arrivals or sizes that were read from a file, whose name the scenario does not have.
  public func text() throws(ScalarProblem) -> String {
    try ScenarioGrammar.scenario.node(of: self, isFlow: false).wrapped(at: Self.width).serialised()
  }

  /// The length of the text of a mapping or a list above which it is written on several lines.
  private static let width = 100
}

/// A mapping that is being written.
struct WrittenMapping {
  private var pairs: [YAMLPair] = []

  var isEmpty: Bool { pairs.isEmpty }

  /// Adds a value, unless it is nil.
  mutating func add(_ key: String, _ value: YAMLNode?) {
    guard let value else { return }
    pairs.append(YAMLPair(key: key, keyLocation: YAMLNode.nowhere, value: value))
  }

  func node(isFlow: Bool = true) -> YAMLNode {
    YAMLNode(content: .mapping(pairs, isFlow: isFlow), location: YAMLNode.nowhere)
  }
}

extension YAMLNode {
  /// The location of nodes that were not read from a file.
  fileprivate static let nowhere = SourceLocation(file: "", line: 1, column: 1)

  static func text(_ text: String) -> YAMLNode { YAMLNode(content: .scalar(text, .plain), location: nowhere) }

  static func list(_ elements: [YAMLNode], isFlow: Bool = true) -> YAMLNode {
    YAMLNode(content: .sequence(elements, isFlow: isFlow), location: nowhere)
  }
}
