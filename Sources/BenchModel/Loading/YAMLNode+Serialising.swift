internal import Yams

extension YAMLNode {
  /// The node as YAML text, in the styles that its author chose; comments and aliases are not kept.
  ///
  /// - Throws: Yams' error, which happens only where memory runs out.
  func serialised() throws -> String {
    try Yams.serialize(node: yamsNode, width: -1, allowUnicode: true)
  }

  private var yamsNode: Node {
    switch content {
    case .scalar(let text, let style):
      return Self.yamsScalar(text, style)
    case .sequence(let elements, let isFlow):
      return Node(elements.map(\.yamsNode), .implicit, isFlow ? .flow : .block)
    case .mapping(let pairs, let isFlow):
      return Node(
        pairs.map { (Self.yamsScalar($0.key, $0.keyStyle), $0.value.yamsNode) },
        .implicit,
        isFlow ? .flow : .block
      )
    }
  }

  private static func yamsScalar(_ text: String, _ style: ScalarStyle) -> Node {
    let yamsStyle: Node.Scalar.Style =
      switch style {
      case .plain: .plain
      case .singleQuoted: .singleQuoted
      case .doubleQuoted: .doubleQuoted
      case .literal: .literal
      case .folded: .folded
      }
    return Node(text, .implicit, yamsStyle)
  }
}
