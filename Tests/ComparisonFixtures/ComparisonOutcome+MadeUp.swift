package import BenchResults

extension ComparisonOutcome {
  /// A comparison with these figures and arbitrary other values.
  package static func madeUp(
    _ figures: [FigureResult] = [],
    base: String? = nil,
    head: String? = nil,
    lastRunAt: String = "2026-01-31T02:00:00Z",
    exitCode: BenchResults.ExitStatus = .passed
  ) -> ComparisonOutcome {
    func arm(_ commit: String?) -> ComparedArm {
      var arm = ComparedArm(sha256: "ab", settings: [])
      (arm.name, arm.commit) = (".", commit)
      return arm
    }
    let design = ComparisonDesign(pairs: 20, confirmingPairs: 20, seed: 1, scenarios: [])
    var outcome = ComparisonOutcome(base: arm(base), head: arm(head), machine: .madeUp(), design: design)
    outcome.figures = figures
    outcome.summary.unchanged = figures.count
    (outcome.lastRunAt, outcome.exitCode) = (lastRunAt, exitCode)
    return outcome
  }
}

extension FigureResult {
  /// The time of commits, changed by `percent`.
  package static func madeUp(changedBy percent: Double) -> FigureResult {
    let name = FigureName(workload: "commits/run/write", metric: "p50")
    let figure = RunFigure(name: name, role: .primary, unit: .nanoseconds, value: 10_000)
    var result = FigureResult(of: figure, verdict: percent > 3 ? .regressed : .unchanged)
    (result.base, result.head) = (10_000, 10_000 * (1 + percent / 100))
    result.changePercent = percent
    (result.pairs, result.marginPercent) = (20, 3)
    return result
  }
}
