import BenchResults
import BenchScenario
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
  @Test func `A line names the slowest actor of the last second, and shows the growth of the WAL`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    func actor(_ name: String, p99: UInt64?) -> RunMoment.Actor {
      RunMoment.Actor(name: name, transactionsPerSecond: 0, p99Nanoseconds: p99)
    }
    var (last, lastLong) = ("", "")
    for tenth in 1...30 as ClosedRange<UInt64> {
      var moment = RunMoment(phase: "stall", elapsedNanoseconds: tenth * second / 10, transactionsPerSecond: 0)
      moment.walBytes = Int(tenth) << 20
      moment.walBacklogBytes = 0
      moment.actors = [actor("scroll", p99: 9_000), actor("import", p99: 1_230_000), actor("new", p99: nil)]
      let line = text.lines(for: .sampled(moment), at: tenth * second / 10).first
      (last, lastLong) = (line?.wordings[0] ?? last, line?.wordings[1] ?? lastLong)
    }
    #expect(last.hasSuffix("new 0/s, WAL 30.0 MiB (+10.0 MiB/s), backlog 0 B"))
    #expect(lastLong.hasSuffix("import p99 1.23 ms, WAL 30.0 MiB (+10.0 MiB/s), backlog 0 B"))
  }

  @Test func `A wide terminal shows each actor, broken expectations and the estimated end`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    var moment = RunMoment(
      phase: "stall",
      elapsedNanoseconds: 10 * second,
      plannedNanoseconds: 30 * second,
      transactionsPerSecond: 1_000
    )
    moment.actors = [
      .init(name: "import", transactionsPerSecond: 980, p99Nanoseconds: 4_120_000, pendingArrivals: 3),
      .init(name: "scroll", transactionsPerSecond: 20, p99Nanoseconds: nil, pendingArrivals: 0, droppedArrivals: 7),
    ]
    moment.brokenExpectations = ["stall/import response.p99 < 1ms", "stall wal.bytes.max < 1MiB"]
    let line = text.lines(for: .sampled(moment), at: 10 * second, secondsLeft: 95).first
    #expect(
      line?.wordings == [
        "  phase 2/3 stall: 10.0 s of 30 s, 1,000 transactions/s, import 980/s p99 4.12 ms 3 pending, "
          + "scroll 20.0/s 7 dropped, broken: stall/import response.p99 < 1ms and 1 more, about 95 s left",
        "  phase 2/3 stall: 10.0 s of 30 s, 1,000 transactions/s, import p99 4.12 ms, 2 broken expectations, "
          + "about 95 s left",
        "  phase 2/3 stall: 10.0 s of 30 s, 1,000/s, import p99 4.12 ms, 2 broken, about 95 s left",
        "  stall 10.0 s of 30 s, 1,000/s, 2 broken, about 95 s left",
        "  stall 10.0 s, 1,000/s, 2 broken, about 95 s left", "  stall 10.0 s, 1,000/s, 2 broken",
      ]
    )
    #expect(line?.color == .red)
  }

  @Test func `An end of all runs that is the end of the phase is not repeated`() {
    var text = ProgressText(medium: .plain)
    _ = text.lines(for: beginning, at: 0)
    let line = text.lines(for: moment(at: 5 * second, wal: nil, pinned: false), at: 5 * second, secondsLeft: 25.2)
    #expect(line.map(\.wordings) == [["  phase 2/3 stall: 5.0 s of 30 s, 2,130 transactions/s"]])
  }

  @Test func `Each of several runs begins with its variant and repetition`() {
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
    // The first line of a run is shown however soon it follows that of the previous run.
    var alone = run
    alone.repetitions = 1
    #expect(text.lines(for: .runBegan(alone), at: 2).map(\.wordings) == [["  run 4/18: variant 2/6 share"]])
    #expect(text.lines(for: loading, at: 3).count == 1)
    alone.label = ""
    alone.repetitions = 18
    #expect(text.lines(for: .runBegan(alone), at: 4).map(\.wordings) == [["  run 4/18: repetition 1/18"]])
  }

  @Test func `Without a terminal, a phase has a line at its beginning and end, and one every five seconds`() {
    var text = ProgressText(medium: .plain)
    var lines = text.lines(for: beginning, at: 0)
    for tenth in 1...300 as ClosedRange<UInt64> {
      lines += text.lines(for: moment(at: tenth * second / 10, pinned: false), at: tenth * second / 10)
    }
    lines += text.lines(for: .phaseEnded(name: "stall", end: .reached, nanoseconds: 30 * second), at: 30 * second)
    #expect(lines.count == 8)
    #expect(lines.filter { !$0.isPermanent }.isEmpty)
    #expect(lines.first?.wordings == ["  phase 2/3 stall: begins, at most 30 s"])
    let figures = "2,130 transactions/s, WAL 209 MiB, backlog 105 MiB"
    #expect(lines.dropFirst().first?.wordings.first?.hasSuffix(figures) == true)
    #expect(lines.last == .permanent("  phase 2/3 stall: ended after 30.0 s", color: .green))
  }

  @Test func `On a terminal, a transient line is shown at most ten times per second, and the phase's end stays`() {
    var text = ProgressText(medium: .terminal)
    var lines = text.lines(for: beginning, at: 0)
    for millisecond in 1...10_000 as ClosedRange<UInt64> {
      lines += text.lines(for: moment(at: millisecond * second / 1_000), at: millisecond * second / 1_000)
    }
    #expect(lines.filter(\.isPermanent).isEmpty)
    #expect((99...102).contains(lines.count))
    #expect(
      text.lines(for: .phaseEnded(name: "stall", end: .reached, nanoseconds: second), at: 10 * second).map(
        \.isPermanent
      ) == [
        true
      ]
    )
  }

  @Test func `The end of a phase names the condition that ended it, and the rates of loads that were changing`() {
    func line(_ end: PhaseResult.End, by key: String?) -> String? {
      let rates = [EndRate(actor: "import", perSecond: 3_020)]
      var text = ProgressText(medium: .plain)
      _ = text.lines(for: beginning, at: 0)
      let ended = RunProgress.phaseEnded(name: "stall", end: end, nanoseconds: second, endedBy: key, rates: rates)
      return text.lines(for: ended, at: second).first?.wordings.first
    }
    #expect(line(.reached, by: "until") == "  phase 2/3 stall: ended after 1.0 s by \"until\", rate then: 3,020/s")
    #expect(line(.cutShort, by: nil) == "  phase 2/3 stall: ended early after 1.0 s, rate then: 3,020/s")
  }

  @Test func `Samples that are a little early are shown`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    var shown = 0
    for tenth in 1...100 as ClosedRange<UInt64> {
      let now = tenth * second / 10 + (tenth.isMultiple(of: 2) ? 80_000 : 0)
      shown += text.lines(for: moment(at: now), at: now).count
    }
    #expect(shown == 100)
  }

  @Test func `The connection that pins the WAL is shown with bytes and age, in shorter forms for narrow terminals`() {
    var text = ProgressText(medium: .terminal)
    _ = text.lines(for: beginning, at: 0)
    let line = text.lines(for: moment(at: 12 * second + second / 3), at: 12 * second + second / 3).first
    #expect(
      line?.wordings.dropFirst() == [
        "  phase 2/3 stall: 12.3 s of 30 s, 2,130 transactions/s, WAL 209 MiB, backlog 105 MiB, "
          + "ui has pinned 100 MiB for 12.3 s",
        "  phase 2/3 stall: 12.3 s of 30 s, 2,130/s, WAL 209 MiB, backlog 105 MiB, ui pins 100 MiB 12.3 s",
        "  stall 12.3 s of 30 s, 2,130/s, WAL 209 MiB (105 MiB left), ui 100 MiB 12.3 s",
        "  stall 12.3 s, 2,130/s, WAL 209 MiB, ui 100 MiB 12.3 s",
      ]
    )
    // Without actors, the text for wide terminals is the second one.
    #expect(line?.wordings[0] == line?.wordings[1])
    #expect(line?.text(fitting: 79) == line?.wordings[3])
    #expect(line?.color == .yellow)
  }

  @Test func `Figures that a driver does not have are omitted`() {
    var text = ProgressText(medium: .plain)
    _ = text.lines(for: .phaseBegan(name: "run", number: 1, of: 1, plannedNanoseconds: nil), at: 0)
    let line = text.lines(for: moment(at: 5 * second, planned: nil, wal: nil, pinned: false), at: 5 * second)
    #expect(line.map(\.wordings) == [["  phase 1/1 run: 5.0 s, 2,130 transactions/s"]])
  }

  @Test func `The throughput is the mean since the previous line`() {
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

  @Test func `The final count of loaded rows is shown`() {
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

  @Test func `Loading, waiting and finishing are shown at their beginning, and every five seconds`() {
    var text = ProgressText(medium: .plain)
    var lines: [ProgressLine] = []
    for time in 0...6 as ClosedRange<UInt64> {
      let rows = Int(time) * 1_000
      lines += text.lines(for: .loading(collection: "messages", rows: rows, of: 50_000), at: time * second)
    }
    lines += text.lines(for: .waiting(phase: "stall", actors: ["import"], nanoseconds: 2 * second), at: 9 * second)
    lines += text.lines(for: .waiting(phase: "stall", actors: ["import"], nanoseconds: 3 * second), at: 10 * second)
    for time in 10...12 as ClosedRange<UInt64> {
      let others = OthersUse(processorShare: 0.5)
      let progress = RunProgress.waitingForQuiet(others: others, nanoseconds: time * second, of: 60 * second)
      lines += text.lines(for: progress, at: time * second)
    }
    lines += text.lines(for: .finishing(what: "checking every row"), at: 13 * second)
    #expect(
      lines.flatMap(\.wordings) == [
        "  loading messages: 0 of 50,000 rows", "  loading messages: 4,000 of 50,000 rows",
        "  phase stall has ended; waiting for import (2.0 s)",
        "  waiting for a quieter machine: other processes use 50 % of the processors (10.0 s of at most 60 s)",
        "  checking every row",
      ]
    )
  }
}

struct ProgressLineTests {
  private let line = ProgressLine.transient(["the whole of it", "half of it"])

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
