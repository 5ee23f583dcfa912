import Foundation
import HarnessPrimitives
import Testing

@testable import BenchReports
@testable import BenchResults

@Suite("The report of a comparison") struct ComparisonReportTests {
  private typealias Made = MadeUpComparison

  private func report(_ outcome: ComparisonOutcome) -> ComparisonReport {
    ComparisonReport(outcome, command: "yapbench compare v1.2 .")
  }

  private let all = MadeUpComparison.outcome(
    [
      MadeUpComparison.figure("p50", .regressed, change: 7.12), MadeUpComparison.figure("p99", .suspect, change: 6),
      MadeUpComparison.figure("throughput", .improved, change: 8, workload: "reads/run/ui"),
      MadeUpComparison.figure("p50", .changedSmall, change: 2, workload: "reads/run/ui"),
      MadeUpComparison.figure("p99", .inconclusive, change: 1, workload: "reads/run/ui"),
      MadeUpComparison.figure("p50", .unchanged, workload: "jumps/run/ui"),
    ],
    notCompared: [
      FigureNotCompared(
        name: FigureName(workload: "views/run/ui", metric: "p50"),
        role: .primary,
        reason: "the head has no value in valid pair 3"
      )
    ],
    exitCode: .regressed
  )

  @Test func `the first line is the answer, with all counts`() {
    #expect(
      report(all).headline
        == "REGRESSED: 2 of 6 figures changed (commits/run/write p50 +7.12 %, reads/run/ui throughput +8.00 %) · "
        + "1 regressed · 1 improved · 1 suspect, not confirmed · 1 changed less than the margin · "
        + "1 unchanged within the margin · 1 inconclusive · 1 not compared"
    )
    #expect(report(all).lines(exitCode: .regressed)[0].hasSuffix("(exit 2)"))
    #expect(report(all).text.hasPrefix("# REGRESSED: 2 of 6 figures changed"))
  }

  @Test(
    arguments: [
      (EffectVerdict.unchanged, BenchResults.ExitStatus.passed, "UNCHANGED"),
      (.inconclusive, .passed, "NO CHANGE FOUND"),
      (.suspect, .passed, "NO CHANGE FOUND"), (.improved, .passed, "IMPROVED"), (.regressed, .regressed, "REGRESSED"),
      (.changedSmall, .passed, "SMALL CHANGES"), (.unchanged, .interrupted, "INTERRUPTED"),
      (.unchanged, .incomparable, "INCOMPLETE"), (.regressed, .invariantViolated, "WRONG DATA"),
      (.unchanged, .internalError, "ERROR"),
    ]
  )
  func `the answer is one word`(verdict: EffectVerdict, exitCode: BenchResults.ExitStatus, word: String) {
    #expect(report(Made.outcome([Made.figure("p50", verdict, change: 5)], exitCode: exitCode)).word == word)
  }

  @Test func `an inconclusive figure has the detectable change and the pairs that its margin needs`() {
    let text = report(all).text
    #expect(text.contains("a change of 2.10 % was detectable; 64 pairs detect its margin of 3.00 %"))
    #expect(text.contains("not compared, the head has no value in valid pair 3"))
  }

  @Test func `a failed run is in the report and on the terminal`() {
    let failures = ["commits, head: exit code 1: engine gone"]
    let report = report(Made.outcome([], failures: failures, exitCode: .incomparable))
    #expect(report.text.contains("commits, head: exit code 1: engine gone"))
    #expect(report.lines(exitCode: .internalError).contains { $0.contains("engine gone") })
  }

  @Test func `expectations that failed are in the report and on the terminal`() {
    let failed = FailedExpectations(scenario: "commits", pairs: 20, base: 0, head: 3)
    let report = report(Made.outcome([Made.figure("p50", .unchanged, change: 0)], failedExpectations: [failed]))
    let words = "commits, in no run of the base and 3 of 20 runs of the head"
    #expect(report.text.contains("**Failed expectations:** \(words)"))
    #expect(report.lines(exitCode: .internalError).contains("  failed expectations: \(words)"))
  }

  @Test func `an explanation names the parts that grew`() {
    let outcome = Made.outcome([
      Made.figure("p50", .regressed, change: 7), Made.figure("begin", .unchanged, change: 58, role: .part),
      Made.figure("block", .unchanged, change: 1, role: .part),
    ])
    #expect(report(outcome).text.contains("**commits/run/write**: begin +5.80 µs"))
  }

  @Test func `every report has the machine's false alarms, and too many are a warning`() {
    func trust(_ falseAlarms: Int, _ lower: Double) -> String {
      report(
        Made.outcome(
          [],
          calibration: CalibrationResult(
            comparisons: 9,
            figures: 400,
            falseAlarms: falseAlarms,
            lowerRate: lower,
            upperRate: 0.3
          )
        )
      ).text
    }
    #expect(trust(2, 0.001).contains("In 9 comparisons of a build with itself on this machine, 2 of 400 figures"))
    #expect(!trust(2, 0.001).contains("This rate is too high"))
    #expect(trust(80, 0.16).contains("This rate is too high"))
    #expect(report(Made.outcome([])).text.contains("has not been calibrated"))
  }

  @Test func `the page is well-formed, has its drawings, and escapes names`() throws {
    let page = report(all).page
    #expect(!page.contains("<script>alert"))
    let document = try XMLPage(html: page)
    #expect(document.elements.first?.text.contains("alert(1)") == true)
    #expect(page.contains("The change of each figure with its 95 % interval"))
    #expect(page.contains("Percentiles of both sides of commits/run/write"))
  }

  @Test func `a comparison without any figure has a report`() {
    let report = report(Made.outcome([], exitCode: .incomparable))
    #expect(report.headline == "NO RESULT: no time has the 6 pairs that a verdict needs")
    #expect(!report.page.isEmpty)
  }

  @Test func `the document is read as it was written, and another schema is rejected`() throws {
    let data = try StableJSON.document(all)
    #expect(try ComparisonOutcome.decode(data) == all)
    let other = String(decoding: data, as: UTF8.self).replacing("yapbench-compare/1", with: "yapbench-compare/9")
    let error = #expect(throws: DocumentError.self) { _ = try ComparisonOutcome.decode(Data(other.utf8)) }
    #expect(error?.description.contains("yapbench-compare/9") == true)
    #expect(throws: DocumentError.self) { _ = try ComparisonOutcome.decode(Data("{}".utf8)) }
  }

  // MARK: Stored runs

  @Test func `stored runs are listed side by side without a verdict`() throws {
    let run = StalledReaderRun.scenario
    let figure = RunFigure(
      name: FigureName(workload: "stalled-reader/stall/import", metric: "p50"),
      role: .primary,
      unit: .nanoseconds,
      value: 1_000
    )
    var slower = figure
    slower.value = 1_250
    let lines = StoredRunsReport(base: run, head: run, baseFigures: [figure], headFigures: [slower]).lines
    #expect(lines[1].contains("1.00 µs") && lines[1].contains("1.25 µs") && lines[1].hasSuffix("1.25"))
    #expect(lines.contains { $0.hasPrefix("No verdict") })
  }

  @Test func `repetitions of a stored run are one row, with their median`() {
    let run = StalledReaderRun.scenario
    let figures = [1_000, 9_000, 2_000].map { value in
      RunFigure(
        name: FigureName(workload: "stalled-reader/stall/import", metric: "p50"),
        role: .primary,
        unit: .nanoseconds,
        value: value
      )
    }
    let lines = StoredRunsReport(base: run, head: run, baseFigures: figures, headFigures: [figures[0]]).lines
    #expect(lines.count { $0.hasPrefix("stalled-reader/stall/import") } == 1)
    #expect(lines[1].contains("2.00 µs") && lines[1].hasSuffix("0.500"))
  }

  @Test func `runs of another machine, build or scenario are obstacles`() throws {
    let run = StalledReaderRun.scenario
    #expect(StoredRunsReport.obstacles(run, run) == [])
    var other = run
    other.runs[0].environment.cpu = "another"
    other.runs[0].environment.sqliteVersion = "3.51.0"
    other.runs[0].environment.buildMode = "debug"
    other.scenarioYAML += "\nsummary: another"
    other.verdict.exitCode = .measurementInvalid
    let obstacles = StoredRunsReport.obstacles(run, other)
    #expect(obstacles.count == 5)
    #expect(obstacles.contains { $0.contains("3.51.0") })
    var limited = run
    limited.runs[0].environment.processorLimits = ProcessorLimits(
      quota: .init(quotaNanoseconds: 15_000_000, periodNanoseconds: 100_000_000),
      affinity: nil
    )
    #expect(
      StoredRunsReport.obstacles(run, limited) == [
        "different limits on processors: none and CPU quota of 0.15 cores (15 ms in each 100 ms)"
      ]
    )
    #expect(limited.runs[0].machine != run.runs[0].machine, "their runs are not pooled")
    #expect(RunReport(result: limited.runs[0], command: "").text.contains("processor limits"))
    // Each run has a random seed.
    var seeded = run
    seeded.scenarioYAML += "\nseed: 77"
    #expect(StoredRunsReport.obstacles(run, seeded) == [])
  }
}
