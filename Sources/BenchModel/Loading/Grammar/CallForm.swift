/// One word of a list of words that may take arguments, such as `uniform` or `hotspot(20% 80%)`.
public struct CallForm: Sendable {
  public let name: String
  let arguments: [ScalarDescription]
  /// How one is written.
  public let example: String
  /// What it means, in one sentence for an author.
  public let summary: String

  init(_ example: String, takes arguments: [ScalarDescription] = [], _ summary: String) {
    name = String(example.prefix { $0 != "(" })
    self.arguments = arguments
    self.example = example
    self.summary = summary
  }

  /// Its regular expression, without anchors.
  var pattern: String {
    // Empty parentheses are no arguments.
    guard !arguments.isEmpty else { return name + #"(?:\( *\))?"# }
    return name + #"\( *"# + arguments.map { "(?:\($0.pattern))" }.joined(separator: " +") + #" *\)"#
  }
}

extension [CallForm] {
  /// One regular expression for all of them, without anchors.
  var pattern: String { "(?:" + map(\.pattern).joined(separator: "|") + ")" }
}
