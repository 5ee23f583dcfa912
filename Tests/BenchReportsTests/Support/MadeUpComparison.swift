import ComparisonFixtures

@testable import BenchResults

/// Results of comparisons with one figure for each verdict.
enum MadeUpComparison {
  static func figure(
    _ metric: String,
    _ verdict: EffectVerdict,
    change: Double = 0,
    workload: String = "commits/run/write",
    role: FigureRole = .primary
  ) -> FigureResult {
    FigureResult(
      name: FigureName(workload: workload, metric: metric),
      role: role,
      unit: metric == "throughput" ? .perSecond : .nanoseconds,
      better: metric == "throughput" ? .higher : .lower,
      base: 10_000,
      head: 10_000 * (1 + change / 100),
      changePercent: change,
      interval95Percent: PercentInterval(low: change - 1.5, high: change + 1.5),
      interval90Percent: PercentInterval(low: change - 1.2, high: change + 1.2),
      pValue: 0.004,
      stage: verdict == .regressed ? 2 : 1,
      pairs: 20,
      marginPercent: 3,
      detectablePercent: 2.1,
      pairsNeeded: verdict == .inconclusive ? 64 : 10,
      lag1Autocorrelation: 0,
      verdict: verdict,
      values: (0..<20).map { [10_000, 10_000 * (1 + change / 100) + Double($0 % 5) * 20] }
    )
  }

  static func outcome(
    _ figures: [FigureResult],
    notCompared: [FigureNotCompared] = [],
    failures: [String] = [],
    failedExpectations: [FailedExpectations] = [],
    calibration: CalibrationResult? = nil,
    exitCode: BenchResults.ExitStatus = .passed
  ) -> ComparisonOutcome {
    func count(_ verdict: EffectVerdict) -> Int { figures.count { $0.verdict == verdict } }
    let spread = ComparedCurve.Spread(lowerQuartile: 9_000, median: 10_000, upperQuartile: 12_000)
    return ComparisonOutcome(
      base: ComparedArm(
        name: "v1.2",
        commit: String(repeating: "a", count: 40),
        hasUncommittedChanges: false,
        sha256: String(repeating: "1", count: 64),
        settings: []
      ),
      head: ComparedArm(
        name: "<script>alert(1)</script>",
        commit: nil,
        hasUncommittedChanges: true,
        sha256: String(repeating: "2", count: 64),
        settings: ["engine.synchronous=full"]
      ),
      machine: .madeUp(),
      design: ComparisonDesign(pairs: 20, confirmingPairs: 20, seed: 1, scenarios: ["commits"]),
      calibration: calibration,
      figures: figures,
      curves: [
        ComparedCurve(
          workload: "commits/run/write",
          base: Array(repeating: spread, count: 14),
          head: Array(repeating: spread, count: 14)
        )
      ],
      notCompared: notCompared,
      summary: ComparisonSummary(
        regressed: count(.regressed),
        improved: count(.improved),
        suspect: count(.suspect),
        changedSmall: count(.changedSmall),
        unchanged: count(.unchanged),
        inconclusive: count(.inconclusive),
        notCompared: notCompared.count,
        invalidatedPairs: 0
      ),
      failures: failures,
      failedExpectations: failedExpectations,
      lastRunAt: "2026-01-31T02:00:00Z",
      exitCode: exitCode
    )
  }
}
