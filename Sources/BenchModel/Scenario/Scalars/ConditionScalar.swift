/// `METRIC OP VALUE` for a sampled metric, such as `wal.backlogFrames == 0`, or `steady(METRIC SHARE DURATION)`.
public enum ConditionScalar {
  static let expectation =
    "a condition: METRIC OP VALUE, such as \"wal.backlogFrames == 0\", or steady(throughput 1% 10s)"

  public static func parse(_ text: String) throws(ScalarProblem) -> PhaseCondition {
    if text.hasPrefix("steady(") { return try steady(text) }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3 else { throw ScalarProblem(expected: expectation, found: text) }
    let (metric, aggregate) = try MetricScalar.parse(words[0])
    guard metric.isSampled else {
      let sampled = Metric.allCases.filter(\.isSampled).map(\.rawValue).joined(separator: ", ")
      throw ScalarProblem("a condition cannot watch \(quoted(metric.rawValue)); expected one of \(sampled)")
    }
    guard aggregate == nil else {
      throw ScalarProblem("a condition compares each sample and takes no aggregate; write \(metric.rawValue)")
    }
    return PhaseCondition(
      source: text,
      metric: metric,
      rule: .compares(try MetricScalar.comparison(words[1]), try MetricScalar.value(words[2], of: metric))
    )
  }

  private static func steady(_ text: String) throws(ScalarProblem) -> PhaseCondition {
    let call = try CallScalar(text)
    try call.requireArguments(3, form: "steady(METRIC SHARE DURATION) such as steady(throughput 1% 10s)")
    let (metric, aggregate) = try MetricScalar.parse(call.arguments[0])
    guard metric.isSampled || metric == .throughput, aggregate == nil else {
      let words = ["throughput"] + Metric.allCases.filter(\.isSampled).map(\.rawValue)
      throw ScalarProblem(
        "a condition cannot watch \(quoted(call.arguments[0])); expected one of " + words.joined(separator: ", ")
      )
    }
    let tolerance = try ShareScalar.parse(call.arguments[1])
    let window = try DurationScalar.parse(call.arguments[2])
    guard window > 0 else { throw ScalarProblem(expected: "more than 0", found: call.arguments[2]) }
    return PhaseCondition(
      source: text,
      metric: metric,
      rule: .steady(tolerance: tolerance, windowNanoseconds: window)
    )
  }
}
