import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct EventReportTests {
  private let result: RunResult = {
    var result = StalledReaderRun.result
    func event(
      _ word: String,
      _ arguments: String = "",
      from start: UInt64?,
      to end: UInt64? = nil,
      _ outcome: EventResult.Outcome = .done,
      _ detail: String = ""
    ) -> EventResult {
      EventResult(
        word: word,
        arguments: arguments,
        dueNanoseconds: (start ?? 34) * 1_000_000_000 - 250_000_000,
        begunNanoseconds: start.map { $0 * 1_000_000_000 },
        endedNanoseconds: end.map { $0 * 1_000_000_000 },
        outcome: outcome,
        detail: detail
      )
    }
    result["stall"].events = [
      event("stall", "scroll 10s", from: 10, to: 20), event("checkpoint", "full", from: 12, to: 13),
      event(
        "checkpoint",
        "truncate",
        from: 22,
        to: 27,
        .failed,
        "gaveUp: 5 frames copied, 900 left, blocked by \"ui\""
      ),
      event("vacuum", from: 30, to: nil, .unfinished), event("flushMemory", from: nil, to: nil, .notReached),
    ]
    var histogram = LatencyHistogram(digits: 3)
    histogram.record(5_000_000_000)
    let times = TimeKind.allCases.map { ($0, histogram) }
    result["stall"].eventTimes = [
      OperationResult(name: "checkpoint", times: Dictionary(uniqueKeysWithValues: times))
    ]
    return result
  }()

  private var report: String { RunReport(result: result, command: "again").text }

  private func cells(_ line: Substring) -> [String] {
    line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func `The report has each event, its due time and its outcome`() throws {
    let section = try #require(report.components(separatedBy: "## Events\n").dropFirst().first)
    let rows = section.split(separator: "\n").prefix { $0.hasPrefix("|") }.dropFirst(2).map(cells)
    #expect(rows.map { $0[2] } == result.events.map { "`\($0.text)`" })
    #expect(rows[0] == ["`stall`", "9.75 s", "`stall(scroll 10s)`", "250 ms", "10.0 s", "done", ""])
    #expect(
      rows.map { $0[5] } == ["done", "done", "**failed**", "**unfinished**", "**not reached**"]
    )
    #expect(rows[2][6].contains("900 left"))
  }

  @Test func `Events are in the table of latencies, with responses`() {
    let lines = report.split(separator: "\n").filter { $0.contains("| `events`") }.map(cells)
    #expect(lines.map { $0[3] } == ["response", "service"])
    #expect(lines.allSatisfy { $0[2] == "`checkpoint`" && $0[4] == "1" && $0.last == "5.00 s" })
  }

  @Test func `A run without events does not mention them`() {
    #expect(!RunReport(result: StalledReaderRun.result, command: "").text.contains("## Events"))
  }

  @Test func `The console lists events that failed`() {
    let lines = ConsoleSummary.lines(ScenarioResult(result)).filter { $0.hasPrefix("event ") }
    #expect(
      lines == [
        "event checkpoint(truncate) in stall failed: gaveUp: 5 frames copied, 900 left, blocked by \"ui\"",
        "event vacuum in stall did not finish", "event flushMemory in stall was not reached",
      ]
    )
  }

  @Test func `Events are read from run.json as they were written`() throws {
    let data = try JSONEncoder().encode(result)
    try #expect(JSONDecoder().decode(RunResult.self, from: data).events == result.events)
  }

  @Test func `The picture marks each event that began`() throws {
    let svg = try #require(TimelineChart.drawings(result)?.file).text
    for name in [
      "Events, pins, checkpoints", "stall(scroll 10s)", "checkpoint(full)", "checkpoint(truncate)", "vacuum",
      "pinned by ui",
    ] {
      #expect(svg.contains(name), "\(name)")
    }
    #expect(!svg.contains("flushMemory"))
  }

  @Test func `The picture has a row for each kind of event if there are many`() throws {
    var result = result
    let stalls = (1...9).map { second in
      EventResult(
        word: "stall",
        arguments: "scroll \(second)s",
        dueNanoseconds: 0,
        begunNanoseconds: 0,
        endedNanoseconds: 5,
        outcome: .done
      )
    }
    result["stall"].events =
      stalls + [EventResult(word: "vacuum", arguments: "", dueNanoseconds: 0, outcome: .notReached)]
    #expect(RunTimeline(result).events.map(\.name) == ["stall"])
    #expect(RunTimeline(result).events.map(\.spans.count) == [9])
    result["stall"].events = Array(stalls.prefix(1))
    #expect(RunTimeline(result).events.map(\.name) == ["stall(scroll 1s)"])
    result["stall"].events = []
    #expect(RunTimeline(result).events.isEmpty)
  }
}
