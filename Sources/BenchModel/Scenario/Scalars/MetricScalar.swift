/// `stall/import`, `wal.bytes.max`, `< 512MiB`: the parts of which expectations and conditions are made.
enum MetricScalar {
  /// Reads a metric with its aggregate.
  static func parse(_ text: String) throws(ScalarProblem) -> (metric: Metric, aggregate: Aggregate?) {
    if text == "pin.connection" {
      throw ScalarProblem(
        "\(quoted(text)) is a name, which cannot be compared; it stands in pins.csv, and pin.bytes tells how much it "
          + "holds"
      )
    }
    guard let metric = Metric.allCases.first(where: { text == $0.rawValue || text.hasPrefix($0.rawValue + ".") }) else {
      throw unknown(text)
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

  /// Reads a value in the metric's own unit.
  static func value(_ text: String, of metric: Metric) throws(ScalarProblem) -> Double {
    switch metric.unit {
    case .nanoseconds: return Double(try DurationScalar.parse(text))
    case .bytes: return Double(try SizeScalar.parse(text))
    case .perSecond: return try RateScalar.parse(text)
    case .number: return try NumberScalar.parse(text)
    case .count:
      // A mean of counts need not be whole, so a plain number will do too.
      if let number = try? NumberScalar.parse(text) { return number }
      return Double(try CountScalar.parse(text))
    }
  }

  static func comparison(_ text: String) throws(ScalarProblem) -> Comparison {
    guard let comparison = Comparison(rawValue: text) else {
      throw ScalarProblem(expected: "one of " + Comparison.allCases.map(\.rawValue).joined(separator: " "), found: text)
    }
    return comparison
  }

  private static func unknown(_ text: String) -> ScalarProblem {
    let names = Metric.allCases.map(\.rawValue)
    // An aggregate at the end must not make a misspelt metric look farther away than it is.
    let withoutAggregate = text.lastIndex(of: ".").map { String(text[..<$0]) } ?? text
    let near = Suggestion.nearest(to: text, among: names) ?? Suggestion.nearest(to: withoutAggregate, among: names)
    let remedy = near.map { "did you mean \(quoted($0))?" } ?? "expected one of " + names.joined(separator: ", ")
    return ScalarProblem("there is no metric \(quoted(text)); \(remedy)")
  }
}
