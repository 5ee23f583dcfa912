/// `onNotification`, `every(16ms)`, `never`.
public enum SnapshotMoveScalar {
  static let words = ["onNotification", "every", "never", "behind", "after"]
  static let expectation = "one of onNotification, every(16ms), never"

  public static func parse(_ text: String) throws(ScalarProblem) -> SnapshotMove {
    let call = try CallScalar(text)
    switch call.name {
    case "onNotification":
      try call.requireArguments(0, form: "onNotification")
      return .onNotification
    case "never":
      try call.requireArguments(0, form: "never")
      return .never
    case "every":
      try call.requireArguments(1, form: "every(DURATION) such as every(16ms)")
      let nanoseconds = try DurationScalar.parse(call.arguments[0])
      guard nanoseconds > 0 else { throw ScalarProblem(expected: "more than 0", found: call.arguments[0]) }
      return .every(nanoseconds: nanoseconds)
    case "behind", "after":
      throw ScalarProblem("\(quoted(text)) is not supported yet")
    default:
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
  }
}
