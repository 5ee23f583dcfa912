internal import BenchResults

/// The verdict on all runs of a scenario: the most severe of the runs' verdicts, with variant and repetition.
struct ScenarioVerdict {
  /// Its own verdict is not read.
  let scenario: ScenarioResult
  let wasInterrupted: Bool
  /// The reason why a further run has no result; nil if no run failed in this way.
  let failure: String?
  /// The reason why planned runs or retries were not made after invalid ones; nil if they were.
  var reasonToStop: String?
  /// Whether an undecided comparison of variants counts as failed.
  let isStrict: Bool

  var result: VerdictResult {
    if scenario.isSingle, scenario.merge?.problems.isEmpty != false { return scenario.first.verdict }
    let applying = ExitStatus.mostSevereFirst.filter { !runs($0).isEmpty || !own($0).isEmpty }
    guard let mostSevere = applying.first else {
      return VerdictResult(exitCode: .passed, headline: success, reasons: [])
    }
    let ofRuns = runs(mostSevere).map { ($0, [$0.verdict.headline]) }
    let headlines = scenario.merged(ofRuns) + own(mostSevere)
    let more = headlines.count > 1 ? " (and \(headlines.count - 1) more)" : ""
    return VerdictResult(
      exitCode: mostSevere,
      headline: headlines[0] + more,
      reasons: applying.flatMap { status in
        let ofRuns = runs(status).map { ($0, $0.verdict.reasons) }
        return scenario.merged(ofRuns, keepsEach: status == .invariantViolated) + own(status)
      }
    )
  }

  /// The runs with this verdict. Invalid runs do not count if there are enough valid ones. A merge with the runs of an
  /// interrupted shard is incomplete.
  private func runs(_ status: ExitStatus) -> [RunResult] {
    if status == .interrupted, scenario.merge != nil { return [] }
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
    case .measurementInvalid: scenario.hasEnoughValidRuns ? [] : reasonToStop.map { [$0] } ?? []
    case .internalError: failure.map { [$0] } ?? []
    case .expectationFailed:
      scenario.variantExpectations.filter { $0.outcome == .failed || isStrict && $0.outcome == .undecided }
        .map { "expected \($0.source), found \($0.foundText)" }
    case .incomparable: scenario.merge?.problems ?? []
    default: []
    }
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
