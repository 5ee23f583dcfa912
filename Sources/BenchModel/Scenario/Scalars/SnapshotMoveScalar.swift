/// `onNotification`, `every(16ms)`, `behind(1)`, `after(10s)`, `never`.
public enum SnapshotMoveScalar {
  static let words = ["onNotification", "every", "never", "behind", "after"]
  static let expectation = "one of onNotification, every(16ms), behind(1), after(10s), never"

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
    case "after":
      try call.requireArguments(1, form: "after(DURATION) such as after(10s)")
      return .after(nanoseconds: try DurationScalar.parse(call.arguments[0]))
    case "behind":
      try call.requireArguments(1, form: "behind(COMMITS) such as behind(1)")
      let commits = try CountScalar.parse(call.arguments[0])
      guard commits >= 1, commits < ConnectionSettings.largestPool else {
        throw ScalarProblem(
          expected: "from 1 to \(ConnectionSettings.largestPool - 1) commits",
          found: call.arguments[0]
        )
      }
      return .behind(commits: commits)
    default:
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
  }
}
