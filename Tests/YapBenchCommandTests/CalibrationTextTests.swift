import BenchModel
import BenchRegression
import Testing

@testable import YapBenchCommand

@Suite("The noise after a calibration") struct CalibrationTextTests {
  private func figure(_ role: FigureRole, metric: String = "p50") -> FigureResult {
    FigureResult(
      name: FigureName(workload: "reads/run/ui", metric: metric),
      role: role,
      unit: .nanoseconds,
      better: .lower,
      base: 100,
      head: 104,
      changePercent: 4,
      stage: 1,
      pairs: 20,
      marginPercent: 3,
      verdict: .regressed,
      values: []
    )
  }

  private func outcome(_ figures: [FigureResult]) -> ComparisonOutcome {
    let arm = ComparedArm(name: ".", commit: nil, hasUncommittedChanges: false, sha256: "ab", settings: [])
    let machine = ComparedMachine(
      cpu: "a processor",
      coreCount: 2,
      memoryBytes: 8 << 30,
      kernel: "6.1",
      fileSystem: "ext4",
      sqliteVersion: "3.40.1"
    )
    return ComparisonOutcome(
      base: arm,
      head: arm,
      machine: machine,
      design: ComparisonDesign(pairs: 20, confirmingPairs: 20, seed: 1, scenarios: ["reads"]),
      calibration: nil,
      figures: figures,
      curves: [],
      notCompared: [],
      summary: ComparisonSummary(
        regressed: 1,
        improved: 0,
        suspect: 0,
        changedSmall: 0,
        unchanged: 0,
        inconclusive: 0,
        notCompared: 0,
        invalidatedPairs: 0
      ),
      failures: [],
      failedExpectations: [],
      lastRunAt: "2026-01-31T02:00:00Z",
      exitCode: 2
    )
  }

  private func lines(_ figures: [FigureResult]) -> [String] {
    let outcome = outcome(figures)
    let calibration = Calibration([CalibrationRecord(outcome)], machine: outcome.machine)
    return CalibrationText(calibration: calibration, figures: figures).lines
  }

  @Test func `it lists the noise and the margin of each figure that decides, and the false alarms`() {
    let lines = lines([figure(.primary), figure(.secondary, metric: "p90")])
    #expect(
      lines == [
        "noise in 1 comparison of equal builds on this machine:", "  FIGURE            NOISE   MARGIN",
        "  reads/run/ui p50  4.00 %  4.00 %", "false alarms: 1 of 1 figure, 2.50 % to 100 % with 95 % confidence",
      ]
    )
  }

  @Test func `without a figure that decides there is nothing to list`() {
    #expect(lines([figure(.secondary)]) == [])
  }
}
