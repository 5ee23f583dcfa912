/// The exit codes of the program.
public enum ExitStatus: Int32, Codable, Sendable, CaseIterable {
  case allHeld = 0
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

  /// The order in which they win if several apply: wrong data outranks everything.
  public static let gravestFirst: [ExitStatus] = [
    .invariantViolated, .interrupted, .internalError, .measurementInvalid, .expectationFailed, .regressed,
    .incomparable, .inconclusive,
  ]

  /// What it means, for people: the help, the reports and the project's pages say it in these words.
  public var meaning: String {
    switch self {
    case .allHeld: "all that was asked for held"
    case .internalError: "internal error, or the engine failed"
    case .regressed: "a comparison found a regression, and fresh pairs confirmed it"
    case .incomparable: "a comparison is incomplete, or its sides are not comparable"
    case .inconclusive: "with --strict, a comparison is inconclusive in some figure"
    case .usage: "wrong usage, or a build that must not measure"
    case .invalidScenario: "a scenario or database is invalid, or a run.json cannot be used"
    case .missingInput: "an input file is missing, is not a regular file, or cannot be read"
    case .systemLimit: "the limit of open files (ulimit -n) is too low; nothing was started"
    case .cannotCreateOutput: "an output folder is missing, or cannot be written to"
    case .expectationFailed: "an expectation of the scenario did not hold"
    case .invariantViolated: "an invariant was violated: wrong data"
    case .measurementInvalid: "not to be trusted: generator saturated, machine too busy, clock stepped"
    case .interrupted: "interrupted; what was measured until then is in the report"
    }
  }

  /// Every code with its meaning, a line each, and what is told where several apply.
  public static var list: [String] {
    let codes = allCases.map { status in
      let code = String(status.rawValue)
      return code + String(repeating: " ", count: 5 - code.count) + status.meaning
    }
    let order = gravestFirst.map { String($0.rawValue) }.joined(separator: ", ")
    return codes + ["If several apply, the first of these: \(order)."]
  }
}
