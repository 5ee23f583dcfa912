internal import BenchResults

/// Expectations and conditions, and the parts of which they consist.
extension Scalars {
  /// Reads a metric with or without an aggregate, such as `wal.bytes.max` or `wal.bytes`.
  ///
  /// - Parameter expected: The metrics that a message about an unknown one proposes.
  static func metric(
    _ text: String,
    among expected: [Metric] = Metric.allCases
  ) throws(ScalarProblem) -> (metric: Metric, aggregate: Aggregate?) {
    if text == "pin.connection" {
      throw ScalarProblem(
        "\(quoted(text)) is a name, which cannot be compared; it is in pins.csv, and pin.bytes is the part of the WAL "
          + "that it keeps"
      )
    }
    guard let metric = Metric.allCases.first(where: { text == $0.rawValue || text.hasPrefix($0.rawValue + ".") }) else {
      throw unknownMetric(text, among: expected.map(\.rawValue))
    }
    let suffix = text.dropFirst(metric.rawValue.count + 1)
    guard !suffix.isEmpty else { return (metric, nil) }
    guard !metric.aggregates.isEmpty else {
      throw ScalarProblem("\(quoted(metric.rawValue)) is one number and has no aggregate; write \(metric.rawValue)")
    }
    guard let aggregate = Aggregate(rawValue: String(suffix)), metric.aggregates.contains(aggregate) else {
      let words = metric.aggregates.map(\.rawValue)
      throw ScalarProblem(
        "\(quoted(metric.rawValue)) has no aggregate \(quoted(String(suffix))); "
          + Suggestion.remedy(for: String(suffix), among: words)
      )
    }
    return (metric, aggregate)
  }

  private static func unknownMetric(_ text: String, among names: [String]) -> ScalarProblem {
    // The text may end in an aggregate, which the names do not have, so it is also compared without its last part.
    let withoutAggregate = text.lastIndex(of: ".").map { String(text[..<$0]) } ?? text
    let near =
      Suggestion.nearest(to: text, among: names) ?? Suggestion.nearest(to: withoutAggregate, among: names)
      ?? names.first { name in name.split(separator: ".").dropFirst().contains { $0 == withoutAggregate } }
      ?? otherWords[withoutAggregate].flatMap { names.contains($0) ? $0 : nil }
    if let near { return ScalarProblem("there is no metric \(quoted(text)); did you mean \(quoted(near))?") }
    let related = names.filter { $0.hasPrefix(text.prefix { $0 != "." } + ".") }
    let families = names.map { name in name.firstIndex(of: ".").map { name[...$0] + "…" } ?? name[...] }
    let expected = related.isEmpty ? families.withoutDuplicates.map(String.init) : related
    return ScalarProblem(
      "there is no metric \(quoted(text)); expected one of " + expected.joined(separator: ", ")
        + (related.isEmpty ? "; the reference has them all" : "")
    )
  }

  /// Words of other tools, with the metrics that they mean.
  private static let otherWords = [
    "rows": "operations", "rate": "throughput", "tps": "throughput", "latency": "response",
  ]

  static func comparison(_ text: String) throws(ScalarProblem) -> Comparison {
    guard let comparison = Comparison(rawValue: text) else {
      throw ScalarProblem(expected: "one of " + Comparison.allCases.map(\.rawValue).joined(separator: " "), found: text)
    }
    return comparison
  }
}

extension Scalars {
  /// A condition: `METRIC OP VALUE`, such as `wal.backlogFrames == 0`, or `steady(METRIC SHARE DURATION)`.
  static let condition = Scalar(
    "condition",
    expected: "a condition such as \"wal.backlogFrames == 0\"",
    by: parseCondition
  )
  .written(
    " *" + Metric.pattern(of: Metric.sampled, withAggregate: false) + " *|" + [steadiness].pattern,
    like: "wal.backlogFrames == 0",
    steadiness.example
  )
  .means(
    "A comparison of a sampled metric with a value, or `steady(METRIC SHARE DURATION)`: the mean of each tenth of the "
      + "last DURATION is within SHARE of the mean of all ten."
  )

  private static let steadiness = WordDescription(
    name: "steady",
    form: "steady(METRIC SHARE DURATION)",
    example: "steady(throughput 1% 10s)",
    arguments: [watchedMetric.description, share.description, duration.description]
  )

  /// A metric of `steady`: the throughput, or a sampled metric.
  private static let watchedMetric = Scalar("metric", expected: "a metric that is sampled", by: parseWatchedMetric)
    .with(\.pattern, ([Metric.throughput] + Metric.sampled).map(\.namePattern).joined(separator: "|"))

  private static func parseWatchedMetric(_ text: String) throws(ScalarProblem) -> Metric {
    let watched = [.throughput] + Metric.sampled
    let (metric, aggregate) = try metric(text, among: watched)
    guard watched.contains(metric), aggregate == nil else { throw notWatched(text, among: watched) }
    return metric
  }

  private static func notWatched(_ text: String, among metrics: [Metric]) -> ScalarProblem {
    let names = metrics.map(\.rawValue).joined(separator: ", ")
    return ScalarProblem("a condition cannot watch \(quoted(text)); expected one of \(names)")
  }

  private static func parseCondition(_ text: String) throws(ScalarProblem) -> PhaseCondition {
    if text.hasPrefix("steady(") {
      let call = try CalledWord(text)
      try steadiness.requireArguments(of: call)
      let metric = try watchedMetric.parse(call.arguments[0])
      let tolerance = try share.parse(call.arguments[1])
      let window = try duration.parse(call.arguments[2])
      return PhaseCondition(
        source: text,
        metric: metric,
        rule: .steady(tolerance: tolerance, windowNanoseconds: window)
      )
    }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3 else {
      throw ScalarProblem(
        expected: "a condition: METRIC OP VALUE, such as \"wal.backlogFrames == 0\", or steady(throughput 1% 10s)",
        found: text
      )
    }
    let (metric, aggregate) = try metric(words[0], among: Metric.sampled)
    guard metric.isSampled else { throw notWatched(metric.rawValue, among: Metric.sampled) }
    guard aggregate == nil else {
      throw ScalarProblem("a condition compares each sample and takes no aggregate; write \(metric.rawValue)")
    }
    return PhaseCondition(
      source: text,
      metric: metric,
      rule: .compares(try comparison(words[1]), try metric.unit.scalar.parse(words[2]))
    )
  }
}

extension Metric {
  static let sampled = allCases.filter(\.isSampled)

  /// A regular expression that matches the name.
  fileprivate var namePattern: String { rawValue.split(separator: ".").joined(separator: #"\."#) }

  /// Returns a regular expression that matches comparisons of these metrics with values in their units.
  ///
  /// - Parameter otherBound: a regular expression that matches other bounds than values; nil for none.
  static func pattern(of metrics: [Metric], withAggregate: Bool, otherBound: String? = nil) -> String {
    let kinds = Dictionary(grouping: metrics) { "\($0.valuePattern) \($0.aggregates)" }.values
    // Sorted in the order of the metrics, because the order of a dictionary, and so the schema, would vary.
    let inOrder = kinds.sorted { left, right in
      metrics.firstIndex(of: left[0]) ?? 0 < metrics.firstIndex(of: right[0]) ?? 0
    }
    let comparison = "(?:" + Comparison.allCases.map(\.rawValue).joined(separator: "|") + ")"
    let patterns = inOrder.map { kind in
      let names = kind.map(\.namePattern).joined(separator: "|")
      let aggregates = kind[0].aggregates.map(\.rawValue).joined(separator: "|")
      return "(?:\(names))" + (withAggregate && !aggregates.isEmpty ? #"\.(?:"# + aggregates + ")" : "") + " +"
        + comparison + " +" + (otherBound.map { "(?:\(kind[0].valuePattern)|\($0))" } ?? kind[0].valuePattern)
    }
    return "(?:" + patterns.joined(separator: "|") + ")"
  }
}

extension Metric {
  /// The regular expression of a value.
  fileprivate var valuePattern: String {
    let pattern = unit.scalar.description.pattern
    return whole == nil ? pattern : "(?:" + pattern + "|" + FigureUnit.share.scalar.description.pattern + ")"
  }
}

extension FigureUnit {
  /// The form of a value.
  var scalar: Scalar<Double> {
    switch self {
    case .nanoseconds: Scalars.durationOrZero.map { Double($0) }
    case .bytes: Scalars.sizeOrZero.map { Double($0) }
    case .perSecond: Scalars.rateOrZero
    case .count: Scalars.meanCount
    case .share: Scalars.shareOrZero
    default: Scalars.number
    }
  }
}
