/// The language of scenarios as a JSON Schema, for editors: completion, and mistakes while one types.
///
/// Goal: it accepts everything that the loader accepts. Non-goal: it does not refuse everything that the loader
/// refuses. No schema can express that two parts must fit, such as an actor's connection and the names of connections.
public enum ScenarioSchema {
  /// The schema's text, which the repository holds as `Documentation/scenario.schema.json`.
  public static var text: String { tree.text() + "\n" }

  static var tree: JSONTree {
    let grammars = ScenarioGrammar.scenario.reachable
    let parts = grammars.dropFirst().map { ($0.definitionName, $0.schema(isOverride: false)) }
    let overrides = grammars.flatMap(\.overriddenGrammars).map { ($0.overrideName, $0.schema(isOverride: true)) }
    let definitions = parts + overrides + [("name", name)] + scalars.map { ($0.name, $0.schema) }
    let head: JSONTree = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$comment": "Written by `yapbench schema`; a test holds it against the loader.",
      "title": "A scenario of yapbench",
    ]
    return head.adding(ScenarioGrammar.scenario.schema(isOverride: false))
      .adding(["$defs": .object(definitions.map { (key: $0.0, value: $0.1) })])
  }

  private static let scalars: [ScalarDescription] = [
    Scalars.count.description, Scalars.size.description, Scalars.sizeOrZero.description, Scalars.duration.description,
    Scalars.durationOrZero.description, Scalars.rate.description, Scalars.range.description,
    Scalars.fraction.description, Scalars.sizeLaw.description, Scalars.keyDistribution.description,
    Scalars.snapshotMove.description, Scalars.viewGroup.description, Scalars.eventAction.description,
    Scalars.condition.description, Scalars.expectation.description,
  ]

  /// Readers of YAML make numbers, Booleans and nothing of some names.
  private static let name: JSONTree = [
    "description": .string(Scalars.name.description.summary),
    "type": ["string", "number", "boolean", "null"],
    "pattern": .string(namePattern),
  ]

  static let namePattern = "^\(Scalars.namePattern)$"
}

extension MappingGrammar {
  /// Its name in the schema, such as `closedLoad`.
  var definitionName: String {
    let words = title.split(separator: " ").map(String.init)
    return words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  var overrideName: String { definitionName + "Override" }

  /// This and every grammar below it, each once.
  var reachable: [MappingGrammar] {
    var result: [MappingGrammar] = []
    add(to: &result)
    return result
  }

  private func add(to result: inout [MappingGrammar]) {
    guard !result.contains(where: { $0.noun == noun }) else { return }
    result.append(self)
    for key in keys { key.kind.grammarBelow?.add(to: &result) }
  }

  /// The grammars of which a phase may override keys.
  fileprivate var overriddenGrammars: [MappingGrammar] {
    keys.compactMap { if case .phaseActors(let grammar) = $0.kind { grammar } else { nil } }
  }

  /// - Parameter isOverride: whether any of the keys is enough.
  fileprivate func schema(isOverride: Bool) -> JSONTree {
    var result: JSONTree = ["type": "object"]
    let required = keys.filter { $0.isRequired && !isOverride }.map(\.name)
    if !required.isEmpty { result = result.adding(["required": .strings(required)]) }
    if !isOverride, !exactlyOne.isEmpty {
      result = result.adding(["oneOf": .array(exactlyOne.map { ["required": [.string($0)]] })])
    }
    if !together.isEmpty {
      let others = together.map { name in (key: name, value: JSONTree.strings(together.filter { $0 != name })) }
      result = result.adding(["dependentRequired": .object(others)])
    }
    let properties = keys.map { (key: $0.name, value: $0.schema) }
    return result.adding(["properties": .object(properties), "additionalProperties": false])
  }
}

extension KeyDescription {
  fileprivate var schema: JSONTree {
    let result = JSONTree.object([(key: "description", value: .string(summary))]).adding(kind.schema)
    return usual.map { result.adding(["default": Self.value($0)]) } ?? result
  }

  private static func value(_ text: String) -> JSONTree {
    if let number = UInt64(text) { return .number(number) }
    return text == "true" || text == "false" ? .boolean(text == "true") : .string(text)
  }
}

extension ScalarDescription {
  /// A text, or the number that a reader of YAML makes of it.
  fileprivate var schema: JSONTree {
    let text: JSONTree = ["type": "string", "pattern": .string("^(?:\(pattern))$")]
    let about: JSONTree = ["description": .string(summary), "examples": .strings(examples)]
    guard let leastNumber else { return about.adding(text) }
    let number: JSONTree = ["type": isWhole ? "integer" : "number", "minimum": .number(UInt64(leastNumber))]
    return about.adding(["anyOf": [number, text]])
  }
}

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

  /// The schema of such a value.
  var schema: JSONTree {
    switch self {
    case .text: ["type": ["string", "number", "boolean", "null"], "pattern": #"^[^\r\n]+$"#]
    case .name: Self.reference("name")
    case .names: Self.list(of: Self.reference("name"), isUnique: true)
    case .nameOrNames: ["anyOf": [Self.reference("name"), Self.listOfNames]]
    case .boolean: ["enum": [true, false, "on", "off", "yes", "no", "true", "false"]]
    case .integer(let range): Self.integer(range)
    case .expectations: Self.list(of: Self.reference("expectation"))
    case .words(let words): ["enum": .array(words.flatMap(Self.readings))]
    case .listOfWords(let words): Self.list(of: ["enum": .strings(words)], isUnique: true)
    case .mapping(let grammar): Self.reference(grammar.definitionName)
    case .named(let grammar): Self.mapping(to: Self.reference(grammar.definitionName))
    case .weights: Self.weightsByOperation
    case .list(let grammar): Self.list(of: Self.reference(grammar.definitionName), least: 1)
    case .wordOrMapping(let words, let grammar):
      ["anyOf": [["enum": .strings(words)], Self.reference(grammar.definitionName)]]
    case .phaseActors(let grammar):
      ["anyOf": [Self.listOfNames, Self.mapping(to: Self.reference(grammar.overrideName))]]
    case .matrix: Self.valuesByPath
    case .scalar(let scalar): Self.reference(scalar.name)
    }
  }

  private static let listOfNames = list(of: reference("name"), isUnique: true, least: 1)

  private static func reference(_ name: String) -> JSONTree { ["$ref": .string("#/$defs/\(name)")] }

  /// A word, and the values that other readers of YAML make of it.
  private static func readings(of word: String) -> [JSONTree] {
    switch word {
    case "on", "yes": [.string(word), true]
    case "off", "no": [.string(word), false]
    case "null": [.string(word), .null]
    default: [.string(word)]
    }
  }

  private static func integer(_ range: ClosedRange<UInt64>) -> JSONTree {
    let (least, most) = (range.lowerBound, range.upperBound)
    if least == most { return ["enum": [.number(least), .string(String(least))]] }
    let number: JSONTree = ["type": "integer", "minimum": .number(least), "maximum": .number(most)]
    return ["anyOf": [number, ["type": "string", "pattern": "^[0-9](?:[0-9_]*[0-9])?$"]]]
  }

  private static func list(of element: JSONTree, isUnique: Bool = false, least: UInt64 = 0) -> JSONTree {
    var result: JSONTree = ["type": "array", "items": element]
    if least > 0 { result = result.adding(["minItems": .number(least)]) }
    return isUnique ? result.adding(["uniqueItems": true]) : result
  }

  private static func mapping(to value: JSONTree, keys pattern: String = ScenarioSchema.namePattern) -> JSONTree {
    [
      "type": "object", "minProperties": 1, "propertyNames": ["pattern": .string(pattern)],
      "additionalProperties": value,
    ]
  }

  private static let weightsByOperation = mapping(
    to: reference("count"),
    keys: "^(?:\(Scalars.operations.descriptions.pattern))$"
  )
  private static let valuesByPath = mapping(to: list(of: [:], least: 1), keys: #"^[^.]+(?:\.[^.]+)*$"#)
}
