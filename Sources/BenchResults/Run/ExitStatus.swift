/// The exit codes of the program.
public enum ExitStatus: Int32, Codable, Sendable, CaseIterable {
  case passed = 0
  case internalError = 1
  case regressed = 2
  case incomparable = 3
  case inconclusive = 4
  case usage = 64
  case invalidScenario = 65
  case missingInput = 66
  case systemLimit = 71
  case cannotCreateOutput = 73
  case expectationFailed = 99
  case invariantViolated = 111
  case measurementInvalid = 113
  case interrupted = 130

  /// The statuses of which several can apply, in the order of precedence: wrong data outranks everything.
  public static let mostSevereFirst: [ExitStatus] = [
    .invariantViolated, .interrupted, .internalError, .measurementInvalid, .expectationFailed, .regressed,
    .incomparable, .inconclusive,
  ]

  /// The meaning in the words of the help, the reports and the project's pages.
  public var meaning: String {
    switch self {
    case .passed: "everything that was requested passed"
    case .internalError: "internal error, or the engine failed"
    case .regressed: "a comparison found a regression"
    case .incomparable: "a comparison or a merge is incomplete, or its sides are not comparable"
    case .inconclusive: "with --strict: a figure of a comparison is inconclusive or suspect"
    case .usage: "wrong usage, or a build that is unfit for measurements"
    case .invalidScenario: "a scenario or database is invalid, or a run.json cannot be used"
    case .missingInput: "an input file is missing, is not a regular file, or cannot be read"
    case .systemLimit: "the limit of open files (ulimit -n) is too low; nothing was started"
    case .cannotCreateOutput: "an output folder is missing or cannot be written to"
    case .expectationFailed: "an expectation of the scenario failed"
    case .invariantViolated: "an invariant was violated: wrong data"
    case .measurementInvalid: "invalid: generator saturated, machine busy, or too little tested"
    case .interrupted: "interrupted; the report covers the time until then"
    }
  }

  /// A line for each code with its meaning, and a line that states which code is returned if several apply.
  public static var list: [String] {
    let codes = allCases.map { status in
      let code = String(status.rawValue)
      return code + String(repeating: " ", count: 5 - code.count) + status.meaning
    }
    let order = mostSevereFirst.map { String($0.rawValue) }.joined(separator: ", ")
    return codes + ["If several apply, the most severe is returned: \(order)."]
  }
}
