internal import BenchModel
internal import Foundation

/// JUnit's XML: a suite for each run, with a case for the run itself, each expectation and each invariant.
///
/// A failed expectation or a violated invariant is a failure. A run that is invalid, failed or was interrupted is an
/// error. Whatever was not judged, such as all expectations of a smoke run, is skipped.
enum JUnitExport {
  static func text(of result: ScenarioResult) -> String {
    JUnitDocument(
      name: result.first.scenario,
      suites: result.runs.map { run in
        JUnitDocument.Suite(
          name: suiteName(run, in: result),
          startedAt: run.startedAt,
          seconds: run.seconds,
          properties: properties(of: run),
          cases: cases(of: run)
        )
      }
    ).text
  }

  private static func cases(of run: RunResult) -> [JUnitDocument.Case] {
    func makeCase(_ group: String, _ name: String, _ outcome: JUnitDocument.Outcome) -> JUnitDocument.Case {
      let className = [run.scenario, run.variant, group].compactMap { $0 }.joined(separator: ".")
      return JUnitDocument.Case(className: className, name: name, outcome: outcome)
    }
    return [makeCase("run", "is whole and can be trusted", outcome(run))]
      + run.expectations.map { makeCase("expectations", $0.source, outcome($0, run)) }
      + run.invariants.map { makeCase("invariants", $0.name, outcome($0)) }
  }

  private static func outcome(_ run: RunResult) -> JUnitDocument.Outcome {
    let judged: [ExitStatus] = [.passed, .expectationFailed, .invariantViolated]
    if judged.contains(run.verdict.exitCode) { return .passed }
    return .error(type: "run", message: run.verdict.headline, detail: run.verdict.reasons.joined(separator: "; "))
  }

  private static func outcome(_ expectation: ExpectationResult, _ run: RunResult) -> JUnitDocument.Outcome {
    if run.isSmoke { return .skipped(message: "a smoke run does not evaluate expectations") }
    switch run.state(of: expectation) {
    case .passed: return .passed
    case .open: return .skipped(message: "the run ended before this phase")
    case .failed:
      return .failed(
        type: "expectation",
        message: "measured \(expectation.measured)",
        detail: "expected \(expectation.source), measured \(expectation.measured)"
      )
    }
  }

  private static func outcome(_ invariant: InvariantResult) -> JUnitDocument.Outcome {
    if let first = invariant.violations.first {
      let detail = invariant.violations.joined(separator: "; ")
      return .failed(type: "invariant", message: first, detail: detail)
    }
    return invariant.checks > 0 ? .passed : .skipped(message: "never checked")
  }

  private static func suiteName(_ run: RunResult, in result: ScenarioResult) -> String {
    let place = result.place(of: run)
    return place.isEmpty ? run.scenario : "\(run.scenario), \(place)"
  }

  private static func properties(of run: RunResult) -> [(name: String, value: String)] {
    let environment = run.environment
    return [
      ("commit", environment.commit ?? "unknown"), ("seed", String(run.seed)), ("driver", run.driver),
      ("sqlite", environment.sqliteVersion), ("kernel", environment.kernel), ("verdict", run.verdict.headline),
    ]
  }
}

extension RunResult {
  /// Of all phases.
  fileprivate var seconds: Double { phases.reduce(0) { $0 + Double($1.durationNanoseconds) / 1e9 } }
}
