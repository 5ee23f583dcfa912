import LatencyMetrics
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// Records with a mistake each, which the checks of a run's WAL areas, times and checkpoints must find.
@Suite("A mistake in a record") struct WrongRecordTests {
  // MARK: Areas of the WAL

  private static let frameBytes = 100

  /// As many samples that each is a hundredth of the area. Both connections hold a small part of the WAL together, one
  /// holds a large part, and some frames are copied.
  private static func samples(_ phase: String, from start: Double) -> [EngineSample] {
    (0..<100).map { number in
      var sample = Fixture.sample(
        seconds: start + Double(number) / 100,
        wal: (bytes: 32 + 4_000 + 100 * number, frames: 30 + number, backlog: 20 + number, held: 10 + number),
        [Fixture.connection("ui", alone: 4 + number), Fixture.connection("sync", alone: 2)]
      )
      sample.phase = phase
      return sample
    }
  }

  private static let warm = samples("warm", from: 0)
  private static let one = samples("one", from: 10)
  private static let two = samples("two", from: 20)
  private static let afterTwo = samples("two", from: 21)

  private static func record(_ name: String, isRecorded: Bool = true, _ samples: [EngineSample]) -> PhaseRecord {
    let result = Fixture.phaseResult(name, isRecorded: isRecorded, to: 1)
    return Fixture.record(result, samples: samples, frameBytes: frameBytes)
  }

  private static func faults(_ blame: BlameResult) -> [String] {
    let parts = BlameParts(
      blame: blame,
      samples: warm + one + two + afterTwo,
      recorded: ["one": 10_985_000_000, "two": 20_985_000_000],
      frameBytes: frameBytes
    )
    return parts.faults
  }

  private static var right: [PhaseRecord] {
    [record("warm", isRecorded: false, warm), record("one", one), record("two", two)]
  }

  private static var wrongRecords: [(mistake: String, records: [PhaseRecord])] {
    [
      ("the last sample is missed", [record("one", one.dropLast()), record("two", two)]),
      ("the first sample is missed", [record("one", one), record("two", Array(two.dropFirst()))]),
      ("a phase is missed", [record("one", one)]),
      ("a phase counts that is not recorded", [record("warm", warm), record("one", one), record("two", two)]),
      ("the pause between phases counts", [record("one", one + two)]),
      ("what comes after a phase counts", [record("one", one), record("two", two + afterTwo)]),
    ]
  }

  private static let wrongBlames: [(mistake: String, change: @Sendable (inout BlameResult) -> Void)] = [
    ("what is held alone is held together, too", { $0.togetherByteSeconds += $0.connections[1].aloneByteSeconds }),
    ("what is held is not copied, too", { $0.notCopiedByteSeconds += $0.togetherByteSeconds }),
    ("nothing is free", { $0.freeByteSeconds = 0 }),
    (
      "another connection is blamed",
      { blame in
        let alone = blame.connections.map(\.aloneByteSeconds)
        for index in 0..<2 { blame.connections[index].aloneByteSeconds = alone[1 - index] }
      }
    ),
    ("a connection is missed", { $0.connections.removeFirst() }),
    ("nothing was measured", { $0.walByteSeconds = 0 }),
    (
      "all are a hundredth less",
      { blame in
        for index in blame.connections.indices { blame.connections[index].aloneByteSeconds *= 0.99 }
        blame.togetherByteSeconds *= 0.99
        blame.notCopiedByteSeconds *= 0.99
        blame.freeByteSeconds *= 0.99
        blame.walByteSeconds *= 0.99
      }
    ),
  ]

  @Test func `in the areas of the WAL is found, and the right record has none`() {
    #expect(Self.faults(Blame.result(Self.right)) == [])
    for (mistake, records) in Self.wrongRecords { #expect(Self.faults(Blame.result(records)) != [], "\(mistake)") }
    for (mistake, change) in Self.wrongBlames {
      var blame = Blame.result(Self.right)
      change(&blame)
      #expect(Self.faults(blame) != [], "\(mistake)")
    }
  }

  // MARK: Times

  private struct Arrival {
    let intended, start, end: UInt64
  }

  private static let millisecond: UInt64 = 1_000_000
  private static let phases = [Fixture.phaseResult(to: 1_000 * millisecond)]

  /// An arrival each millisecond, and one thread that needs 2 ms for each, so that half of them begin before the end.
  private static let arrivals = (UInt64(0)..<500).map {
    Arrival(intended: $0 * millisecond, start: $0 * 2 * millisecond, end: ($0 + 1) * 2 * millisecond)
  }

  private static func latencies(
    wait: @escaping (Arrival) -> UInt64 = { $0.start - $0.intended },
    service: @escaping (Arrival) -> UInt64 = { $0.end - $0.start },
    response: @escaping (Arrival) -> UInt64 = { $0.end - $0.intended }
  ) -> [Latency] {
    let slots = TimingSlots(Fixture.actor(load: Fixture.open))
    var histograms = (0..<slots.count).map { _ in LatencyHistogram(digits: 3) }
    for (slot, value) in [wait, service, response].enumerated() {
      histograms[slot] = Fixture.histogram(arrivals.map(value))
    }
    histograms[slots.unbegun] = Fixture.histogram((1...500).map { $0 * millisecond })
    return phases[0].latencies(of: slots.results(histograms, digits: 3), actor: "actor")
  }

  @Test func `in the waits is found, and the right record has none`() {
    #expect(TimeParts.faults(Self.latencies(), Self.phases) == [])
    let wrong: [(mistake: String, latencies: [Latency])] = [
      ("the wait counts as service", Self.latencies(service: { $0.end - $0.intended })),
      ("the wait is service", Self.latencies(wait: { _ in 0 }, service: { $0.end - $0.intended })),
      ("the response begins when the service does", Self.latencies(response: { $0.end - $0.start })),
      ("only a free thread lets wait", Self.latencies(wait: { _ in 0 })),
      ("no wait is told", Self.latencies().filter { $0.kind != .wait }),
      ("nothing is told", []),
    ]
    for (mistake, latencies) in wrong { #expect(TimeParts.faults(latencies, Self.phases) != [], "\(mistake)") }
    var unbegun = Self.latencies()
    let own = unbegun.first { $0.operation != OperationResult.transaction && $0.kind == .wait }
    for index in unbegun.indices where unbegun[index].kind == .wait {
      unbegun[index].histogram = own?.histogram ?? unbegun[index].histogram
    }
    #expect(TimeParts.faults(unbegun, Self.phases) != [], "who never began has not waited")
  }

  // MARK: Checkpoints

  /// A guarded checkpoint that a reader limits, one that waits for the lane and copies the rest, and a reset.
  private static let rows = [row(1, "guarded", left: 8), row(2, "passive", left: 0), row(3, "truncate", left: 0)]

  private static func row(_ number: Int, _ mode: String, left: Int) -> CheckpointResult {
    let isBeside = mode == "guarded"
    return CheckpointResult(
      number: number,
      phase: "phase",
      elapsedNanoseconds: UInt64(1_000 * number),
      mode: mode,
      cause: "backlog",
      waitNanoseconds: isBeside ? 0 : 30,
      durationNanoseconds: 500,
      framesInWAL: 20,
      framesCopied: 20 - left,
      framesLeft: left,
      bytesCopied: (20 - left) * 4_096,
      syncs: left > 0 ? 1 : 2,
      outcome: left > 0 ? .partialPinned : mode == "truncate" ? .reset : .complete,
      pinnedBy: left > 0 ? "ui" : nil,
      laneNanoseconds: isBeside ? 0 : 500,
      overlappingCommits: isBeside ? 3 : 0,
      stalledWriters: isBeside ? 0 : 2
    )
  }

  private static func faults(_ rows: [CheckpointResult]) -> [String] {
    LedgerRows.faults(rows, pageSize: 4_096, commits: 10, written: (52, 4_000))
  }

  private static let wrongRows: [(mistake: String, change: @Sendable (inout [CheckpointResult]) -> Void)] = [
    ("the lane is held beside commits", { $0[0].laneNanoseconds = 500 }),
    ("a held lane is forgotten", { $0[1].laneNanoseconds = 0 }),
    ("the wait for the lane counts as holding it", { $0[1].laneNanoseconds = 530 }),
    ("somebody commits with the lane held", { $0[1].overlappingCommits = 1 }),
    ("somebody waits for one beside commits", { $0[0].stalledWriters = 1 }),
    ("one beside commits waits", { $0[0].waitNanoseconds = 1 }),
    ("a reset is made beside commits", { $0[2].mode = "guarded" }),
    ("more commits are made beside it than there are", { $0[0].overlappingCommits = 11 }),
    ("more is copied than there is", { $0[0].framesCopied = 20 }),
    (
      "a frame is copied twice",
      {
        $0[0].framesCopied += 1
        $0[0].framesLeft -= 1
        $0[0].bytesCopied += 4_096
      }
    ),
    ("bytes are counted with their frames' headers", { $0[1].bytesCopied = 20 * 4_120 }),
    ("more is written than was copied", { $0[1].bytesCopied = 21 * 4_096 }),
    ("the syncs of commits beside it are counted as its own", { $0[0].syncs = 4 }),
    ("it does not tell of syncs", { $0[1].syncs = nil }),
    ("a whole one leaves something", { $0[1].framesLeft = 1 }),
    ("a partial one leaves nothing", { $0[0].framesLeft = 0 }),
    ("somebody is in the way of a whole one", { $0[1].pinnedBy = "ui" }),
    ("a row is missed", { $0.remove(at: 1) }),
    ("a row is told twice", { $0.append($0[2]) }),
    ("it ends after the next has begun", { $0[0].durationNanoseconds = 1_001 }),
  ]

  @Test func `in the checkpoint ledger is found, and the right record has none`() {
    #expect(Self.faults(Self.rows) == [])
    for (mistake, change) in Self.wrongRows {
      var rows = Self.rows
      change(&rows)
      #expect(Self.faults(rows) != [], "\(mistake)")
    }
  }
}
