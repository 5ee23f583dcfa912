import BenchResults
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchReports

@Suite("The report of a night") struct NightReportTests {
  private func step(
    _ part: NightSummary.Part,
    _ scenario: String = "",
    exit code: BenchResults.ExitStatus,
    _ headline: String
  )
    -> NightSummary.Step
  {
    var step = NightSummary.Step(part: part, scenario: scenario, arguments: ["run", "a b.yaml"])
    step.isOver = true
    step.exitCode = code
    step.headline = headline
    step.seconds = 12
    return step
  }

  private func report(
    _ steps: [NightSummary.Step],
    _ outcomes: [NightSummary.Part: ComparisonOutcome] = [:],
    exit code: BenchResults.ExitStatus = .passed
  ) -> NightReport {
    var summary = NightSummary(
      startedAt: "2026-01-31T02:00:00Z",
      budgetSeconds: 7_200,
      sha256: String(repeating: "1", count: 64),
      commit: String(repeating: "a", count: 40)
    )
    summary.steps = steps
    summary.isComplete = true
    return NightReport(summary, outcomes: outcomes, exitCode: code)
  }

  private let regressed = MadeUpComparison.outcome(
    [
      MadeUpComparison.figure("p50", .regressed, change: 7.1), MadeUpComparison.figure("p99", .inconclusive, change: 2),
      MadeUpComparison.figure("throughput", .unchanged),
      MadeUpComparison.figure("p90", .regressed, change: 9, role: .secondary),
    ],
    notCompared: [
      FigureNotCompared(name: FigureName(workload: "w", metric: "p50"), role: .primary, reason: "lacks it")
    ],
    exitCode: .regressed
  )

  @Test func `the first line is the verdict, with its cause`() {
    let held = step(.suite, "stalled-reader", exit: .passed, "PASSED")
    let red = step(.last, exit: .regressed, "REGRESSED: 1 of 3 figures changed")
    let calm = report([held])
    #expect(calm.headline == "NOTHING COMPARED: 1 scenario passed, 0 figures compared")
    #expect(report([held], [.last: regressed]).headline == "NO REGRESSION: 1 scenario passed, 3 figures compared")
    let headline = "REGRESSED: against the last night: REGRESSED: 1 of 3 figures changed"
    #expect(report([held, red], [.last: regressed], exit: .regressed).headline == headline)
    #expect(report([held, red], [.last: regressed], exit: .regressed).text.hasPrefix("# \(headline)\n"))
    // A less severe result is stated, too.
    let wrong = step(.suite, "transfers", exit: .invariantViolated, "VIOLATED")
    #expect(
      report([red, wrong, red], exit: .invariantViolated).headline
        == "WRONG DATA: transfers: VIOLATED; against the last night: REGRESSED: 1 of 3 figures changed"
    )
  }

  @Test func `the first line says what was left out, and why`() {
    let late = "not enough time was left"
    let steps =
      [step(.suite, "stalled-reader", exit: .passed, "PASSED")]
      + ["a", "b"].map { NightSummary.Step(part: .suite, scenario: $0, skippedBecause: late) }
      + [
        NightSummary.Step(part: .pinned, skippedBecause: "this build becomes the pinned one"),
        NightSummary.Step(part: .last, skippedBecause: "this is the first night"),
      ]
    let left =
      "2 of 3 scenarios not run: not enough time was left; not compared against the pinned build: this build becomes "
      + "the pinned one; not compared against the last night: this is the first night"
    #expect(report(steps).headline == "NOTHING COMPARED: 1 scenario passed, 0 figures compared; \(left)")
    let long = [6, 15].map { NightSummary.Step(part: .suite, scenario: "\($0)", skippedBecause: "needs \($0)m") }
    #expect(report(long).headline.hasSuffix("2 of 2 scenarios not run: needs 6 to 15m"))
    let wrong = [step(.suite, "transfers", exit: .invariantViolated, "VIOLATED")]
    let red = report(wrong + steps, exit: .invariantViolated)
    #expect(red.headline.hasPrefix("WRONG DATA: transfers: VIOLATED; 2 of 4 scenarios not run"))
  }

  @Test func `scenarios link to their reports`() {
    var suite = step(.suite, "stalled-reader", exit: .passed, "PASSED")
    suite.page = "../suite/20260131-020000-stalled-reader/report"
    #expect(report([suite]).text.contains("[stalled-reader](../suite/20260131-020000-stalled-reader/report.md)"))
  }

  @Test func `steps, their commands and the changes are shown, with links to existing pages only`() {
    let skipped = NightSummary.Step(part: .pinned, skippedBecause: "this build becomes the pinned one")
    let steps = [step(.suite, "<b>", exit: .passed, "PASSED"), skipped, step(.last, exit: .regressed, "REGRESSED")]
    let report = report(steps, [.last: regressed], exit: .regressed)
    #expect(report.text.contains("skipped: this build becomes the pinned one"))
    #expect(report.text.contains("[against the last night](last/compare.md)"))
    #expect(!report.text.contains("pinned/compare"))
    #expect(report.text.contains("yapbench run 'a b.yaml'"))
    #expect(report.text.contains("## Changes since the last night"))
    #expect(report.page.contains("last/compare.html") && !report.page.contains("<b>"))
  }

  @Test func `JUnit has a case for each figure that decides, and the right counts`() {
    let steps = [
      step(.suite, "transfers", exit: .invariantViolated, "VIOLATED"),
      step(.suite, "stalled-reader", exit: .measurementInvalid, "INVALID"),
      NightSummary.Step(part: .suite, scenario: "one-hour", skippedBecause: "no time was left for it"),
      step(.last, exit: .regressed, "REGRESSED"), step(.trend, exit: .regressed, "1 OPEN ALARM"),
      step(.calibration, exit: .passed, "UNCHANGED"),
    ]
    let text = NightExport.junit(of: report(steps, [.last: regressed], exit: .invariantViolated))
    let counts = "tests=\"8\" failures=\"3\" errors=\"2\" time="
    #expect(text.contains("<testsuites name=\"yapbench nightly\" \(counts)"))
    #expect(text.contains("<testcase classname=\"last.commits/run/write\" name=\"p50\" time=\"0.000\"><failure"))
    #expect(text.contains("+7.10 % [+5.60 to +8.60]"))
    #expect(text.contains("<testcase classname=\"suite\" name=\"one-hour\" time=\"0.000\"><skipped"))
    #expect(text.contains("<testcase classname=\"suite\" name=\"transfers\" time=\"12.000\"><failure"))
    #expect(text.components(separatedBy: "<testcase ").count - 1 == 8)
    #expect(!text.contains("calibration"))
  }

  @Test func `figures for github-action-benchmark are split by their direction`() throws {
    let files = try NightExport.gitHubActionBenchmark(of: report([], [.pinned: regressed]))
    #expect(files.map(\.name) == ["smaller-is-better.json", "bigger-is-better.json"])
    struct Entry: Decodable, Equatable { var name: String, unit: String, value: Double }
    let smaller = try JSONDecoder().decode([Entry].self, from: Data(files[0].text.utf8))
    let bigger = try JSONDecoder().decode([Entry].self, from: Data(files[1].text.utf8))
    #expect(smaller.map(\.name) == ["commits/run/write - p50", "commits/run/write - p99", "suite - not passed"])
    #expect(smaller[0].unit == "ns" && abs(smaller[0].value - 10_710) < 0.1)
    let throughput = Entry(name: "commits/run/write - throughput", unit: "ops/s", value: 10_000)
    #expect(bigger == [throughput, Entry(name: "suite - passed", unit: "% of the scenarios that ran", value: 0)])
    // The action fails with a file without figures.
    let steps = [step(.suite, "a", exit: .passed, ""), step(.suite, "b", exit: .measurementInvalid, "")]
    let empty = try NightExport.gitHubActionBenchmark(of: report(steps)).map {
      try JSONDecoder().decode([Entry].self, from: Data($0.text.utf8))
    }
    #expect(empty.map { $0.map(\.name) } == [["suite - not passed"], ["suite - passed"]])
    #expect(empty.map { $0.map(\.value) } == [[50], [50]])
  }

  @Test func `a summary is read as it was written`() throws {
    let steps = [step(.suite, "a", exit: .passed, "PASSED"), NightSummary.Step(part: .last, arguments: ["compare"])]
    let summary = report(steps).summary
    #expect(try NightSummary.decode(StableJSON.document(summary)) == summary)
    #expect(summary.usedSeconds == 12)
    #expect(throws: (any Error).self) { try NightSummary.decode(Data("{}".utf8)) }
  }
}
