/// A member of an object.
struct JSONMember {
  var key: String
  var value: JSONText
}

/// A JSON document as a tree that can be damaged: numbers keep their digits, and objects their order and even two
/// members of one name.
enum JSONText {
  /// A number, true, false, null, or other text that is written unchanged.
  case raw(String)
  case string(String)
  case list([JSONText])
  case object([JSONMember])

  var text: String {
    switch self {
    case .raw(let text): text
    case .string(let text): Self.quoted(text)
    case .list(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The number of nodes, this one included.
  var nodeCount: Int {
    switch self {
    case .raw, .string: 1
    case .list(let elements): elements.reduce(1) { $0 + $1.nodeCount }
    case .object(let members): members.reduce(1) { $0 + $1.value.nodeCount }
    }
  }

  /// The numbers of the nodes that have a fraction, in the order of the text.
  var fractionIndices: [Int] {
    var result: [Int] = []
    var next = 0
    func visit(_ node: JSONText) {
      defer { next += 1 }
      switch node {
      case .raw(let text): if text.contains(".") { result.append(next) }
      case .string: break
      case .list(let elements): visitChildren(elements)
      case .object(let members): visitChildren(members.map(\.value))
      }
    }
    func visitChildren(_ children: [JSONText]) {
      next += 1
      children.forEach(visit)
      next -= 1
    }
    visit(self)
    return result
  }

  /// The tree in which `change` has replaced the node with this number, in the order of the text.
  func changed(at index: Int, _ change: (JSONText) -> JSONText) -> JSONText {
    if index == 0 { return change(self) }
    var rest = index - 1
    func step(_ child: JSONText) -> JSONText {
      defer { rest -= child.nodeCount }
      return (0..<child.nodeCount).contains(rest) ? child.changed(at: rest, change) : child
    }
    switch self {
    case .raw, .string: return self
    case .list(let elements): return .list(elements.map(step))
    case .object(let members): return .object(members.map { JSONMember(key: $0.key, value: step($0.value)) })
    }
  }
}

extension JSONText: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .raw("null")
    } else if let flag = try? container.decode(Bool.self) {
      self = .raw("\(flag)")
    } else if let number = try? container.decode(Int.self) {
      self = .raw("\(number)")
    } else if let number = try? container.decode(UInt64.self) {
      self = .raw("\(number)")
    } else if let number = try? container.decode(Double.self) {
      self = .raw("\(number)")
    } else if let text = try? container.decode(String.self) {
      self = .string(text)
    } else if let elements = try? container.decode([JSONText].self) {
      self = .list(elements)
    } else {
      let members = try container.decode([String: JSONText].self)
      self = .object(members.sorted { $0.key < $1.key }.map { JSONMember(key: $0.key, value: $0.value) })
    }
  }
}
