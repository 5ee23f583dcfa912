/// `200/s`, `5/ms`, `30/min`; the number may have a fraction and the suffixes of a count.
public enum RateScalar {
  static let expectation = "a rate such as 200/s, 5/ms or 30/min"
  private static let perSecond: KeyValuePairs<String, Double> = ["s": 1, "ms": 1_000, "min": 1.0 / 60]
  private static let suffixes: KeyValuePairs<String, Double> = ["": 1, "k": 1_000, "M": 1_000_000]

  /// - Returns: how many a second; finite, 0 or more.
  public static func parse(_ text: String) throws(ScalarProblem) -> Double {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let (number, suffix) = DecimalText.split(String(parts[0]))
    let decimal: DecimalText
    do throws(DecimalText.Failure) {
      decimal = try DecimalText(number)
    } catch {
      let reasons: [DecimalText.Failure: String] = [.negative: "it cannot be negative", .tooLarge: "it is too large"]
      throw ScalarProblem(expected: expectation, found: text, because: reasons[error])
    }
    guard let multiplier = suffixes.first(where: { $0.key == suffix })?.value else {
      throw ScalarProblem(expected: expectation, found: text)
    }
    guard parts.count == 2 else {
      let units = perSecond.map { "\(parts[0])/\($0.key)" }.joined(separator: ", ")
      throw ScalarProblem(
        expected: expectation,
        found: text,
        because: "a bare number has no unit: write one of \(units)"
      )
    }
    guard let factor = perSecond.first(where: { $0.key == parts[1] })?.value else {
      let unit = String(parts[1])
      let clause = Suggestion.clause(for: unit, among: perSecond.map(\.key))
      throw ScalarProblem(
        expected: expectation,
        found: text,
        because: "the unit \(quoted("/" + unit)) is unknown\(clause)"
      )
    }
    // Multiplied before it is divided, so that 30/min is exactly one half.
    return parts[1] == "min" ? decimal.doubleValue * multiplier / 60 : decimal.doubleValue * multiplier * factor
  }
}
