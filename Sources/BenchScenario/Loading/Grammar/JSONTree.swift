/// A JSON value whose keys keep their order, so that the schema has the order of the grammar.
indirect enum JSONTree: Equatable {
  case object([(key: String, value: JSONTree)])
  case array([JSONTree])
  case string(String)
  case number(UInt64)
  case boolean(Bool)
  case null

  static func strings(_ texts: [String]) -> JSONTree { .array(texts.map { .string($0) }) }

  /// Returns the object with the pairs of another object after its own; unchanged if either is not an object.
  func adding(_ other: JSONTree) -> JSONTree {
    guard case .object(let first) = self, case .object(let second) = other else { return self }
    return .object(first + second)
  }

  static func == (left: JSONTree, right: JSONTree) -> Bool { left.text() == right.text() }

  /// Returns the text. An object or array is one line if it has at most 100 columns, with indentation but without key.
  func text(indentation: Int = 0) -> String {
    let line = inlineText
    if indentation + line.count <= 100 { return line }
    let inner = String(repeating: " ", count: indentation + 2)
    let end = "\n" + String(repeating: " ", count: indentation)
    switch self {
    case .object(let pairs):
      let lines = pairs.map { inner + Self.quoted($0.key) + ": " + $0.value.text(indentation: indentation + 2) }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    case .array(let elements):
      let lines = elements.map { inner + $0.text(indentation: indentation + 2) }
      return "[\n" + lines.joined(separator: ",\n") + end + "]"
    default:
      return line
    }
  }

  private var inlineText: String {
    switch self {
    case .object(let pairs):
      pairs.isEmpty
        ? "{}" : "{ " + pairs.map { Self.quoted($0.key) + ": " + $0.value.inlineText }.joined(separator: ", ") + " }"
    case .array(let elements): "[" + elements.map(\.inlineText).joined(separator: ", ") + "]"
    case .string(let text): Self.quoted(text)
    case .number(let number): String(number)
    case .boolean(let boolean): boolean ? "true" : "false"
    case .null: "null"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(booleanLiteral boolean: Bool) { self = .boolean(boolean) }
  init(integerLiteral number: UInt64) { self = .number(number) }
  init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  init(dictionaryLiteral pairs: (String, JSONTree)...) { self = .object(pairs.map { (key: $0.0, value: $0.1) }) }
}
