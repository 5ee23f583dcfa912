internal import Foundation

@testable import BenchResults
@testable import BenchScenario

/// Checks YAML against a JSON Schema. It knows only the rules that the project's schema uses; another rule is an error.
struct SchemaValidator {
  struct UnknownRule: Error {
    var name: String
  }

  private let root: JSONTree
  private let patterns = PatternCache()

  init(_ root: JSONTree) { self.root = root }

  func accepts(_ node: YAMLNode) throws -> Bool { try accepts(node, by: root) }

  private func accepts(_ node: YAMLNode, by schema: JSONTree) throws -> Bool {
    guard case .object(let rules) = schema else { throw UnknownRule(name: "a schema that is no object") }
    for (name, rule) in rules where try !accepts(node, by: name, rule, of: schema) { return false }
    return true
  }

  private func accepts(_ node: YAMLNode, by name: String, _ rule: JSONTree, of schema: JSONTree) throws -> Bool {
    let (pairs, elements) = (node.pairs ?? [], node.elements ?? [])
    switch name {
    case "$schema", "$comment", "$defs", "title", "description", "default", "examples", "patternErrorMessage":
      return true
    case "$ref": return try accepts(node, by: try definition(rule))
    case "type": return rule.texts.contains { node.json.isOf(type: $0) }
    case "enum": return rule.elements.contains(node.json)
    case "pattern":
      guard case .string(let text) = node.json else { return true }
      return try patterns.matches(text, rule.text)
    case "minimum": return node.number.map { $0 >= rule.number } ?? true
    case "maximum": return node.number.map { $0 <= rule.number } ?? true
    case "minItems": return node.elements.map { $0.count >= Int(rule.number) } ?? true
    case "uniqueItems": return Set(elements.map(\.inlineText)).count == elements.count
    case "items": return try elements.allSatisfy { try accepts($0, by: rule) }
    case "minProperties": return node.pairs.map { $0.count >= Int(rule.number) } ?? true
    case "required": return node.pairs == nil || rule.texts.allSatisfy { node[$0] != nil }
    case "properties":
      return try pairs.allSatisfy { pair in try rule[pair.key].map { try accepts(pair.value, by: $0) } ?? true }
    case "propertyNames":
      return try pairs.allSatisfy { pair in
        let key = YAMLNode(content: .scalar(pair.key, .doubleQuoted), location: pair.keyLocation)
        return try accepts(key, by: rule)
      }
    case "additionalProperties":
      let others = pairs.filter { schema["properties"]?[$0.key] == nil }
      if case .boolean(let isAllowed) = rule { return isAllowed || others.isEmpty }
      return try others.allSatisfy { try accepts($0.value, by: rule) }
    case "dependentRequired":
      return pairs.allSatisfy { pair in rule[pair.key]?.texts.allSatisfy { node[$0] != nil } ?? true }
    case "anyOf": return try rule.elements.contains { try accepts(node, by: $0) }
    case "if":
      let other = try schema[accepts(node, by: rule) ? "then" : "else"]
      return try other.map { try accepts(node, by: $0) } ?? true
    case "then", "else": return true
    case "oneOf": return try rule.elements.filter { try accepts(node, by: $0) }.count == 1
    default: throw UnknownRule(name: name)
    }
  }

  private func definition(_ reference: JSONTree) throws -> JSONTree {
    let name = reference.text.split(separator: "/").last.map(String.init) ?? ""
    guard reference.text.hasPrefix("#/$defs/"), let definition = root["$defs"]?[name] else {
      throw UnknownRule(name: reference.text)
    }
    return definition
  }
}

/// Regular expressions, each of which is compiled once.
private final class PatternCache {
  private var compiled: [String: NSRegularExpression] = [:]

  func matches(_ text: String, _ pattern: String) throws -> Bool {
    let expression = try compiled[pattern] ?? NSRegularExpression(pattern: pattern)
    compiled[pattern] = expression
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}

extension YAMLNode {
  /// The value as a reader of YAML 1.2 sees it.
  fileprivate var json: JSONTree {
    switch content {
    case .scalar(let text, .plain):
      switch text {
      case "", "~", "null": .null
      case "true", "false": .boolean(text == "true")
      default: UInt64(text).map { .number($0) } ?? .string(text)
      }
    case .scalar(let text, _): .string(text)
    case .sequence: .array([])
    case .mapping: .object([])
    }
  }

  fileprivate var number: UInt64? { if case .number(let number) = json { number } else { nil } }
}

extension JSONTree {
  fileprivate subscript(key: String) -> JSONTree? {
    if case .object(let pairs) = self { pairs.first { $0.key == key }?.value } else { nil }
  }

  fileprivate var elements: [JSONTree] { if case .array(let elements) = self { elements } else { [] } }
  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
  fileprivate var number: UInt64 { if case .number(let number) = self { number } else { 0 } }
  fileprivate var texts: [String] { if case .array(let elements) = self { elements.map(\.text) } else { [text] } }

  fileprivate func isOf(type: String) -> Bool {
    switch self {
    case .object: type == "object"
    case .array: type == "array"
    case .string: type == "string"
    case .number: type == "number" || type == "integer"
    case .boolean: type == "boolean"
    case .null: type == "null"
    }
  }
}
