internal import BenchResults

/// The verdict on all runs of a scenario: the most severe of the runs' verdicts, with variant and repetition.
struct ScenarioVerdict {
  /// Its own verdict is not read.
  let scenario: ScenarioResult
  let wasInterrupted: Bool
  /// The reason why a further run has no result; nil if no run failed in this way.
  let failure: String?
  /// Whether an undecided comparison of variants counts as failed.
  let isStrict: Bool

  var result: VerdictResult {
    if scenario.isSingle, scenario.merge?.problems.isEmpty != false { return scenario.first.verdict }
    let applying = ExitStatus.mostSevereFirst.filter { !runs($0).isEmpty || !own($0).isEmpty }
    guard let mostSevere = applying.first else {
      return VerdictResult(exitCode: .passed, headline: success, reasons: [])
    }
    let headlines = merged(runs(mostSevere).map { ($0, [$0.verdict.headline]) }) + own(mostSevere)
    let more = headlines.count > 1 ? " (and \(headlines.count - 1) more)" : ""
    return VerdictResult(
      exitCode: mostSevere,
      headline: headlines[0] + more,
      reasons: applying.flatMap { status in
        merged(runs(status).map { ($0, $0.verdict.reasons) }, keepsEach: status == .invariantViolated) + own(status)
      }
    )
  }

  /// The runs with this verdict. Invalid runs do not count if there are enough valid ones.
  private func runs(_ status: ExitStatus) -> [RunResult] {
    if status == .measurementInvalid, scenario.hasEnoughValidRuns { return [] }
    return scenario.runs.filter { $0.verdict.exitCode == status }
  }

  /// The reasons that concern several runs together.
  private func own(_ status: ExitStatus) -> [String] {
    switch status {
    case .interrupted where wasInterrupted && runs(.interrupted).isEmpty:
      [
        scenario.runs.count < scenario.plannedRunCount
          ? "interrupted after run \(scenario.runs.count) of \(scenario.plannedRunCount)"
          : "interrupted before all invalid runs were retried"
      ]
    case .internalError: failure.map { [$0] } ?? []
    case .expectationFailed:
      scenario.variantExpectations.filter { $0.outcome == .failed || isStrict && $0.outcome == .undecided }
        .map { "expected \($0.source), found \($0.foundText)" }
    case .incomparable: scenario.merge?.problems ?? []
    default: []
    }
  }

  /// The most runs that are named before a text; more are counted.
  private static let mostNamed = 3

  /// Returns the texts of runs, each with its run. Texts that differ only in numbers become one line, with their runs,
  /// those of most runs first.
  /// - Parameter keepsEach: Whether every text keeps a line of its own.
  private func merged(_ texts: [(run: RunResult, texts: [String])], keepsEach: Bool = false) -> [String] {
    let all = texts.flatMap { run, texts in texts.map { (run: run, text: $0) } }
    guard !keepsEach else { return all.map { named($0.text, of: $0.run) } }
    let groups = AlikeTexts.groups(of: all.map(\.text)).sorted { $0.indices.count > $1.indices.count }
    return groups.map { group in
      let labels = group.indices.map { scenario.label(of: all[$0].run) }.withoutDuplicates
      guard labels.count > 1 else { return named(group.text, of: all[group.indices[0]].run) }
      let names = labels.count <= Self.mostNamed ? " (\(labels.joined(separator: "; ")))" : ""
      return "\(labels.count) of \(scenario.runs.count) runs\(names): \(group.text)"
    }
  }

  private func named(_ text: String, of run: RunResult) -> String {
    scenario.isSingle ? text : "\(scenario.label(of: run)): \(text)"
  }

  private var success: String {
    let runs = scenario.runs.filter { !$0.isInvalid }
    let omitted = scenario.runs.count - runs.count
    let validity = omitted > 0 ? "; \(omitted) invalid \(omitted == 1 ? "run is" : "runs are") left out" : ""
    let expectations = runs.map(\.expectations.count).max() ?? 0
    let checked = runs.flatMap(\.invariants).filter { $0.checks > 0 }
    let invariants = checked.isEmpty ? "" : ", no invariant violated"
    if scenario.first.isSmoke { return "smoke run, every phase of \(runs.count) runs ran\(invariants)\(validity)" }
    guard expectations > 0 else {
      let none = comparisons.isEmpty ? ", no expectations" : comparisons
      return "every phase of \(runs.count) runs ran\(none)\(invariants)\(validity)"
    }
    let count = VerdictResult.expectations(expectations)
    return "\(expectations) of \(count) in each of \(runs.count) runs\(comparisons)\(invariants)\(validity)"
  }

  /// Such as ", 2 of 3 comparisons of variants, 1 undecided".
  private var comparisons: String {
    let all = scenario.variantExpectations
    guard !all.isEmpty else { return "" }
    func count(_ outcome: VariantExpectationResult.Outcome) -> Int { all.count { $0.outcome == outcome } }
    let passed = count(.passed)
    let undecided = count(.undecided) > 0 ? ", \(count(.undecided)) undecided" : ""
    let open = count(.open) > 0 ? ", \(count(.open)) not measured" : ""
    let noun = all.count == 1 ? "comparison" : "comparisons"
    return ", \(passed) of \(all.count) \(noun) of variants\(undecided)\(open)"
  }
}
