internal import BenchResults

/// The results of a night for other programs.
enum NightExport {
  // MARK: JUnit

  /// Returns a suite for each deciding part but the history. Regressed figures, failed scenarios and open alarms fail;
  /// figures without a comparison, runs with errors, and a comparison without a result for times are errors;
  /// inconclusive and suspect figures are skipped.
  static func junit(of report: NightReport) -> String {
    let summary = report.summary
    let suites = NightSummary.Part.allCases.compactMap { part -> JUnitDocument.Suite? in
      let steps = summary.steps.filter { $0.part == part }
      guard !steps.isEmpty, part.decides, part != .history else { return nil }
      let cases = report.outcomes[part].map { Self.cases(of: $0, part) } ?? steps.map(makeCase)
      return JUnitDocument.Suite(
        name: part.rawValue,
        startedAt: summary.startedAt,
        seconds: steps.reduce(0) { $0 + $1.seconds },
        properties: [("commit", summary.commit ?? "unknown"), ("sha256", summary.sha256)],
        cases: cases
      )
    }
    return JUnitDocument(name: "yapbench nightly", suites: suites).text
  }

  private static func makeCase(_ step: NightSummary.Step) -> JUnitDocument.Case {
    let outcome: JUnitDocument.Outcome
    switch step.exitCode {
    case .passed: outcome = .passed
    case .expectationFailed, .invariantViolated, .regressed:
      outcome = .failed(type: "exit \(step.exitCode?.rawValue ?? 0)", message: step.headline, detail: step.headline)
    case nil where step.isSkipped: outcome = .skipped(message: step.headline)
    case nil:
      let reason = "the night has not ended this step"
      outcome = .error(type: "unfinished", message: reason, detail: reason)
    default:
      outcome = .error(type: "exit \(step.exitCode?.rawValue ?? 0)", message: step.headline, detail: step.headline)
    }
    let name = step.scenario.isEmpty ? step.part.rawValue : step.scenario
    return JUnitDocument.Case(className: step.part.rawValue, name: name, seconds: step.seconds, outcome: outcome)
  }

  private static func cases(of outcome: ComparisonOutcome, _ part: NightSummary.Part) -> [JUnitDocument.Case] {
    let figures = outcome.figures.filter(\.decides).sorted { $0.name < $1.name }.map { figure in
      makeCase(part, figure.name, verdict: Self.outcome(of: figure))
    }
    // A comparison passes without times if instructions have a verdict.
    let isComplete = outcome.exitCode == .passed
    let missing = outcome.notCompared.filter { $0.role == .primary || $0.role == .count }.map { figure in
      let reason = figure.reason
      return makeCase(
        part,
        figure.name,
        verdict: isComplete
          ? .skipped(message: reason) : .error(type: "not compared", message: reason, detail: reason)
      )
    }
    let failures = outcome.failures.enumerated().map { index, reason in
      JUnitDocument.Case(
        className: part.rawValue,
        name: "run that failed \(index + 1)",
        outcome: .error(type: "run", message: reason, detail: reason)
      )
    }
    let headline = ComparisonHeadline(result: outcome)
    let unknown =
      headline.lacksTimes && !isComplete
      ? [
        JUnitDocument.Case(
          className: part.rawValue,
          name: "times",
          outcome: .error(type: "no result", message: headline.title, detail: headline.text)
        )
      ] : []
    return unknown + figures + missing + failures
  }

  private static func makeCase(
    _ part: NightSummary.Part,
    _ name: FigureName,
    verdict: JUnitDocument.Outcome
  ) -> JUnitDocument.Case {
    JUnitDocument.Case(className: "\(part.rawValue).\(name.workload)", name: name.metric, outcome: verdict)
  }

  private static func outcome(of figure: FigureResult) -> JUnitDocument.Outcome {
    let change = figure.changeAndIntervalText
    switch figure.verdict {
    case .regressed: return .failed(type: "REGRESSED", message: change, detail: change)
    case .inconclusive, .suspect:
      return .skipped(message: "\(figure.verdict.rawValue.uppercased()): \(change)")
    case .improved, .changedSmall, .unchanged: return .passed
    }
  }

  // MARK: github-action-benchmark

  /// Returns the deciding figures of the comparison with the pinned build; without it, with the last night's build. The
  /// shares of the suite are always there, because the action fails with a file without figures.
  static func gitHubActionBenchmark(of report: NightReport) throws -> [ExportFormat.File] {
    let outcome = report.outcomes[.pinned] ?? report.outcomes[.last]
    let figures = (outcome?.figures ?? []).filter(\.decides).sorted { $0.name < $1.name }
    func entries(_ better: BetterValues) -> [GitHubActionBenchmarkExport.Entry] {
      figures.filter { $0.better == better }.map { figure in
        let width = figure.interval95Percent.map { ($0.high - $0.low) / 2 }
        return GitHubActionBenchmarkExport.Entry(
          name: "\(figure.name.workload) - \(figure.name.metric)",
          unit: Self.unit(figure.unit),
          value: figure.head,
          range: width.map { "± \(Quantity.threeDigits($0)) %" },
          extra: "n=\(figure.pairs) pairs\n\(figure.changeAndIntervalText)\ncommit "
            + InertText.line(report.summary.commit ?? "unknown")
        )
      }
    }
    // Shares, because a night may have no time for some scenarios.
    let codes = report.summary.steps.filter { $0.part == .suite }.compactMap(\.exitCode)
    let passed = codes.isEmpty ? 0 : 100 * Double(codes.count { $0 == .passed }) / Double(codes.count)
    func suite(_ name: String, _ percent: Double) -> GitHubActionBenchmarkExport.Entry {
      GitHubActionBenchmarkExport.Entry(name: "suite - \(name)", unit: "% of the scenarios that ran", value: percent)
    }
    return try GitHubActionBenchmarkExport.files(
      smaller: entries(.lower) + [suite("not passed", codes.isEmpty ? 0 : 100 - passed)],
      bigger: entries(.higher) + [suite("passed", passed)]
    )
  }

  private static func unit(_ unit: FigureUnit) -> String {
    switch unit {
    case .nanoseconds: "ns"
    case .perSecond: "ops/s"
    case .bytes: "bytes"
    default: "per operation"
    }
  }
}
