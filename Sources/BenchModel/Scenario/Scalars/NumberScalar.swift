/// A plain number without a unit, such as the `0.99` of `zipfian(0.99)`.
public enum NumberScalar {
  static let expectation = "a number without a unit such as 0.99"

  /// - Returns: a finite number, 0 or more.
  public static func parse(_ text: String) throws(ScalarProblem) -> Double {
    do throws(DecimalText.Failure) {
      return try DecimalText(text[...]).doubleValue
    } catch {
      let reasons: [DecimalText.Failure: String] = [.negative: "it cannot be negative", .tooLarge: "it is too large"]
      throw ScalarProblem(expected: expectation, found: text, because: reasons[error])
    }
  }
}
