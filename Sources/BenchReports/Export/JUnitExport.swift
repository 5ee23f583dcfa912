internal import BenchModel
internal import Foundation

/// JUnit's XML: a suite for each run, with a case for the run itself, each expectation and each invariant.
///
/// Broken is a failure. A run that the harness does not trust, that failed or was interrupted is an error. What was not
/// judged, such as anything in a smoke run that measures nothing, is skipped.
enum JUnitExport {
  private enum Outcome {
    case passed
    case failed(type: String, message: String, detail: String)
    case error(message: String, detail: String)
    case skipped(message: String)
  }

  private struct Case {
    var group: String
    var name: String
    var outcome: Outcome
  }

  static func text(of result: ScenarioResult) -> String {
    let suites = result.runs.map { (run: $0, cases: cases(of: $0)) }
    let all = suites.flatMap(\.cases)
    let seconds = suites.reduce(0) { $0 + $1.run.seconds }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append("<testsuites name=\"\(escaped(result.first.scenario))\" \(counts(all, seconds))>")
    for (run, cases) in suites {
      lines.append(
        "  <testsuite name=\"\(escaped(suiteName(run, in: result)))\" \(counts(cases, run.seconds)) "
          + "timestamp=\"\(escaped(run.startedAt.replacing("Z", with: "")))\">"
      )
      lines += properties(of: run)
      lines += cases.map { element($0, run) }
      lines.append("  </testsuite>")
    }
    return lines.joined(separator: "\n") + "\n</testsuites>\n"
  }

  private static func cases(of run: RunResult) -> [Case] {
    let expectations = run.expectations.map { Case(group: "expectations", name: $0.source, outcome: outcome($0, run)) }
    let invariants = run.invariants.map { Case(group: "invariants", name: $0.name, outcome: outcome($0)) }
    return [Case(group: "run", name: "is whole and can be trusted", outcome: outcome(run))] + expectations + invariants
  }

  private static func outcome(_ run: RunResult) -> Outcome {
    let judged: [ExitStatus] = [.allHeld, .expectationFailed, .invariantViolated]
    if judged.contains(where: { $0.rawValue == run.verdict.exitCode }) { return .passed }
    return .error(message: run.verdict.headline, detail: run.verdict.reasons.joined(separator: "; "))
  }

  private static func outcome(_ expectation: ExpectationResult, _ run: RunResult) -> Outcome {
    if run.isSmoke { return .skipped(message: "a smoke run measures nothing that could be expected") }
    switch run.state(of: expectation) {
    case "ok": return .passed
    case "open": return .skipped(message: "the run did not come to it")
    default:
      return .failed(
        type: "expectation",
        message: "measured \(expectation.measured)",
        detail: "expected \(expectation.source), measured \(expectation.measured)"
      )
    }
  }

  private static func outcome(_ invariant: InvariantResult) -> Outcome {
    if let first = invariant.violations.first {
      let detail = invariant.violations.joined(separator: "; ")
      return .failed(type: "invariant", message: first, detail: detail)
    }
    return invariant.checks > 0 ? .passed : .skipped(message: "it was never put to the test")
  }

  private static func suiteName(_ run: RunResult, in result: ScenarioResult) -> String {
    let place = result.place(of: run)
    return place.isEmpty ? run.scenario : "\(run.scenario), \(place)"
  }

  private static func properties(of run: RunResult) -> [String] {
    let environment = run.environment
    let pairs = [
      ("commit", environment.commit ?? "unknown"), ("seed", String(run.seed)), ("driver", run.driver),
      ("sqlite", environment.sqliteVersion), ("kernel", environment.kernel), ("verdict", run.verdict.headline),
    ]
    return ["    <properties>"]
      + pairs.map { "      <property name=\"\($0)\" value=\"\(escaped($1))\"/>" } + ["    </properties>"]
  }

  private static func element(_ testCase: Case, _ run: RunResult) -> String {
    let group = [run.scenario, run.variant, testCase.group].compactMap { $0 }.joined(separator: ".")
    let start = "    <testcase classname=\"\(escaped(group))\" name=\"\(escaped(testCase.name))\" time=\"0\""
    switch testCase.outcome {
    case .passed: return start + "/>"
    case .failed(let type, let message, let detail):
      return start
        + "><failure type=\"\(type)\" message=\"\(escaped(message))\">\(escaped(detail))</failure></testcase>"
    case .error(let message, let detail):
      return start + "><error type=\"run\" message=\"\(escaped(message))\">\(escaped(detail))</error></testcase>"
    case .skipped(let message): return start + "><skipped message=\"\(escaped(message))\"/></testcase>"
    }
  }

  private static func counts(_ cases: [Case], _ seconds: Double) -> String {
    func count(_ isOne: (Outcome) -> Bool) -> Int { cases.filter { isOne($0.outcome) }.count }
    let failures = count { if case .failed = $0 { true } else { false } }
    let errors = count { if case .error = $0 { true } else { false } }
    let skipped = count { if case .skipped = $0 { true } else { false } }
    let time = String(format: "%.3f", seconds)
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" "
      + "time=\"\(time)\""
  }

  private static func escaped(_ text: String) -> String {
    InertText.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

extension RunResult {
  /// Of all phases.
  fileprivate var seconds: Double { phases.reduce(0) { $0 + Double($1.durationNanoseconds) / 1e9 } }
}
