/// `20%`: more than nothing, at most all.
public enum ShareScalar {
  static let expectation = "a share such as 20%, above 0% and at most 100%"

  /// - Returns: a fraction in 0 < x ≤ 1.
  public static func parse(_ text: String) throws(ScalarProblem) -> Double {
    guard text.hasSuffix("%") else {
      throw ScalarProblem(expected: expectation, found: text, because: "a share ends in %")
    }
    let percent: Double
    do throws(DecimalText.Failure) {
      percent = try DecimalText(text.dropLast()).doubleValue
    } catch {
      throw ScalarProblem(expected: expectation, found: text)
    }
    guard percent > 0, percent <= 100 else { throw ScalarProblem(expected: expectation, found: text) }
    return percent / 100
  }
}
