/// The language of scenarios as a page of Markdown, for people.
public enum ScenarioReference {
  /// The page's text, which the repository holds as `Documentation/scenario-reference.md`.
  public static var text: String {
    let grammars = ScenarioGrammar.scenario.reachable
    let sections = [introduction, values] + grammars.map(section) + [operations, expectations, invariants, planned]
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static let introduction = """
    # The language of scenarios

    Written by `yapbench schema --reference` from what the loader itself reads by; a test keeps it so. Editors that
    know YAML's language server complete and check a scenario by [scenario.schema.json](scenario.schema.json), with
    this as its first line: `# yaml-language-server: $schema=../Documentation/scenario.schema.json`. How one is written
    from nothing: [first-scenario.md](first-scenario.md).
    """

  private static let scalars: [ScalarDescription] = [
    .duration, .size, .count, .rate, .share, .range, .number, .fraction, .condition,
  ]

  private static var values: String {
    let rows = scalars.map { [$0.name, examples($0.examples), $0.summary] }
    return [
      "## How values are written",
      """
      Arguments in parentheses are separated by spaces, never commas, so that they survive YAML's flow style. `off`,
      `on` and `null` are read as they are written. A name has up to \(NameScalar.longest) letters, digits, `-` and `_`.
      """,
      table(["kind", "written", ""], rows),
      forms("Sizes of values", .sizeDistribution, ScenarioGrammar.sizeDistributions, first: ["512B", "64B..4KiB"]),
      forms("Keys", .keyDistribution, ScenarioGrammar.keyDistributions),
      forms("Moves of a snapshot", .snapshotMove, ScenarioGrammar.snapshotMoves),
      forms("Groups of a view", .viewGroup, ScenarioGrammar.viewGroups),
      forms("What events do", .eventAction, ScenarioGrammar.eventActions),
    ].joined(separator: "\n\n")
  }

  private static func forms(
    _ title: String,
    _ scalar: ScalarDescription,
    _ forms: [CallForm],
    first: [String] = []
  ) -> String {
    let plain = first.isEmpty ? [] : [[examples(first), "One size, or a range drawn uniformly, both ends included."]]
    let rows = plain + forms.map { ["`\($0.example)`", $0.summary] }
    return "### \(title)\n\n\(scalar.summary)\n\n" + table(["written", ""], rows)
  }

  private static func section(_ grammar: MappingGrammar) -> String {
    let title = grammar.title.prefix(1).uppercased() + grammar.title.dropFirst()
    let supported = grammar.keys.filter(\.isSupported)
    let hasDefault = supported.contains { $0.usual != nil }
    let rows = supported.map { key in
      let name = "`\(key.name)`" + (key.isRequired ? ", required" : "")
      let usual = hasDefault ? [key.usual.map { "`\($0)`" } ?? ""] : []
      return [name, key.kind.reference] + usual + [key.summary]
    }
    var paragraphs = ["## \(title)", table(["key", "value"] + (hasDefault ? ["default"] : []) + ["meaning"], rows)]
    if !grammar.exactlyOne.isEmpty {
      let names = grammar.exactlyOne.map { "`\($0)`" }.joined(separator: ", ")
      paragraphs.append("Exactly one of \(names) is given.")
    }
    if !grammar.together.isEmpty {
      paragraphs.append(grammar.together.map { "`\($0)`" }.joined(separator: " and ") + " go together.")
    }
    paragraphs += grammar.notes
    if grammar.key("matrix")?.isSupported == true {
      paragraphs += ["### Variants", "```yaml\n\(exampleOfMatrix)\n```"] + ScenarioNotes.matrix
    }
    return paragraphs.joined(separator: "\n\n")
  }

  static let exampleOfMatrix = """
    matrix:
      engine.defaultObjectPolicy: [containment, copy, share]
      connections.ui.objectCacheLimit: [250, 2k]
    repeat: 3
    """

  private static var operations: String {
    let rows = ScenarioGrammar.operations.map { ["`\($0.example)`", $0.summary] }
    return "## Operations\n\nEach with its weight, from 1 to 1000000.\n\n" + table(["operation", ""], rows)
  }

  private static var expectations: String {
    let rows = Metric.allCases.map { metric in
      let hasPercentiles = Set(metric.aggregates).isSuperset(of: Aggregate.percentiles)
      let named = metric.aggregates.filter { !hasPercentiles || !Aggregate.percentiles.contains($0) }
      let aggregates = examples(named.map(\.rawValue)) + (hasPercentiles ? " percentiles" : "")
      return [
        "`\(metric.rawValue)`", metric.unit.reference, metric.isKeptByActor ? "phase, actor" : "phase",
        aggregates.isEmpty ? "none" : aggregates, metric.summary,
      ]
    }
    let percentiles = "Percentiles are " + examples(Aggregate.percentiles.map(\.rawValue)) + "."
    let metrics = table(["metric", "value", "of", "aggregates", ""], rows)
    return (["## Expectations"] + ScenarioNotes.expectations + [percentiles, metrics]).joined(separator: "\n\n")
  }

  private static var invariants: String {
    let supported = Invariant.allCases.filter { Invariant.supportedWords.contains($0.rawValue) }
    let rows = supported.map { ["`\($0.rawValue)`", $0.summary] }
    return (["## Invariants", table(["name", "what must hold"], rows)] + ScenarioNotes.invariants)
      .joined(separator: "\n\n")
  }

  /// What the format has and no run can do yet.
  private static var planned: String {
    let keys = ScenarioGrammar.scenario.reachable.flatMap { grammar in
      grammar.keys.filter { !$0.isSupported }.map { "`\($0.name)` of \(grammar.noun)" }
    }
    let words = ScenarioGrammar.plannedWords.map { "`\($0)`" }
    return "## Not there yet\n\nThese belong to the format, and are refused with that reason: "
      + (keys + words).joined(separator: ", ") + "."
  }

  private static func examples(_ texts: [String]) -> String { texts.map { "`\($0)`" }.joined(separator: " ") }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    let lines = [header, header.map { _ in "---" }] + rows
    return lines.map { "| " + $0.map(cell).joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String { text.split(separator: "|").joined(separator: "\\|") }
}

extension MetricUnit {
  fileprivate var reference: String {
    switch self {
    case .nanoseconds: "duration"
    case .bytes: "size"
    case .perSecond: "rate"
    case .count: "count"
    case .number: "number"
    }
  }
}
