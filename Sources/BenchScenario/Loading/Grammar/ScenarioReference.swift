internal import BenchResults

/// The language of scenarios as a page of Markdown, for people.
public enum ScenarioReference {
  /// The page's text, which the repository holds as `Documentation/scenario-reference.md`.
  public static var text: String {
    let grammars = ScenarioGrammar.scenario.reachable
    let sections = [introduction, values] + grammars.map(section) + [operations, expectations, invariants]
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
    Scalars.duration.description, Scalars.size.description, Scalars.count.description, Scalars.rate.description,
    Scalars.share.description, Scalars.range.description, Scalars.number.description, Scalars.fraction.description,
    Scalars.condition.description,
  ]

  private static var values: String {
    let longestName = Scalars.longestName
    let rows = scalars.map { [$0.name, examples($0.examples), $0.summary] }
    let sizes = [examples(["512B", "64B..4KiB"]), "One size, or a range drawn uniformly, both ends included."]
    return [
      "## How values are written",
      """
      Arguments in parentheses are separated by spaces, never commas, so that they survive YAML's flow style. `off`,
      `on` and `null` are read as they are written. A name has up to \(longestName) letters, digits, `-` and `_`.
      """,
      table(["kind", "written", ""], rows),
      words("Sizes of values", Scalars.sizeLaw.description, first: [sizes]),
      words("Keys", Scalars.keyDistribution.description),
      words("Moves of a snapshot", Scalars.snapshotMove.description),
      words("Groups of a view", Scalars.viewGroup.description),
      words("What events do", Scalars.eventAction.description),
    ].joined(separator: "\n\n")
  }

  /// - Parameter first: rows before those of the words.
  private static func words(_ title: String, _ scalar: ScalarDescription, first: [[String]] = []) -> String {
    let rows = first + scalar.words.map { ["`\($0.example)`", $0.summary] }
    return "### \(title)\n\n\(scalar.summary)\n\n" + table(["written", ""], rows)
  }

  private static func section(_ grammar: MappingGrammar) -> String {
    let title = grammar.title.prefix(1).uppercased() + grammar.title.dropFirst()
    let hasDefault = grammar.keys.contains { $0.usual != nil }
    let rows = grammar.keys.map { key in
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
    if grammar.key("matrix") != nil {
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
    let rows = Scalars.operations.descriptions.map { ["`\($0.example)`", $0.summary] }
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
    let rows = Invariant.allCases.map { ["`\($0.rawValue)`", $0.summary] }
    return (["## Invariants", table(["name", "what must hold"], rows)] + ScenarioNotes.invariants)
      .joined(separator: "\n\n")
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

extension ValueKind {
  /// The form in the reference, in Markdown.
  var reference: String {
    switch self {
    case .text: "a text on one line"
    case .name: "a name"
    case .names: "`[…]` of names"
    case .nameOrNames: "a name, or `[…]` of names"
    case .boolean: "`true` `false`"
    case .integer(let range):
      range.lowerBound == range.upperBound ? "`\(range.lowerBound)`" : "\(range.lowerBound) to \(range.upperBound)"
    case .expectations: "`[…]` of [expectations](#expectations)"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: " ")
    case .listOfWords(let words) where words == Invariant.words: "`[…]` of [invariants](#invariants)"
    case .listOfWords(let words): "`[…]` of " + words.map { "`\($0)`" }.joined(separator: " ")
    case .mapping(let grammar): Self.link(grammar)
    case .named(let grammar): "names to " + Self.link(grammar)
    case .weights: "[operations](#operations) to weights"
    case .list(let grammar): "`[…]`, each " + Self.link(grammar)
    case .wordOrMapping(let words, let grammar):
      words.map { "`\($0)`" }.joined(separator: " ") + " or " + Self.link(grammar)
    case .phaseActors: "`[…]` of names, or names to keys of [an actor](#actor)"
    case .matrix: "paths to `[…]` of values; see [variants](#variants)"
    case .scalar(let scalar): scalar.reference
    }
  }

  private static func link(_ grammar: MappingGrammar) -> String {
    let anchor = grammar.title.split(separator: " ").joined(separator: "-")
    return "[\(grammar.noun)](#\(anchor))"
  }
}
