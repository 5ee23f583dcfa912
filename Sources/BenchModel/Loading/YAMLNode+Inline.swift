extension YAMLNode {
  /// The node on one line, as flow style has it; two nodes with the same text mean the same.
  var inlineText: String {
    switch content {
    case .scalar(let text, _): text
    case .sequence(let elements, _): "[" + elements.map(\.inlineText).joined(separator: ", ") + "]"
    case .mapping(let pairs, _):
      "{" + pairs.map { "\($0.key): \($0.value.inlineText)" }.joined(separator: ", ") + "}"
    }
  }
}
