package import BenchResults

extension ComparisonOutcome {
  /// A comparison with these figures and arbitrary other values.
  package static func madeUp(
    _ figures: [FigureResult] = [],
    base: String? = nil,
    head: String? = nil,
    lastRunAt: String = "2026-01-31T02:00:00Z",
    exitCode: Int32 = 0
  ) -> ComparisonOutcome {
    func arm(_ commit: String?) -> ComparedArm {
      ComparedArm(name: ".", commit: commit, hasUncommittedChanges: false, sha256: "ab", settings: [])
    }
    return ComparisonOutcome(
      base: arm(base),
      head: arm(head),
      machine: .madeUp(),
      design: ComparisonDesign(pairs: 20, confirmingPairs: 20, seed: 1, scenarios: []),
      calibration: nil,
      figures: figures,
      curves: [],
      notCompared: [],
      summary: ComparisonSummary(
        regressed: 0,
        improved: 0,
        suspect: 0,
        changedSmall: 0,
        unchanged: figures.count,
        inconclusive: 0,
        notCompared: 0,
        invalidatedPairs: 0
      ),
      failures: [],
      failedExpectations: [],
      lastRunAt: lastRunAt,
      exitCode: exitCode
    )
  }
}

extension FigureResult {
  /// The time of commits, changed by `percent`.
  package static func madeUp(changedBy percent: Double) -> FigureResult {
    FigureResult(
      name: FigureName(workload: "commits/run/write", metric: "p50"),
      role: .primary,
      unit: .nanoseconds,
      better: .lower,
      base: 10_000,
      head: 10_000 * (1 + percent / 100),
      changePercent: percent,
      stage: 1,
      pairs: 20,
      marginPercent: 3,
      verdict: percent > 3 ? .regressed : .unchanged,
      values: []
    )
  }
}
