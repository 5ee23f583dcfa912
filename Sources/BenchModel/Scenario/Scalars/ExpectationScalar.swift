/// `[abort] PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE`.
///
/// Every metric with every aggregate of its can be an `abort`: at each sample it is evaluated on what the phase has
/// measured so far, and the run ends at the first sample that breaks it.
public enum ExpectationScalar {
  static let expectation =
    "an expectation: PHASE[/ACTOR[.OPERATION]] METRIC[.AGGREGATE] OP VALUE, such as \"run/import response.p99 < 50ms\""

  /// Reads the text alone; whether such a phase, actor and operation exist is not known here.
  public static func parse(_ text: String) throws(ScalarProblem) -> Expectation {
    var words = text.split(separator: " ").map(String.init)
    // A phase may be called `abort` too; only a word too many makes it the prefix.
    let isAbort = words.count == 5 && words[0] == "abort"
    if isAbort { words.removeFirst() }
    guard words.count == 4 else { throw ScalarProblem(expected: expectation, found: text) }
    let scope = try scope(words[0])
    let (metric, aggregate) = try MetricScalar.parse(words[1])
    if aggregate == nil, let first = suggestedAggregate(of: metric) {
      throw ScalarProblem(
        "\(quoted(metric.rawValue)) needs an aggregate; write for instance \(metric.rawValue).\(first)"
      )
    }
    if scope.actor != nil, !metric.isKeptByActor {
      throw ScalarProblem("\(quoted(metric.rawValue)) is a metric of a whole phase; write \(scope.phase) \(words[1])")
    }
    let comparison = try MetricScalar.comparison(words[2])
    return Expectation(
      source: text,
      isAbort: isAbort,
      scope: scope,
      metric: metric,
      aggregate: aggregate,
      comparison: comparison,
      value: try MetricScalar.value(words[3], of: metric)
    )
  }

  private static func suggestedAggregate(of metric: Metric) -> Aggregate? {
    guard !metric.aggregates.isEmpty else { return nil }
    switch metric {
    case .throughput: return .mean
    case .response, .service, .wait, .laneWait, .writeLaneWait, .notificationLag, .harnessLate: return .p99
    case _ where metric.isCacheCount || metric.isProcessCount || metric.isWriteCount: return .sum
    default: return .max
    }
  }

  private static func scope(_ text: String) throws(ScalarProblem) -> ExpectationScope {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { throw ScalarProblem(expected: expectation, found: text) }
    var scope = ExpectationScope(phase: String(parts[0]))
    guard parts.count == 2 else { return scope }
    let names = parts[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    scope.actor = String(names[0])
    guard names.count == 2 else { return scope }
    let operation = String(names[1])
    // The words of events are held against those of the phase.
    let isNoOperation = operation == "advance" || scope.actor == PhaseEvent.actorName
    // Written in the report's own form, so that `multiGet( 20)` finds its row.
    scope.operation = isNoOperation ? operation : try OperationScalar.parse(operation).description
    return scope
  }
}
