/// A piece of a YAML document that knows where it stands.
///
/// Scalars stay text: the format's own parsers read them, so that `off` and `null` mean what their author wrote.
struct YAMLNode: Sendable {
  enum ScalarStyle: Sendable {
    case plain, singleQuoted, doubleQuoted, literal, folded
  }

  indirect enum Content: Sendable {
    case scalar(String, ScalarStyle)
    case sequence([YAMLNode], isFlow: Bool)
    case mapping([YAMLPair], isFlow: Bool)
  }

  var content: Content
  var place: Place

  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  var elements: [YAMLNode]? {
    if case .sequence(let elements, _) = content { elements } else { nil }
  }

  var pairs: [YAMLPair]? {
    if case .mapping(let pairs, _) = content { pairs } else { nil }
  }

  /// What a message says was found.
  var found: String {
    switch content {
    case .scalar("", .plain): "nothing"
    case .scalar(let text, _): quoted(text)
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// How many values it is made of, keys among them.
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
}

/// One entry of a mapping.
struct YAMLPair: Sendable {
  var key: String
  var keyStyle: YAMLNode.ScalarStyle = .plain
  var keyPlace: Place
  var value: YAMLNode
}
