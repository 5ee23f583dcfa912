import ComparisonFixtures
import Foundation
import Testing

@testable import BenchReports
@testable import BenchResults

@Suite("The report of a history") struct HistoryReportTests {
  private let figure = FigureName(workload: "commits/run/write", metric: "p50")

  private func nights(_ effects: [Double]) -> [Night] {
    effects.enumerated().map { index, effect in
      Night(
        time: "2026-01-\(10 + index)T02:00:00Z",
        commit: "commit\(index)",
        reference: "pinned",
        machine: .madeUp(),
        figures: [.madeUp(figure, effect: effect)]
      )
    }
  }

  private func alarm(_ magnitude: Double) -> TrendAlarm {
    TrendAlarm(
      figure: figure,
      lastTime: "2026-01-11T02:00:00Z",
      lastCommit: "commit1",
      firstTime: "2026-01-12T02:00:00Z",
      firstCommit: "commit2",
      magnitude: magnitude,
      pValue: 0.001
    )
  }

  @Test func `an alarm is open until it is acknowledged`() {
    let nights = nights([0, 0, 0.06, 0.06])
    let open = HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: [])
    #expect(open.headline == "1 OPEN ALARM: commits/run/write p50 +6.18 % between commit1 and commit2")
    let acknowledgement = Acknowledgement(alarm(0.06), note: "checks every row")
    let known = HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: [acknowledgement])
    #expect(known.headline == "NO OPEN ALARM in 4 nights")
    #expect(known.text.contains("acknowledged: checks every row"))
  }

  @Test func `another pinned build closes the alarms before it`() {
    var nights = nights([0, 0, 0.06, 0.06, 0])
    nights[4].reference = "pinned later"
    let ended = HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: [])
    #expect(ended.openAlarms.isEmpty && ended.headline == "NO OPEN ALARM in 5 nights")
    #expect(ended.text.contains("| of an earlier series |"))
    // A night with another build in between ends the earlier series too.
    nights[4].reference = "pinned"
    nights[1].reference = "pinned before"
    #expect(HistoryReport(nights: nights, alarms: [alarm(0.06)], acknowledgements: []).openAlarms.count == 1)
  }

  @Test func `an improvement is listed and is not an alarm`() {
    let report = HistoryReport(nights: nights([0, 0, -0.06]), alarms: [alarm(-0.06)], acknowledgements: [])
    #expect(report.openAlarms.isEmpty)
    #expect(report.text.contains("improvement"))
  }

  @Test func `the page draws every figure`() throws {
    let report = HistoryReport(nights: nights([0, 0.01, 0.06]), alarms: [alarm(0.06)], acknowledgements: [])
    _ = try XMLPage(html: report.page)
    #expect(report.page.contains("The change of commits/run/write p50 against the pinned build, night by night"))
  }

  @Test func `an empty history has a report`() {
    let report = HistoryReport(nights: [], alarms: [], acknowledgements: [])
    #expect(report.headline == "NO OPEN ALARM in 0 nights")
    #expect(report.text.contains("No night has been added yet."))
  }

  @Test func `the table has a column for each figure and a blank where a night lacks one`() {
    var nights = nights([0, log(1.25)])
    nights[0].figures = []
    let lines = HistoryTable.text(of: nights).split(separator: "\n")
    #expect(lines[0] == "time,commit,reference,commits/run/write p50")
    #expect(lines[1] == "2026-01-10T02:00:00Z,commit0,pinned,")
    #expect(lines[2].hasPrefix("2026-01-11T02:00:00Z,commit1,pinned,1.25"))
  }
}
