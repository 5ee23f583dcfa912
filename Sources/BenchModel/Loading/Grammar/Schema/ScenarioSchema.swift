/// The language of scenarios as a JSON Schema, for editors: completion, and mistakes while one types.
///
/// Goal: it accepts whatever the loader accepts. Non-goal: refusing all that the loader refuses; what is said in one
/// place and must fit another, such as the name of a connection, no schema can express.
public enum ScenarioSchema {
  /// The schema's text, which the repository holds as `Documentation/scenario.schema.json`.
  public static var text: String { tree.text() + "\n" }

  static var tree: JSONTree {
    let grammars = ScenarioGrammar.scenario.reachable
    let parts = grammars.dropFirst().map { ($0.definitionName, $0.schema(isOverride: false)) }
    let overrides = grammars.flatMap(\.overriddenGrammars).map { ($0.overrideName, $0.schema(isOverride: true)) }
    let definitions = parts + overrides + [("name", name)] + scalars.map { ($0.name, $0.schema) }
    guard case .object(let root) = ScenarioGrammar.scenario.schema(isOverride: false) else { return .null }
    return .object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("$comment", .string("Written by `yapbench schema`; a test holds it against the loader.")),
        ("title", .string("A scenario of yapbench")),
      ] + root + [("$defs", .object(definitions.map { (key: $0.0, value: $0.1) }))]
    )
  }

  private static let scalars: [ScalarDescription] = [
    .count, .size, .sizeOrZero, .duration, .durationOrZero, .rate, .range, .fraction, .sizeDistribution,
    .keyDistribution, .snapshotMove, .viewGroup, .eventAction, .condition, .expectation,
  ]

  /// Readers of YAML make numbers, Booleans and nothing of some names.
  private static let name = JSONTree.object([
    ("description", .string("A name of up to \(NameScalar.longest) letters, digits, - and _.")),
    ("type", .strings(["string", "number", "boolean", "null"])),
    ("pattern", .string(namePattern)),
  ])

  static let namePattern = "^[A-Za-z0-9_-]{1,\(NameScalar.longest)}$"
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
    for key in keys where key.isSupported { key.kind.grammarBelow?.add(to: &result) }
  }

  /// The grammars of which a phase may override keys.
  fileprivate var overriddenGrammars: [MappingGrammar] {
    keys.compactMap { if case .phaseActors(let grammar) = $0.kind { grammar } else { nil } }
  }

  /// - Parameter isOverride: whether any of the keys will do.
  fileprivate func schema(isOverride: Bool) -> JSONTree {
    let supported = keys.filter(\.isSupported)
    var pairs: [(key: String, value: JSONTree)] = [("type", .string("object"))]
    let required = supported.filter { $0.isRequired && !isOverride }.map(\.name)
    if !required.isEmpty { pairs.append(("required", .strings(required))) }
    if !isOverride, !exactlyOne.isEmpty {
      pairs.append(("oneOf", .array(exactlyOne.map { .object([("required", .strings([$0]))]) })))
    }
    if !together.isEmpty {
      let pairsOfNames = together.map { name in
        (key: name, value: JSONTree.strings(together.filter { $0 != name }))
      }
      pairs.append(("dependentRequired", .object(pairsOfNames)))
    }
    pairs.append(("properties", .object(supported.map { (key: $0.name, value: $0.schema) })))
    pairs.append(("additionalProperties", .boolean(false)))
    return .object(pairs)
  }
}

extension KeyDescription {
  fileprivate var schema: JSONTree {
    guard case .object(let pairs) = kind.schema else { return kind.schema }
    let usual = self.usual.map { [(key: "default", value: Self.value($0))] } ?? []
    return .object([(key: "description", value: .string(summary))] + pairs + usual)
  }

  private static func value(_ text: String) -> JSONTree {
    if let number = UInt64(text) { return .number(number) }
    return text == "true" || text == "false" ? .boolean(text == "true") : .string(text)
  }
}

extension ScalarDescription {
  /// A text, or the number that a reader of YAML makes of it.
  fileprivate var schema: JSONTree {
    let text: [(key: String, value: JSONTree)] = [
      ("type", .string("string")), ("pattern", .string("^(?:\(pattern))$")),
    ]
    let about: [(key: String, value: JSONTree)] = [
      ("description", .string(summary)), ("examples", .strings(examples)),
    ]
    guard let leastNumber else { return .object(about + text) }
    let number = JSONTree.object([
      ("type", .string(isWhole ? "integer" : "number")), ("minimum", .number(UInt64(leastNumber))),
    ])
    return .object(about + [("anyOf", .array([number, .object(text)]))])
  }
}
