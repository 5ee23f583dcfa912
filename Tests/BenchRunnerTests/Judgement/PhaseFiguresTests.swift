import LatencyMetrics
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("The value of a figure of a phase") struct PhaseFiguresTests {
  private static let second: UInt64 = 1_000_000_000

  private func value(
    _ record: PhaseRecord,
    _ metric: Metric,
    _ aggregate: Aggregate? = nil,
    actor: String? = nil,
    operation: String? = nil
  ) -> Double? {
    record.figures.value(
      of: FigureID(metric, aggregate, of: FigureScope("phase", actor: actor, operation: operation))
    )
  }

  /// A phase of 2.5 s with two actors: an open load of single gets and sets, and a closed load with several operations
  /// in a transaction.
  private func record(isOver: Bool = true, _ seconds: [Int] = [3, 5], _ closedSeconds: [Int] = [1, 4]) -> PhaseRecord {
    let operations = [OperationWeight(.get, weight: 1), OperationWeight(.set, weight: 1)]
    let start = 10 * Self.second
    func intervals(_ counts: [Int]) -> [IntervalResult] {
      counts.enumerated().map { Fixture.interval(UInt64($0.offset), count: $0.element, phaseStart: start) }
    }
    return Fixture.record(
      Fixture.phaseResult(from: start, to: start + Self.second * 5 / 2),
      [
        Fixture.measured(
          Fixture.actor("open", doing: operations, load: Fixture.open),
          [
            0: Fixture.histogram(10, 20), 1: Fixture.histogram(100, 200), 2: Fixture.histogram(110, 220),
            3: Fixture.histogram(30), 4: Fixture.histogram(300), 5: Fixture.histogram(330),
            7: Fixture.histogram(7, 9),
          ],
          intervals: intervals(seconds)
        ),
        Fixture.measured(
          Fixture.actor("closed", doing: operations, perTransaction: 1...4),
          [0: Fixture.histogram(1_000, 1_500), 1: Fixture.histogram(400, 500, 600), 2: Fixture.histogram(800)],
          intervals: intervals(closedSeconds)
        ),
      ],
      isOver: isOver
    )
  }

  @Test func `the duration is that of the phase`() {
    #expect(value(record(), .duration) == 2.5e9)
  }

  @Test func `times are of the scope's operations`() {
    let record = record()
    #expect(value(record, .service, .max, actor: "open") == 300)
    #expect(value(record, .service, .max, actor: "open", operation: "get") == 200)
    #expect(value(record, .service, .min, actor: "open", operation: "set") == 300)
    #expect(value(record, .wait, .max, actor: "open") == 30)
    #expect(value(record, .wait, .max, actor: "open", operation: "get") == 20)
    #expect(value(record, .response, .max, actor: "open", operation: "get") == 220)
    #expect(value(record, .service, .max, actor: "closed", operation: "get") == 600)
    #expect(value(record, .service, .max) == 1_500)
    #expect(value(record, .service, .min) == 100)
  }

  @Test func `the response of a closed load equals its service, and it has no wait`() {
    let record = record()
    #expect(value(record, .response, .max, actor: "closed") == 1_500)
    #expect(value(record, .wait, .max, actor: "closed") == nil)
    // The whole phase includes both actors.
    #expect(value(record, .response, .min) == 110)
    #expect(value(record, .response, .max) == 1_500)
    #expect(value(record, .wait, .max) == 30)
  }

  @Test func `the rate at the end of a phase is that of its ramps and stages`() {
    var (one, two) = (Fixture.measured(Fixture.actor("one")), Fixture.measured(Fixture.actor("two")))
    let phase = Fixture.phaseResult(to: Self.second)
    #expect(value(Fixture.record(phase, [one, two]), .loadEndRate) == nil)
    (one.endRatePerSecond, two.endRatePerSecond) = (300, 200)
    let record = Fixture.record(phase, [one, two, Fixture.measured(Fixture.actor("three"))])
    #expect(value(record, .loadEndRate) == 500 && value(record, .loadEndRate, actor: "two") == 200)
    #expect(value(record, .loadEndRate, actor: "three") == nil)
  }

  @Test func `deadlocks are counted between samples, and after the last one`() {
    let nested = OperationWeight(OperationKind(.nestedRead, on: "ui"), weight: 1)
    let nestedWrite = OperationWeight(OperationKind(.nestedWrite, on: "ui"), weight: 1)
    let counted = [2, 2, 7].enumerated().map { place, count in
      var sample = Fixture.sample(seconds: Double(place))
      sample.deadlocks = ["one": ["nestedRead(ui)": count], "two": ["nestedRead(ui)": 1]]
      return sample
    }
    var one = Fixture.measured(Fixture.actor("one", doing: [nested]))
    one.deadlocks = ["nestedRead(ui)": 10]
    var two = Fixture.measured(Fixture.actor("two", doing: [nested, nestedWrite]))
    two.deadlocks = ["nestedRead(ui)": 1, "nestedWrite(ui)": 4]
    let record = Fixture.record(Fixture.phaseResult(to: Self.second), [one, two], samples: counted)
    #expect(value(record, .deadlocks, .sum) == 15)
    #expect(value(record, .deadlocks, .sum, actor: "one") == 10)
    #expect(value(record, .deadlocks, .max, actor: "one") == 5)
    #expect(value(record, .deadlocks, .last, actor: "one", operation: "nestedRead(ui)") == 3)
    #expect(value(record, .deadlocks, .sum, actor: "two", operation: "nestedWrite(ui)") == 4)
    let result = record.tree.actors.flatMap { actor in
      actor.operations.compactMap { one in one.deadlocks.map { "\(actor.name) \(one.name) \($0)" } }
    }
    #expect(result == ["one nestedRead(ui) 10", "two nestedRead(ui) 1", "two nestedWrite(ui) 4"])
    // Actors without nested transactions have a count too.
    #expect(value(self.record(), .deadlocks, .sum) == 0)
  }

  @Test func `times that were not measured have no value`() {
    let record = record()
    #expect(value(record, .service, .max, actor: "open", operation: "advance") == nil)
    #expect(value(record, .service, .max, actor: "nobody") == nil)
    #expect(value(record, .response, .max, actor: "closed", operation: "exists") == nil)
    #expect(value(record, .walBytes, .max) == nil)
    #expect(value(record, .walByteSeconds) == nil)
  }

  @Test func `the harness's lateness includes all actors`() {
    #expect(value(record(), .harnessLate, .max) == 9)
    #expect(value(record(), .harnessLate, .min) == 7)
  }

  @Test func `the mean throughput is of the whole phase`() {
    #expect(value(record(), .throughput, .mean, actor: "open") == 3 / 2.5)
    #expect(value(record(), .throughput, .mean, actor: "closed") == 2 / 2.5)
    #expect(value(record(), .throughput, .mean) == 5 / 2.5)
    #expect(value(record(), .throughput, .mean, actor: "open", operation: "get") == 2 / 2.5)
    #expect(value(record(), .throughput, .mean, actor: "closed", operation: "get") == 3 / 2.5)
  }

  @Test func `the minimum and maximum throughput are of complete seconds, of all actors together`() {
    #expect(value(record(), .throughput, .min) == 4)
    #expect(value(record(), .throughput, .max) == 9)
    #expect(value(record(), .throughput, .min, actor: "open") == 3)
    // The end of the phase cut the third second short.
    #expect(value(record([3, 5, 1], [1, 4, 0]), .throughput, .min) == 4)
    #expect(value(record([3, 5, 90], [1, 4, 90]), .throughput, .max) == 9)
  }

  @Test func `a second in which nothing ended has a throughput of 0`() {
    #expect(value(record([3], [1]), .throughput, .min) == 0)
    #expect(value(record([], []), .throughput, .min) == 0)
  }

  @Test func `the throughput of a phase shorter than a second is that of the whole phase`() {
    var short = record([], [])
    short.result.endNanoseconds = short.result.startNanoseconds + Self.second / 2
    for aggregate in [Aggregate.mean, .min, .max] { #expect(value(short, .throughput, aggregate) == 10) }
    short.result.endNanoseconds = short.result.startNanoseconds
    #expect(value(short, .throughput, .mean) == nil)
  }

  @Test func `while a phase runs, only seconds that are complete for every actor count`() {
    #expect(value(record(isOver: false, [], []), .throughput, .mean) == nil)
    #expect(value(record(isOver: false, [3], []), .throughput, .min) == nil)
    #expect(value(record(isOver: false, [3], []), .throughput, .min, actor: "open") == 3)
    let running = record(isOver: false, [3, 5, 100], [1, 4])
    #expect(value(running, .throughput, .mean) == 6.5)
    #expect(value(running, .throughput, .min) == 4)
    #expect(value(running, .throughput, .max) == 9)
    #expect(value(running, .throughput, .mean, actor: "open", operation: "get") == nil)
  }

  @Test func `each aggregate of durations equals the histogram's`() {
    let histogram = Fixture.histogram(Array(1...1_000))
    let expected: [Aggregate: Double] = [
      .min: 1, .mean: 500.5, .max: 1_000, .p50: 500, .p90: 900, .p95: 950, .p99: 990, .p999: 999,
    ]
    for aggregate in Aggregate.allCases {
      let value = histogram.value(of: aggregate)
      #expect(value == expected[aggregate], "\(aggregate)")
      #expect(LatencyHistogram(digits: 3).value(of: aggregate) == nil)
    }
    #expect(histogram.value(of: nil) == nil)
  }

  @Test func `an expectation on a percentile of too few values says so, and does not hold`() throws {
    var run = MeasuredRun(pageSizeBytes: 4_096, configuration: EngineConfiguration(library: ""))
    run.phases = [record()]
    func judge(_ claim: String) throws -> ExpectationResult {
      run.judge(try Scalars.expectation.parse("phase/" + claim), overhead: 0)
    }
    let few = try judge("open service.p99 < 1s")
    #expect(!few.holds && few.isOpen && few.measured == "too few values: p99 needs 100")
    let limit = try judge("open service.max < 2 * phase/closed service.p99")
    #expect(!limit.holds && limit.limit == "too few values: p99 needs 100")
    #expect(try judge("open service.p50 < 1s").holds)
    #expect(try judge("nobody service.p99 < 1s").measured == "nothing")
  }

  @Test func `an expectation on a cost of the machine needs that cost`() throws {
    var run = MeasuredRun(pageSizeBytes: 4_096, configuration: EngineConfiguration(library: ""))
    run.phases = [record()]
    func judge(_ claim: String) throws -> ExpectationResult {
      run.judge(try Scalars.expectation.parse("phase/open service.p50 " + claim), overhead: 0)
    }
    let unmeasured = try judge("< 1000 * machine.sync")
    #expect(!unmeasured.holds && unmeasured.isOpen && unmeasured.limit == "nothing")
    run.machineCosts = MachineCosts(sync: nil, write: nil, copy: 1e6, wakeup: 1, clock: 1)
    let held = try judge("< 2000 * machine.copy")
    #expect(held.holds && held.isLimitMeasured && held.limit == "2.00 s" && held.limitValue == 2e9)
    #expect(try judge("> 2000 * machine.copy").hasFailed)
    #expect(try judge("< 1000 * machine.sync").isOpen)
  }

  @Test func `each aggregate of samples is correct`() {
    let samples = (1...200).reversed().map { bytes in
      Fixture.sample(wal: (bytes: bytes * 10, frames: 0, backlog: 0, held: 0))
    }
    let record = Fixture.record(Fixture.phaseResult(to: 1), samples: samples)
    let expected: [Aggregate: Double] = [
      .min: 10, .mean: 1_005, .max: 2_000, .last: 10, .sum: 201_000,
      .p50: 1_000, .p90: 1_800, .p95: 1_900, .p99: 1_980,
    ]
    for aggregate in Aggregate.allCases { #expect(value(record, .walBytes, aggregate) == expected[aggregate]) }
  }

  @Test func `percentiles of samples are values that occurred`() {
    for count in 1...120 {
      let values = (1...count).map(Double.init)
      for aggregate in Aggregate.allCases {
        guard let percentile = aggregate.percentile?.percent else { continue }
        let value = values.shuffled().value(of: aggregate)
        guard value != nil else {
          #expect(count < 10_000 && aggregate.percentile?.isValid(of: count) == false)
          continue
        }
        // The smallest value that is at least as large as the percentage of all values.
        let enough = values.first { Double($0) * 100 >= percentile * Double(count) - 1e-9 }
        #expect(value == enough, "\(aggregate) of \(count)")
      }
    }
  }

  @Test func `the area of the WAL is one number`() {
    let samples = [0.0, 4].map { Fixture.sample(seconds: $0, wal: (bytes: 50, frames: 0, backlog: 0, held: 0)) }
    #expect(value(Fixture.record(Fixture.phaseResult(to: 1), samples: samples), .walByteSeconds) == 200)
  }

  @Test func `written bytes are added up, and compared with stored bytes`() throws {
    let samples = [(0, 100), (10, 150), (40, 400)].map { stored, written in
      var sample = Fixture.sample()
      sample.logicalBytes = ["one": stored, "two": stored]
      sample.writes = FileWrites(wal: .init(bytes: written, syncs: written / 50), database: .init(bytes: written * 2))
      return sample
    }
    func value(_ claim: String, _ samples: [EngineSample]) throws -> Double? {
      let expectation = try Scalars.expectation.parse("phase " + claim)
      return Fixture.record(Fixture.phaseResult(to: 1), samples: samples).figures.value(of: expectation.figure.id)
    }
    try #expect(value("io.walBytesWritten.sum < 1MiB", samples) == 300)
    try #expect(value("io.databaseBytesWritten.max < 1MiB", samples) == 500)
    try #expect(value("io.syncs.last == 5", samples) == 5)
    try #expect(value("io.logicalBytes.sum < 1MiB", samples) == 80)
    try #expect(value("io.writeAmplification < 12", samples) == 11.25)
    try #expect(value("io.writeAmplification < 12", [Fixture.sample()]) == nil)
    try #expect(value("io.syncs.sum == 5", [Fixture.sample()]) == nil)
  }

  @Test func `checkpoints have their count, their durations and their waits`() throws {
    func checkpoint(_ number: Int) -> CheckpointResult {
      CheckpointResult(
        number: number,
        phase: "phase",
        elapsedNanoseconds: 0,
        mode: "passive",
        cause: "backlog",
        waitNanoseconds: UInt64(number),
        durationNanoseconds: UInt64(number) * 10,
        framesInWAL: 9,
        framesCopied: number * 2,
        framesLeft: 0,
        bytesCopied: number * 200,
        outcome: .complete,
        pinnedBy: nil
      )
    }
    var record = Fixture.record(Fixture.phaseResult(to: 1_000_000_000))
    func value(_ claim: String) throws -> Double? {
      record.figures.value(of: try Scalars.expectation.parse("phase " + claim).figure.id)
    }
    try #expect(value("checkpoint.count == 0") == 0)
    try #expect(value("checkpoint.wait.max < 5ms") == nil)
    record.checkpoints = [checkpoint(1), checkpoint(3)]
    try #expect(value("checkpoint.count == 0") == 2)
    try #expect(value("checkpoint.wait.max < 5ms") == 3)
    try #expect(value("checkpoint.duration.sum < 5ms") == 40)
    try #expect(value("checkpoint.framesCopied.mean < 5") == 4)
    try #expect(value("checkpoint.bytesCopied.last < 5B") == 600)
  }
}
