import BenchModel
import Foundation
import Testing

@testable import BenchRunner
@testable import YapBenchCommand

private let second: UInt64 = 1_000_000_000

private func moment(
  at elapsed: UInt64,
  planned: UInt64? = 30 * second,
  rate: Double = 2_130,
  wal: Int? = 219_152_384,
  pinned: Bool = true
) -> RunProgress {
  .sampled(
    RunMoment(
      phase: "stall",
      elapsedNanoseconds: elapsed,
      plannedNanoseconds: planned,
      transactionsPerSecond: rate,
      walBytes: wal,
      walBacklogBytes: wal.map { $0 / 2 },
      pinnedBy: pinned ? "ui" : nil,
      pinnedNanoseconds: pinned ? elapsed : nil,
      pinnedBytes: pinned ? 104_857_600 : nil
    )
  )
}

private let beginning = RunProgress.phaseBegan(name: "stall", number: 2, of: 3, plannedNanoseconds: 30 * second)

struct ProgressTextTests {
  @Test func `A line tells the slowest actor of the last second, and how the WAL grows`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    var last = ""
    for tenth in 1...30 as ClosedRange<UInt64> {
      var moment = RunMoment(phase: "stall", elapsedNanoseconds: tenth * second / 10, transactionsPerSecond: 0)
      moment.walBytes = Int(tenth) << 20
      moment.walBacklogBytes = 0
      (moment.p99Nanoseconds, moment.p99Actor) = (1_230_000, "import")
      last = text.lines(for: .sampled(moment), at: tenth * second / 10).first?.wordings.first ?? last
    }
    #expect(last.hasSuffix("p99 1.23 ms of import, WAL 30.0 MiB (+10.0 MiB/s), 0 B of it not copied"))
  }

  @Test func `Programs are told the same as objects, one a line`() throws {
    let output = CapturedOutput()
    let display = ProgressDisplay(output: output, terminal: nil, isJSON: true)
    display.say("name: \u{1b}[2J\n\"quoted\"")
    display.show(beginning)
    display.show(moment(at: 3 * second))
    display.show(.phaseEnded(name: "stall", end: .notReached, nanoseconds: second / 2))
    let events = try output.lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(events.map { $0["event"] as? String } == ["said", "phaseBegan", "sampled", "phaseEnded"])
    #expect(events[0]["text"] as? String == "name: \u{1b}[2J\n\"quoted\"")
    #expect(events[1]["plannedSeconds"] as? Double == 30)
    #expect(events[2]["seconds"] as? Double == 3)
    #expect(events[2]["pinnedBy"] as? String == "ui")
    #expect(events[2]["pinnedBytes"] as? Int == 104_857_600)
    #expect(events[3]["end"] as? String == "notReached")
    #expect(events[3]["seconds"] as? Double == 0.5)
  }

  @Test func `Of several runs each begins with its variant and its repetition`() {
    var text = ProgressText(medium: .terminal)
    let run = PlannedRun(
      number: 4,
      runCount: 18,
      variant: 1,
      variantCount: 6,
      label: "share",
      repetition: 1,
      repetitions: 3
    )
    let loading = RunProgress.loading(collection: "rows", rows: 1, of: 9)
    #expect(
      text.lines(for: .runBegan(run), at: 0).map(\.wordings) == [["  run 4/18: variant 2/6 share, repetition 1/3"]]
    )
    #expect(text.lines(for: loading, at: 1).count == 1)
    // A run begins its own count, however short ago the one before told of its.
    var alone = run
    alone.repetitions = 1
    #expect(text.lines(for: .runBegan(alone), at: 2).map(\.wordings) == [["  run 4/18: variant 2/6 share"]])
    #expect(text.lines(for: loading, at: 3).count == 1)
    alone.label = ""
    alone.repetitions = 18
    #expect(text.lines(for: .runBegan(alone), at: 4).map(\.wordings) == [["  run 4/18: repetition 1/18"]])
  }

  @Test func `Without a terminal every phase has its beginning and its end, and a line every five seconds`() {
    var text = ProgressText(medium: .plain)
    var lines = text.lines(for: beginning, at: 0)
    for tenth in 1...300 as ClosedRange<UInt64> {
      lines += text.lines(for: moment(at: tenth * second / 10, pinned: false), at: tenth * second / 10)
    }
    lines += text.lines(for: .phaseEnded(name: "stall", end: .reached, nanoseconds: 30 * second), at: 30 * second)
    #expect(lines.count == 8)
    #expect(lines.filter { !$0.stays }.isEmpty)
    #expect(lines.first?.wordings == ["  phase 2/3 stall: begins, at most 30 s"])
    let figures = "2,130 transactions/s, WAL 209 MiB, 105 MiB of it not copied"
    #expect(lines.dropFirst().first?.wordings.first?.hasSuffix(figures) == true)
    #expect(lines.last == .staying("  phase 2/3 stall: ended after 30.0 s", tone: .ended))
  }

  @Test func `On a terminal a line passes at most ten times a second, and the phase's end stays`() {
    var text = ProgressText(medium: .terminal)
    var lines = text.lines(for: beginning, at: 0)
    for millisecond in 1...10_000 as ClosedRange<UInt64> {
      lines += text.lines(for: moment(at: millisecond * second / 1_000), at: millisecond * second / 1_000)
    }
    #expect(lines.filter(\.stays).isEmpty)
    #expect((99...102).contains(lines.count))
    #expect(
      text.lines(for: .phaseEnded(name: "stall", end: .reached, nanoseconds: second), at: 10 * second).map(\.stays) == [
        true
      ]
    )
  }

  @Test func `Samples that come a little early are told all the same`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    var told = 0
    for tenth in 1...100 as ClosedRange<UInt64> {
      let now = tenth * second / 10 + (tenth.isMultiple(of: 2) ? 80_000 : 0)
      told += text.lines(for: moment(at: now), at: now).count
    }
    #expect(told == 100)
  }

  @Test func `Who pins the WAL is told with since when and how much, shorter where there is less room`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    let line = text.lines(for: moment(at: 12 * second + second / 3), at: 12 * second + second / 3).first
    #expect(
      line?.wordings == [
        "  phase 2/3 stall: 12.3 s of 30 s, 2,130 transactions/s, WAL 209 MiB, 105 MiB of it not copied, "
          + "ui has pinned 100 MiB for 12.3 s",
        "  phase 2/3 stall: 12.3 s of 30 s, 2,130/s, WAL 209 MiB (105 MiB not copied), ui pins 100 MiB 12.3 s",
        "  stall 12.3 s of 30 s, 2,130/s, WAL 209 MiB (105 MiB left), ui 100 MiB 12.3 s",
        "  stall 12.3 s, 2,130/s, WAL 209 MiB, ui 100 MiB 12.3 s",
      ]
    )
    #expect(line?.text(fitting: 79) == line?.wordings[2])
    #expect(line?.tone == .heldUp)
  }

  @Test func `What a driver has not got is left out`() {
    var text = ProgressText(medium: .plain)
    _ = text.lines(for: .phaseBegan(name: "run", number: 1, of: 1, plannedNanoseconds: nil), at: 0)
    let line = text.lines(for: moment(at: 5 * second, planned: nil, wal: nil, pinned: false), at: 5 * second)
    #expect(line.map(\.wordings) == [["  phase 1/1 run: 5.0 s, 2,130 transactions/s"]])
  }

  @Test func `The throughput is the mean since the line before`() {
    var text = ProgressText(medium: .plain)
    _ = text.lines(for: beginning, at: 0)
    for (elapsed, rate) in [(1, 100.0), (2, 200.0), (4, 300.0)] as [(UInt64, Double)] {
      #expect(text.lines(for: moment(at: elapsed * second, rate: rate, wal: nil, pinned: false), at: elapsed) == [])
    }
    let first = text.lines(for: moment(at: 5 * second, rate: 0, wal: nil, pinned: false), at: 5 * second)
    #expect(first.first?.wordings == ["  phase 2/3 stall: 5.0 s of 30 s, 180 transactions/s"])
    let next = text.lines(for: moment(at: 10 * second, rate: 7, wal: nil, pinned: false), at: 10 * second)
    #expect(next.first?.wordings == ["  phase 2/3 stall: 10.0 s of 30 s, 7.00 transactions/s"])
  }

  @Test func `The count of loaded rows is told to its end`() {
    var text = ProgressText(medium: .plain)
    let lines = (1...3).flatMap { step in
      text.lines(for: .loading(collection: "messages", rows: step * 1_000, of: 3_000), at: UInt64(step) * second / 10)
    }
    #expect(
      lines.flatMap(\.wordings) == [
        "  loading messages: 1,000 of 3,000 rows", "  loading messages: 3,000 of 3,000 rows",
      ]
    )
  }

  @Test func `Loading, waiting and finishing are told when they begin, and every five seconds`() {
    var text = ProgressText(medium: .plain)
    var lines: [ProgressLine] = []
    for time in 0...6 as ClosedRange<UInt64> {
      let rows = Int(time) * 1_000
      lines += text.lines(for: .loading(collection: "messages", rows: rows, of: 50_000), at: time * second)
    }
    lines += text.lines(for: .waiting(phase: "stall", actors: ["import"], nanoseconds: 2 * second), at: 9 * second)
    lines += text.lines(for: .waiting(phase: "stall", actors: ["import"], nanoseconds: 3 * second), at: 10 * second)
    lines += text.lines(for: .finishing(what: "checking every row"), at: 11 * second)
    #expect(
      lines.flatMap(\.wordings) == [
        "  loading messages: 0 of 50,000 rows", "  loading messages: 4,000 of 50,000 rows",
        "  phase stall is over, and has waited 2.0 s for import", "  checking every row",
      ]
    )
  }
}

struct ProgressLineTests {
  private let line = ProgressLine.passing(["the whole of it", "half of it"])

  @Test(
    arguments: [
      (80, "the whole of it"), (15, "the whole of it"), (14, "half of it"), (9, "half o..."), (3, "hal"), (0, ""),
      (-1, ""),
    ]
  )
  func `The longest wording that fits is shown, and the shortest is cut`(columns: Int, text: String) {
    #expect(line.text(fitting: columns) == text)
  }
}
