/// A size, `64B..4KiB`, `lognormal(1KiB 0.6)`, or `histogram(FILE)`.
public enum SizeDistributionScalar {
  static let expectation = "a size such as 512B, a range such as 64B..4KiB, lognormal(1KiB 0.6), or histogram(FILE)"

  public static func parse(_ text: String) throws(ScalarProblem) -> SizeDistribution {
    try parse(text, NamedFiles(folder: nil))
  }

  static func parse(_ text: String, _ files: NamedFiles) throws(ScalarProblem) -> SizeDistribution {
    let call = try CallScalar(text)
    switch call.name {
    case "lognormal":
      try call.requireArguments(2, form: "lognormal(MEDIAN SIGMA) such as lognormal(1KiB 0.6)")
      let median = try SizeScalar.parse(call.arguments[0])
      let sigma = try NumberScalar.parse(call.arguments[1])
      guard sigma <= 5 else {
        throw ScalarProblem(expected: "a sigma of at most 5", found: call.arguments[1])
      }
      return .lognormal(medianBytes: median, sigma: sigma)
    case "histogram":
      try call.requireArguments(1, form: "histogram(FILE) such as histogram(sizes.csv)")
      let name = call.arguments[0]
      let csv = try files.text(name)
      do throws(ScalarProblem) { return .histogram(try SizeHistogram(csv: csv)) } catch {
        throw ScalarProblem("\(name): \(error.message)")
      }
    case _ where text.contains("("):
      let reason = Suggestion.reason(for: call.name, in: text, among: ["lognormal", "histogram"])
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    default:
      let (lower, upper) = try RangeScalar.ends(of: text) { (part) throws(ScalarProblem) in try SizeScalar.parse(part) }
      return lower == upper ? .fixed(bytes: lower) : .uniform(lowerBytes: lower, upperBytes: upper)
    }
  }
}
