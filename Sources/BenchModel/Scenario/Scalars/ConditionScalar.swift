/// `METRIC OP VALUE` for a sampled metric, such as `wal.backlogFrames == 0`.
public enum ConditionScalar {
  static let expectation = "a condition: METRIC OP VALUE, such as \"wal.backlogFrames == 0\""

  public static func parse(_ text: String) throws(ScalarProblem) -> PhaseCondition {
    if text.hasPrefix("steady(") { throw ScalarProblem("\(quoted(text)) is not supported yet") }
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
      comparison: try MetricScalar.comparison(words[1]),
      value: try MetricScalar.value(words[2], of: metric)
    )
  }
}
