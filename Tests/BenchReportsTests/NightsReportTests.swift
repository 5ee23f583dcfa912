import Foundation
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

@Suite("The page of all nights") struct NightsReportTests {
  private let throughput = FigureName(workload: "stalled-reader/stall/import", metric: "throughput")

  private func night(_ name: String, regressed: Bool = false) -> NightsReport.Night {
    var summary = NightSummary(
      startedAt: "2026-01-31T02:00:00Z",
      budgetSeconds: 60,
      sha256: "",
      commit: String(repeating: "c", count: 40)
    )
    var step = NightSummary.Step(part: .suite, scenario: "stalled-reader", arguments: ["run"])
    (step.isOver, step.exitCode, step.headline, step.seconds) = (true, .passed, "PASSED", 30)
    summary.steps = [step]
    if regressed {
      step.part = .pinned
      (step.scenario, step.exitCode, step.headline) = ("", .regressed, "REGRESSED: <b>p50</b>")
      summary.steps.append(step)
    }
    summary.isComplete = true
    return NightsReport.Night(
      name,
      NightReport(summary, outcomes: [:], exitCode: regressed ? .regressed : .passed)
    )
  }

  private func run(_ night: Int, _ value: Double, cpu: String = "a processor") -> SuiteRun {
    let figure = SuiteRun.Figure(name: throughput, unit: .perSecond, value: value)
    var run = SuiteRun(ScenarioResult(StalledReaderRun.result), night: "n\(night)", figures: [figure])
    run.machine.cpu = cpu
    return run
  }

  private func report(_ nights: [NightsReport.Night], suite: [SuiteRun] = []) -> NightsReport {
    let history = HistoryReport(nights: [], alarms: [], acknowledgements: [])
    return NightsReport(nights, history: history, suite: suite, pages: [.trend])
  }

  @Test func `the first line is that of the last night`() {
    let report = report([night("n2", regressed: true), night("n1")])
    #expect(report.text.hasPrefix("# Last night, 2026-01-31: REGRESSED: against the pinned build: REGRESSED: "))
    #expect(report.text.contains("[n2](n2/summary.md)") && report.page.contains("href=\"n1/summary.html\""))
    #expect(report.text.replacing(#/ +/#, with: " ").contains("| 1 of 1 passed | 60.0 s |"), "\(report.text)")
    #expect(!report.page.contains("<b>p50") && !report.text.contains("## Alarms"))
  }

  @Test func `each figure of the suite has its course on the machine of the last night`() {
    let suite = [run(1, 100), run(2, 50, cpu: "another"), run(3, 110), run(4, 126)]
    let report = report([night("n4")], suite: suite)
    let row = "| stalled-reader/stall/import throughput | 126/s | +20.0 % | 100/s | 126/s | 3 |"
    #expect(report.text.replacing(#/ +/#, with: " ").contains(row), "\(report.text)")
    #expect(report.page.contains("class=\"spark small\""))
    #expect(report.text.contains(", 1 figure: +20.0 % against the median before"))
    #expect(report.text.contains("Suite, last runs: 1 figure: +20.0 % against the median before"))
    let single = self.report([night("n1")], suite: [run(1, 100)])
    #expect(single.text.replacing(#/ +/#, with: " ").contains("| 100/s | – | 100/s | 100/s | 1 |"), "\(single.text)")
    #expect(single.text.contains(", 1 figure for the first time"))
  }

  @Test func `it is written as the index of the folder`() throws {
    let folder = try TemporaryFolder()
    try report([night("n1")]).write(in: folder.path)
    #expect(try folder.names() == ["index.html", "index.md"])
  }
}
