/// `checkpoint(truncate)`, `vacuum`, `stall(scroll 20s)`: what an event does.
public enum EventScalar {
  static let words = ["checkpoint", "flushMemory", "vacuum", "advance", "stall", "register", "reopen", "kill"]
  static let expectation = "an event such as checkpoint(truncate), vacuum, advance(ACTOR) or stall(ACTOR 20s)"

  public static func parse(_ text: String) throws(ScalarProblem) -> PhaseEvent.Action {
    let call = try CallScalar(text)
    switch call.name {
    case "checkpoint":
      try call.requireArguments(1, form: "checkpoint(MODE) such as checkpoint(truncate)")
      return .checkpoint(try CheckpointModeSetting.parse(call.arguments[0]))
    case "flushMemory":
      try call.requireArguments(0, form: "flushMemory")
      return .flushMemory
    case "vacuum":
      try call.requireArguments(0, form: "vacuum")
      return .vacuum
    case "advance":
      try call.requireArguments(1, form: "advance(ACTOR) such as advance(scroll)")
      return .advance(actor: try NameScalar.parse(call.arguments[0]))
    case "stall":
      try call.requireArguments(2, form: "stall(ACTOR DURATION) such as stall(scroll 20s)")
      let nanoseconds = try DurationScalar.parse(call.arguments[1])
      guard nanoseconds > 0 else { throw ScalarProblem(expected: "more than 0", found: call.arguments[1]) }
      return .stall(actor: try NameScalar.parse(call.arguments[0]), nanoseconds: nanoseconds)
    case "register":
      try call.requireArguments(1, form: "register(VIEW) such as register(newest)")
      return .register(view: try NameScalar.parse(call.arguments[0]))
    case "reopen":
      try call.requireArguments(0, form: "reopen")
      return .reopen
    case "kill":
      try call.requireArguments(0, form: "kill")
      return .kill
    default:
      let reason = Suggestion.reason(for: call.name, in: text, among: words)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
  }
}
