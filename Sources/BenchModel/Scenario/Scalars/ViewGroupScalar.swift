/// `all`, `bucket(16)`.
enum ViewGroupScalar {
  static let words = ["all", "bucket"]
  static let expectation = "all, or bucket(16)"

  static func parse(_ text: String) throws(ScalarProblem) -> ViewGroup {
    let call = try CallScalar(text)
    switch call.name {
    case "all":
      try call.requireArguments(0, form: "all")
      return .all
    case "bucket":
      try call.requireArguments(1, form: "bucket(COUNT) such as bucket(16)")
      let count = try CountScalar.parse(call.arguments[0])
      guard count >= 1, count <= 1_000_000 else {
        throw ScalarProblem(expected: "from 1 to 1000000 groups", found: call.arguments[0])
      }
      return .bucket(count)
    default:
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
  }
}
