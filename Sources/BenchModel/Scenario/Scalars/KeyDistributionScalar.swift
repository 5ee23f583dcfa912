/// `sequential`, `uniform`, `zipfian(0.99)`, `scrambledZipfian`, `latest`, `hotspot(20% 80%)`,
/// `exponential(95% 85.7%)`.
public enum KeyDistributionScalar {
  static let words = ["sequential", "uniform", "zipfian", "hotspot", "exponential", "scrambledZipfian", "latest"]
  static let expectation =
    "a key distribution such as sequential, uniform, zipfian(0.99), scrambledZipfian, latest, hotspot(20% 80%) or "
    + "exponential(95% 85.7%)"

  public static func parse(_ text: String) throws(ScalarProblem) -> KeyDistribution {
    let call = try CallScalar(text)
    switch call.name {
    case "sequential":
      try call.requireArguments(0, form: "sequential")
      return .sequential
    case "uniform":
      try call.requireArguments(0, form: "uniform")
      return .uniform
    case "zipfian":
      try call.requireArguments(1, form: "zipfian(THETA) such as zipfian(0.99)")
      let theta = try NumberScalar.parse(call.arguments[0])
      guard theta > 0, theta <= 10 else {
        throw ScalarProblem(expected: "a theta above 0 and at most 10", found: call.arguments[0])
      }
      return .zipfian(theta: theta)
    case "hotspot":
      try call.requireArguments(2, form: "hotspot(DATA OPERATIONS) such as hotspot(20% 80%)")
      return .hotspot(
        dataShare: try ShareScalar.parse(call.arguments[0]),
        operationShare: try ShareScalar.parse(call.arguments[1])
      )
    case "exponential":
      try call.requireArguments(2, form: "exponential(PERCENTILE FRACTION) such as exponential(95% 85.7%)")
      return .exponential(
        percentile: try percentile(call.arguments[0]),
        fraction: try ShareScalar.parse(call.arguments[1])
      )
    case "scrambledZipfian":
      try call.requireArguments(0, form: "scrambledZipfian")
      return .scrambledZipfian
    case "latest":
      try call.requireArguments(0, form: "latest")
      return .latest
    default:
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
  }

  /// 100% of an exponential law's draws have no bound, so only less than that can be asked for.
  private static func percentile(_ text: String) throws(ScalarProblem) -> Double {
    let share = try ShareScalar.parse(text)
    guard share < 1 else { throw ScalarProblem(expected: "a percentile below 100%", found: text) }
    return share
  }
}
