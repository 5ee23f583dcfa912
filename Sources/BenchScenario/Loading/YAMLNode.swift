/// A value of a YAML document, with its location.
///
/// Scalars are texts, which the format's own parsers read, so that `off` and `null` are words.
struct YAMLNode: Sendable {
  /// The raw values equal libyaml's `yaml_scalar_style_t`.
  enum ScalarStyle: UInt32, Sendable {
    case plain = 1
    case singleQuoted, doubleQuoted, literal, folded
  }

  indirect enum Content: Sendable {
    case scalar(String, ScalarStyle)
    case sequence([YAMLNode], isFlow: Bool)
    case mapping([YAMLPair], isFlow: Bool)
  }

  var content: Content
  var location: SourceLocation
  /// Whether the mapping has a key twice. It has only the first of them.
  var hasDuplicateKeys = false

  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  var elements: [YAMLNode]? {
    if case .sequence(let elements, _) = content { elements } else { nil }
  }

  var pairs: [YAMLPair]? {
    if case .mapping(let pairs, _) = content { pairs } else { nil }
  }

  /// The description of the node after "found" in a message.
  var found: String {
    switch content {
    case .scalar("", .plain): "nothing"
    case .scalar(let text, _): quoted(text)
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The number of values in the node, including the node itself and the keys of mappings.
  var nodeCount: Int {
    switch content {
    case .scalar: 1
    case .sequence(let elements, _): elements.reduce(1) { $0 + $1.nodeCount }
    case .mapping(let pairs, _): pairs.reduce(1) { $0 + 1 + $1.value.nodeCount }
    }
  }

  subscript(key: String) -> YAMLNode? {
    pairs?.first { $0.key == key }?.value
  }

  /// Returns the mapping without these keys; any other node unchanged.
  func without(_ keys: [String]) -> YAMLNode {
    guard case .mapping(let pairs, let isFlow) = content else { return self }
    var result = self
    result.content = .mapping(pairs.filter { !keys.contains($0.key) }, isFlow: isFlow)
    return result
  }
}

/// One entry of a mapping.
struct YAMLPair: Sendable {
  var key: String
  var keyStyle: YAMLNode.ScalarStyle = .plain
  var keyLocation: SourceLocation
  var value: YAMLNode
}

extension YAMLNode {
  /// The node in flow style, with texts as they are: without quotation marks, but with their line breaks.
  var inlineText: String {
    switch content {
    case .scalar(let text, _): text
    case .sequence(let elements, _): "[" + elements.map(\.inlineText).joined(separator: ", ") + "]"
    case .mapping(let pairs, _):
      "{" + pairs.map { "\($0.key): \($0.value.inlineText)" }.joined(separator: ", ") + "}"
    }
  }
}
