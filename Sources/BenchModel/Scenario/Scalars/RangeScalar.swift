/// `1..8`, inclusive; one count alone stands for a range of that one.
public enum RangeScalar {
  static let expectation = "a range such as 1..8, or one count"

  public static func parse(_ text: String) throws(ScalarProblem) -> ClosedRange<Int> {
    let (lower, upper) = try ends(of: text) { (part) throws(ScalarProblem) in try CountScalar.parse(part) }
    return lower...upper
  }

  /// Reads both ends by one rule, and refuses a range that runs backwards.
  static func ends(
    of text: String,
    by parse: (String) throws(ScalarProblem) -> Int
  ) throws(ScalarProblem) -> (lower: Int, upper: Int) {
    guard let dots = text.firstRange(of: "..") else {
      let value = try parse(text)
      return (value, value)
    }
    let lower = try parse(String(text[..<dots.lowerBound]))
    let upper = try parse(String(text[dots.upperBound...]))
    guard lower <= upper else {
      throw ScalarProblem(expected: "a range whose first end is the smaller", found: text)
    }
    return (lower, upper)
  }
}
