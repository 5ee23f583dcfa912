internal import BenchResults
internal import Foundation

/// JUnit's XML: a suite for each run, with a case for the run itself, each expectation and each invariant.
///
/// A failed expectation or a violated invariant is a failure. A run that is invalid, was interrupted or did not
/// complete is an error. A case without a result, such as an expectation of a smoke run or an invalid run, is skipped.
///
/// Readers identify a case by its class and name, so the class has the variant and the repetition.
enum JUnitExport {
  static func text(of result: ScenarioResult) -> String {
    JUnitDocument(
      name: result.first.scenario,
      suites: result.runs.map { run in
        JUnitDocument.Suite(
          name: suiteName(run, in: result),
          startedAt: run.startedAt,
          seconds: run.phaseSeconds,
          properties: properties(of: run),
          cases: cases(of: run, in: result)
        )
      } + comparisons(in: result)
    ).text
  }

  /// The suite of the expectations that compare variants; empty if there are none.
  private static func comparisons(in result: ScenarioResult) -> [JUnitDocument.Suite] {
    guard !result.variantExpectations.isEmpty else { return [] }
    let cases = result.variantExpectations.map { expectation in
      JUnitDocument.Case(
        className: "\(result.first.scenario).comparisons",
        name: "\(expectation.source) (\(expectation.variant) to \(expectation.otherVariant))",
        outcome: outcome(expectation)
      )
    }
    return [
      JUnitDocument.Suite(
        name: "\(result.first.scenario), comparisons of variants",
        startedAt: result.first.startedAt,
        cases: cases
      )
    ]
  }

  private static func outcome(_ expectation: VariantExpectationResult) -> JUnitDocument.Outcome {
    switch expectation.outcome {
    case .passed: return .passed
    case .undecided, .open: return .skipped(message: expectation.reason)
    case .failed:
      let found = "ratio \(expectation.ratioText)"
      return .failed(type: "expectation", message: found, detail: "expected \(expectation.source), found \(found)")
    }
  }

  private static func cases(of run: RunResult, in result: ScenarioResult) -> [JUnitDocument.Case] {
    func makeCase(
      _ group: String,
      name: String,
      seconds: Double,
      outcome: JUnitDocument.Outcome
    ) -> JUnitDocument.Case {
      let repetition = result.isRepeated(run) ? "repetition \(run.repetition)" : nil
      let className = [run.scenario, run.variant, repetition, group].compactMap { $0 }.joined(separator: ".")
      return JUnitDocument.Case(className: className, name: name, seconds: seconds, outcome: outcome)
    }
    return [makeCase("run", name: "complete and valid", seconds: run.phaseSeconds, outcome: outcome(run, in: result))]
      + run.expectations.map { expectation in
        let seconds = Double(run.phase(named: expectation.phase)?.durationNanoseconds ?? 0) / 1e9
        return makeCase("expectations", name: expectation.source, seconds: seconds, outcome: outcome(expectation, run))
      }
      + run.invariants.map { makeCase("invariants", name: $0.name, seconds: run.phaseSeconds, outcome: outcome($0)) }
  }

  private static func outcome(_ run: RunResult, in result: ScenarioResult) -> JUnitDocument.Outcome {
    if run.isInvalid, result.hasEnoughValidRuns { return .skipped(message: "invalid, and left out of the figures") }
    let judged: [ExitStatus] = [.passed, .expectationFailed, .invariantViolated]
    if judged.contains(run.verdict.exitCode) { return .passed }
    return .error(type: "run", message: run.verdict.headline, detail: run.verdict.reasons.joined(separator: "; "))
  }

  private static func outcome(_ expectation: ExpectationResult, _ run: RunResult) -> JUnitDocument.Outcome {
    if run.isSmoke { return .skipped(message: "a smoke run does not evaluate expectations") }
    if run.isInvalid { return .skipped(message: "invalid: \(run.verdict.headline)") }
    switch run.state(of: expectation) {
    case .passed: return .passed
    case .open: return .skipped(message: "the run ended before this was measured")
    case .undecided:
      let doubt = expectation.doubt ?? expectation.measured
      return .skipped(message: "\(doubt) without waits that others may have caused, so this cannot be judged")
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
    let position = result.label(of: run)
    return position.isEmpty ? run.scenario : "\(run.scenario), \(position)"
  }

  private static func properties(of run: RunResult) -> [(name: String, value: String)] {
    let environment = run.environment
    return [
      ("commit", environment.commit ?? "unknown"), ("seed", String(run.seed)), ("driver", run.driver),
      ("sqlite", environment.sqliteVersion), ("kernel", environment.kernel), ("verdict", run.verdict.headline),
    ]
  }
}

/// A document in JUnit's XML, in the form that continuous integration services read. It is valid by the schema of
/// Jenkins' xUnit plugin, and no two cases have the same class and name.
struct JUnitDocument {
  enum Outcome {
    case passed
    case failed(type: String, message: String, detail: String)
    case error(type: String, message: String, detail: String)
    case skipped(message: String)
  }

  struct Case {
    var className: String
    var name: String
    var seconds = 0.0
    var outcome: Outcome
  }

  struct Suite {
    var name: String
    /// ISO 8601, UTC.
    var startedAt: String
    var seconds = 0.0
    var properties: [(name: String, value: String)] = []
    var cases: [Case]
  }

  var name: String
  var suites: [Suite]

  var text: String {
    let suites = Self.withUniqueCases(suites)
    let seconds = suites.reduce(0) { $0 + $1.seconds }
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
    lines.append(
      "<testsuites name=\"\(Self.escaped(name))\" \(Self.counts(suites.flatMap(\.cases))) "
        + "time=\"\(Self.text(seconds: seconds))\">"
    )
    for suite in suites {
      lines.append(
        "  <testsuite name=\"\(Self.escaped(suite.name))\" \(Self.counts(suite.cases)) "
          + "skipped=\"\(Self.skipped(suite.cases))\" time=\"\(Self.text(seconds: suite.seconds))\" "
          + "timestamp=\"\(Self.escaped(suite.startedAt.replacing("Z", with: "")))\">"
      )
      lines.append("    <properties>")
      lines += suite.properties.map { "      <property name=\"\($0.name)\" value=\"\(Self.escaped($0.value))\"/>" }
      lines.append("    </properties>")
      lines += suite.cases.map(Self.element)
      lines.append("  </testsuite>")
    }
    return lines.joined(separator: "\n") + "\n</testsuites>\n"
  }

  private static func element(_ testCase: Case) -> String {
    let start =
      "    <testcase classname=\"\(escaped(testCase.className))\" name=\"\(escaped(testCase.name))\" "
      + "time=\"\(text(seconds: testCase.seconds))\""
    func problem(_ element: String, type: String, message: String, detail: String) -> String {
      start + "><\(element) type=\"\(type)\" message=\"\(escaped(message))\">\(escaped(detail))</\(element)></testcase>"
    }
    switch testCase.outcome {
    case .passed: return start + "/>"
    case .failed(let type, let message, let detail):
      return problem("failure", type: type, message: message, detail: detail)
    case .error(let type, let message, let detail):
      return problem("error", type: type, message: message, detail: detail)
    case .skipped(let message): return start + "><skipped message=\"\(escaped(message))\"/></testcase>"
    }
  }

  private static func counts(_ cases: [Case]) -> String {
    let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    let errors = cases.count { if case .error = $0.outcome { true } else { false } }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
  }

  /// The number of skipped cases, which a suite has as an attribute. The root of the document has none.
  private static func skipped(_ cases: [Case]) -> Int {
    cases.count { if case .skipped = $0.outcome { true } else { false } }
  }

  /// Adds a number to the name of each case with the class and name of an earlier one.
  private static func withUniqueCases(_ suites: [Suite]) -> [Suite] {
    var known: Set<[String]> = []
    var suites = suites
    for suite in suites.indices {
      for index in suites[suite].cases.indices {
        let className = suites[suite].cases[index].className
        let name = suites[suite].cases[index].name
        var number = 1
        while !known.insert([className, suites[suite].cases[index].name].map(escaped)).inserted {
          number += 1
          suites[suite].cases[index].name = "\(name) (\(number))"
        }
      }
    }
    return suites
  }

  private static func text(seconds: Double) -> String { String(format: "%.3f", seconds) }

  private static func escaped(_ text: String) -> String {
    InertText.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
