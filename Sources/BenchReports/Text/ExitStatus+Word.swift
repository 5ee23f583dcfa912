package import BenchResults

extension ExitStatus {
  /// The tone of a report's verdict.
  var tone: ReportSection.Tone {
    switch self {
    case .passed: .good
    case .expectationFailed, .invariantViolated, .regressed, .internalError: .bad
    case .measurementInvalid, .interrupted, .incomparable, .inconclusive, .usage, .invalidScenario, .missingInput,
      .systemLimit, .cannotCreateOutput:
      .doubtful
    }
  }

  /// The verdict in capitals. Comparisons and nights without a failure have words of their own.
  package var word: String {
    switch self {
    case .passed: "PASSED"
    case .expectationFailed: "FAILED"
    case .invariantViolated: "WRONG DATA"
    case .measurementInvalid: "INVALID"
    case .interrupted: "INTERRUPTED"
    case .regressed: "REGRESSED"
    case .incomparable: "INCOMPLETE"
    case .inconclusive: "INCONCLUSIVE"
    case .internalError, .usage, .invalidScenario, .missingInput, .systemLimit, .cannotCreateOutput: "ERROR"
    }
  }
}
