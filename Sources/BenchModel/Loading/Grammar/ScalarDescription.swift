/// How a kind of value is written that is one word or number.
public struct ScalarDescription: Sendable {
  /// Such as `duration`: its name in the schema and the reference.
  public let name: String
  /// What a message says was expected.
  let expectation: String
  /// Matches every text that its parser accepts, and few others: a regular expression without anchors, in the syntax
  /// that ECMAScript and Foundation share.
  let pattern: String
  public let examples: [String]
  /// What an author should know of it beside its examples.
  public let summary: String
  /// The least whole number that can be written without a unit; nil where every value has one. YAML readers make
  /// numbers of such texts.
  let leastNumber: Int?
  /// Whether such a number is a whole one.
  let isWhole: Bool

  init(
    _ name: String,
    expectation: String,
    pattern: String,
    examples: [String],
    leastNumber: Int? = nil,
    isWhole: Bool = true,
    _ summary: String
  ) {
    self.name = name
    self.expectation = expectation
    self.pattern = pattern
    self.examples = examples
    self.leastNumber = leastNumber
    self.isWhole = isWhole
    self.summary = summary
  }

  /// A list of words of which some take arguments.
  init(_ name: String, expectation: String, forms: [CallForm], or other: ScalarDescription? = nil, _ summary: String) {
    let patterns = [forms.pattern] + (other.map { [$0.pattern] } ?? [])
    self.init(
      name,
      expectation: expectation,
      pattern: patterns.joined(separator: "|"),
      examples: (other?.examples ?? []) + forms.map(\.example),
      summary
    )
  }
}

extension ScalarDescription {
  private static let digits = "[0-9]+(?:_[0-9]+)*"
  private static let decimal = digits + #"(?:\."# + digits + ")?"
  /// Looks ahead for a digit that is not 0, so that nothing is no quantity.
  private static let notZero = "(?=[0-9_.]*[1-9])"

  static let duration = ScalarDescription(
    "duration",
    expectation: DurationScalar.table.expectation,
    pattern: notZero + decimal + DurationScalar.table.unitPattern,
    examples: ["250us", "5ms", "1.5s", "1m", "1h"],
    "A number with a unit; `0s` only where it says so."
  )
  static let durationOrZero = ScalarDescription(
    "durationOrZero",
    expectation: DurationScalar.table.expectation,
    pattern: decimal + DurationScalar.table.unitPattern,
    examples: ["0s", "5ms"],
    "A duration for which zero has a meaning."
  )
  static let size = ScalarDescription(
    "size",
    expectation: SizeScalar.table.expectation,
    pattern: notZero + decimal + SizeScalar.table.unitPattern,
    examples: ["512B", "4KiB", "4MiB", "1GiB", "4kB", "4MB"],
    "Powers of 1024 with an `i`, of 1000 without; `0B` only where it says so."
  )
  static let sizeOrZero = ScalarDescription(
    "sizeOrZero",
    expectation: SizeScalar.table.expectation,
    pattern: decimal + SizeScalar.table.unitPattern,
    examples: ["0B", "4MiB"],
    "A size for which zero has a meaning."
  )
  static let count = ScalarDescription(
    "count",
    expectation: CountScalar.table.expectation,
    pattern: notZero + decimal + CountScalar.table.unitPattern,
    examples: ["50000", "50_000", "50k", "2M"],
    leastNumber: 1,
    "A whole number of at least 1."
  )
  static let rate = ScalarDescription(
    "rate",
    expectation: RateScalar.expectation,
    pattern: notZero + decimal + "[kM]?/(?:s|ms|min)",
    examples: ["200/s", "5/ms", "30/min", "2k/s"],
    "So many in a second, a millisecond or a minute; more than 0. The rates of a phase's actors add up to at most "
      + "50M/s."
  )
  static let range = ScalarDescription(
    "range",
    expectation: RangeScalar.expectation,
    pattern: count.pattern + #"(?:\.\."# + count.pattern + ")?",
    examples: ["1..8", "5"],
    leastNumber: 1,
    "Both ends belong to it; drawn uniformly each time."
  )
  /// What can be steady.
  static let watchedMetric = ScalarDescription(
    "metric",
    expectation: "a metric that is sampled",
    pattern: (["throughput"] + Metric.allCases.filter(\.isSampled).map(\.rawValue)).map { name in
      name.split(separator: ".").joined(separator: #"\."#)
    }.joined(separator: "|"),
    examples: ["throughput", "wal.bytes"],
    "The throughput, or a metric that is sampled."
  )
  /// The name of a file in the scenario's folder.
  static let file = ScalarDescription(
    "file",
    expectation: "the name of a file in the scenario's folder",
    pattern: "[^() ]+",
    examples: ["sizes.csv"],
    "A file in the scenario's own folder."
  )
  static let share = ScalarDescription(
    "share",
    expectation: ShareScalar.expectation,
    pattern: decimal + "%",
    examples: ["20%", "85.7%"],
    "A part of a whole."
  )
  static let number = ScalarDescription(
    "number",
    expectation: NumberScalar.expectation,
    pattern: decimal,
    examples: ["0.99"],
    leastNumber: 0,
    isWhole: false,
    "A number without a unit."
  )
  static let fraction = ScalarDescription(
    "fraction",
    expectation: "a number from 0 to 1 such as 0.5",
    pattern: decimal,
    examples: ["0.5"],
    leastNumber: 0,
    isWhole: false,
    "A number from 0 to 1."
  )
  static let keyDistribution = ScalarDescription(
    "keyDistribution",
    expectation: KeyDistributionScalar.expectation,
    forms: ScenarioGrammar.keyDistributions,
    "Which of a collection's rows an operation is about."
  )
  static let sizeDistribution = ScalarDescription(
    "sizeDistribution",
    expectation: SizeDistributionScalar.expectation,
    forms: ScenarioGrammar.sizeDistributions,
    or: sizeRange,
    "One size, a range of sizes drawn uniformly, or a law."
  )
  private static let sizeRange = ScalarDescription(
    "sizeRange",
    expectation: SizeDistributionScalar.expectation,
    pattern: sizeOrZero.pattern + #"(?:\.\."# + sizeOrZero.pattern + ")?",
    examples: ["512B", "64B..4KiB"],
    "A size, or a range of sizes."
  )
  static let snapshotMove = ScalarDescription(
    "snapshotMove",
    expectation: SnapshotMoveScalar.expectation,
    forms: ScenarioGrammar.snapshotMoves,
    "When a long-lived snapshot moves to the newest commit."
  )
  static let viewGroup = ScalarDescription(
    "viewGroup",
    expectation: ViewGroupScalar.expectation,
    forms: ScenarioGrammar.viewGroups,
    "Which group of a view a row is in."
  )
  static let eventAction = ScalarDescription(
    "eventAction",
    expectation: EventScalar.expectation,
    forms: ScenarioGrammar.eventActions,
    "What an event does."
  )
  static let checkpointMode = ScalarDescription(
    "checkpointMode",
    expectation: CheckpointModeSetting.expectation,
    pattern: CheckpointModeSetting.supportedWords.joined(separator: "|"),
    examples: CheckpointModeSetting.supportedWords,
    "For whom a checkpoint waits, with SQLite's words."
  )
  /// The name of an actor of the phase.
  static let actorName = name("actorName", of: "an actor", such: "scroll", "An actor of the phase.")
  static let connectionName = name("connectionName", of: "a connection", such: "ui", "A connection of the scenario.")
  static let viewName = name("viewName", of: "a view", such: "newest", "A view of the scenario.")

  private static func name(_ name: String, of noun: String, such example: String, _ summary: String) -> Self {
    ScalarDescription(
      name,
      expectation: "the name of \(noun)",
      pattern: "[A-Za-z0-9_-]{1,\(NameScalar.longest)}",
      examples: [example],
      summary
    )
  }

  static let condition = ScalarDescription(
    "condition",
    expectation: "a condition such as \"wal.backlogFrames == 0\"",
    pattern: " *" + Metric.pattern(of: Metric.allCases.filter(\.isSampled), withAggregate: false) + " *|"
      + ScenarioGrammar.steadiness.pattern,
    examples: ["wal.backlogFrames == 0"] + ScenarioGrammar.steadiness.map(\.example),
    "A comparison of a metric that is sampled, or that each tenth of a time is within a share of its mean."
  )
  static let expectation = ScalarDescription(
    "expectation",
    expectation: ExpectationScalar.expectation,
    pattern: " *(?:abort +)?(?:[^ /]+ +" + Metric.pattern(of: Metric.allCases, withAggregate: true) + "|[^ /]+/[^ ]+ +"
      + Metric.pattern(of: Metric.allCases.filter(\.isKeptByActor), withAggregate: true) + ") *",
    examples: ["stall/import response.p99 < 50ms", "abort run wal.bytes.max < 1GiB"],
    "PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE."
  )

  fileprivate static let comparison = "(?:" + Comparison.allCases.map(\.rawValue).joined(separator: "|") + ")"

  /// How a value of a metric is written.
  fileprivate static func pattern(of unit: MetricUnit) -> String {
    switch unit {
    case .nanoseconds: durationOrZero.pattern
    case .bytes: sizeOrZero.pattern
    case .perSecond: decimal + "[kM]?/(?:s|ms|min)"
    case .count: decimal + CountScalar.table.unitPattern
    case .number: decimal
    }
  }
}

extension UnitTable {
  /// The regular expression of its units.
  fileprivate var unitPattern: String {
    let units = self.units.map(\.key)
    let optional = units.contains("") ? "?" : ""
    return "(?:" + units.filter { !$0.isEmpty }.joined(separator: "|") + ")" + optional
  }
}

extension Metric {
  /// The regular expression of comparisons of these metrics with values of theirs.
  fileprivate static func pattern(of metrics: [Metric], withAggregate: Bool) -> String {
    let kinds = Dictionary(grouping: metrics) { "\($0.unit) \($0.aggregates)" }.values
    // In the order of the language, so that the schema is the same each time it is written.
    let inOrder = kinds.sorted { left, right in
      metrics.firstIndex(of: left[0]) ?? 0 < metrics.firstIndex(of: right[0]) ?? 0
    }
    let patterns = inOrder.map { kind in
      let names = kind.map { $0.rawValue.split(separator: ".").joined(separator: #"\."#) }.joined(separator: "|")
      let aggregates = kind[0].aggregates.map(\.rawValue).joined(separator: "|")
      return "(?:\(names))" + (withAggregate && !aggregates.isEmpty ? #"\.(?:"# + aggregates + ")" : "") + " +"
        + ScalarDescription.comparison + " +" + ScalarDescription.pattern(of: kind[0].unit)
    }
    return "(?:" + patterns.joined(separator: "|") + ")"
  }
}
