extension ValueKind {
  /// The grammar of the mappings in it, if there are any.
  var grammarBelow: MappingGrammar? {
    switch self {
    case .mapping(let grammar), .named(let grammar), .list(let grammar), .wordOrMapping(_, let grammar),
      .phaseActors(let grammar):
      grammar
    default: nil
    }
  }

  /// What the schema says of such a value.
  var schema: JSONTree {
    switch self {
    case .text:
      .object([("type", .strings(["string", "number", "boolean", "null"])), ("pattern", .string(#"^[^\r\n]+$"#))])
    case .name: Self.reference("name")
    case .names: Self.list(of: Self.reference("name"), isUnique: true)
    case .nameOrNames: .object([("anyOf", .array([Self.reference("name"), Self.listOfNames]))])
    case .boolean: .object([("enum", .array([.boolean(true), .boolean(false)] + Self.booleanWords))])
    case .integer(let range): Self.integer(range)
    case .expectations: Self.list(of: Self.reference("expectation"))
    case .words(let words): .object([("enum", .array(words.flatMap(Self.readings)))])
    case .listOfWords(let words): Self.list(of: .object([("enum", .strings(words))]), isUnique: true)
    case .mapping(let grammar): Self.reference(grammar.definitionName)
    case .named(let grammar): Self.mapping(to: Self.reference(grammar.definitionName))
    case .weights: Self.weightsByOperation
    case .list(let grammar): Self.list(of: Self.reference(grammar.definitionName), least: 1)
    case .wordOrMapping(let words, let grammar):
      .object([("anyOf", .array([.object([("enum", .strings(words))]), Self.reference(grammar.definitionName)]))])
    case .phaseActors(let grammar):
      .object([("anyOf", .array([Self.listOfNames, Self.mapping(to: Self.reference(grammar.overrideName))]))])
    case .matrix: Self.valuesByPath
    default: scalar.map { Self.reference($0.name) } ?? .object([])
    }
  }

  private static let listOfNames = list(of: reference("name"), isUnique: true, least: 1)
  private static let booleanWords: [JSONTree] = ["on", "off", "yes", "no", "true", "false"].map { .string($0) }

  private static func reference(_ name: String) -> JSONTree { .object([("$ref", .string("#/$defs/\(name)"))]) }

  /// A word, and what other readers of YAML make of it.
  private static func readings(of word: String) -> [JSONTree] {
    switch word {
    case "on", "yes": [.string(word), .boolean(true)]
    case "off", "no": [.string(word), .boolean(false)]
    case "null": [.string(word), .null]
    default: [.string(word)]
    }
  }

  private static func integer(_ range: ClosedRange<UInt64>) -> JSONTree {
    if range.lowerBound == range.upperBound {
      return .object([("enum", .array([.number(range.lowerBound), .string(String(range.lowerBound))]))])
    }
    let number = JSONTree.object([
      ("type", .string("integer")), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)),
    ])
    let text = JSONTree.object([("type", .string("string")), ("pattern", .string("^[0-9](?:[0-9_]*[0-9])?$"))])
    return .object([("anyOf", .array([number, text]))])
  }

  private static func list(of element: JSONTree, isUnique: Bool = false, least: UInt64 = 0) -> JSONTree {
    var pairs: [(key: String, value: JSONTree)] = [("type", .string("array")), ("items", element)]
    if least > 0 { pairs.append(("minItems", .number(least))) }
    if isUnique { pairs.append(("uniqueItems", .boolean(true))) }
    return .object(pairs)
  }

  private static func mapping(to value: JSONTree, keys pattern: String = ScenarioSchema.namePattern) -> JSONTree {
    .object([
      ("type", .string("object")), ("minProperties", .number(1)),
      ("propertyNames", .object([("pattern", .string(pattern))])), ("additionalProperties", value),
    ])
  }

  private static let weightsByOperation = mapping(
    to: reference("count"),
    keys: "^(?:\(ScenarioGrammar.operations.pattern))$"
  )
  private static let valuesByPath = mapping(
    to: list(of: .object([]), least: 1),
    keys: #"^[^.]+(?:\.[^.]+)*$"#
  )
}
