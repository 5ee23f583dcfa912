import BenchRegression
import ComparisonFixtures
import Testing

@testable import BenchResults
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
      detectablePercent: 2.5,
      verdict: .regressed,
      values: []
    )
  }

  private func lines(_ figures: [FigureResult]) -> [String] {
    let outcome = ComparisonOutcome.madeUp(figures)
    let calibration = Calibration([CalibrationRecord(outcome)], machine: outcome.machine)
    return CalibrationText(calibration: calibration, figures: figures).lines
  }

  @Test func `it lists noise, margin and detectable change of each figure that decides, and the false alarms`() {
    let lines = lines([figure(.primary), figure(.secondary, metric: "p90")])
    #expect(
      lines == [
        "noise in 1 comparison of equal builds on this machine:", "  FIGURE            NOISE   MARGIN  DETECTABLE",
        "  reads/run/ui p50  4.00 %  4.00 %  2.50 %",
        "false alarms: 1 of 1 figure, 2.50 % to 100 % with 95 % confidence",
      ]
    )
  }

  @Test func `without a figure that decides there is nothing to list`() {
    #expect(lines([figure(.secondary)]) == [])
  }
}
