import LatencyMetrics
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("Where the time of commits went") struct CommitTimesTests {
  private static let one = CommitTimes(
    laneWait: 1,
    writeLaneWait: 20,
    checkpointWait: 10,
    begin: 3,
    block: 400,
    statements: 300,
    commit: 5_000,
    jointWait: 1_000,
    rest: 6
  )

  @Test func `sums are those of all commits, and what is left is around the calls`() {
    var sum = CommitTimesSum()
    sum.add(Self.one, service: 5_500)
    var other = CommitTimesSum()
    other.add(Self.one, service: 5_430)
    other.add(CommitTimes(block: 7), service: 10)
    sum += other
    #expect(sum.count == 3 && sum.service == 10_940)
    let times = sum.times
    #expect(times.laneWait == 2 && times.writeLaneWait == 40 && times.checkpointWait == 20)
    #expect(times.begin == 6 && times.block == 807 && times.statements == 600)
    #expect(times.commit == 10_000 && times.jointWait == 2_000 && times.rest == 12)
    #expect(sum.around == 10_940 - 10_867)
  }

  @Test func `lags are counted from phase to phase, of what tells when it was written`() {
    let lag = NotificationLag(digits: 3)
    lag.record(CommitNotification(1, writtenAt: 900), deliveredAt: 1_000)
    lag.record(CommitNotification(2), deliveredAt: 1_000)
    #expect(lag.histogram.count == 1 && lag.histogram.maximum == 100)
    lag.begin(start: 5, at: 1_000)
    #expect(lag.histogram.isEmpty && lag.intervals(until: nil).isEmpty)
    // Clocks are read by two threads.
    lag.record(CommitNotification(3, writtenAt: 1_001), deliveredAt: 1_000)
    #expect(lag.histogram.count == 1 && lag.histogram.maximum == 1)
  }

  @Test func `lags of each second stand at its end, and of the last one at the phase's`() {
    let lag = NotificationLag(digits: 3)
    let second: UInt64 = 1_000_000_000
    lag.begin(start: 7, at: 100)
    func deliver(_ nanoseconds: [UInt64], at now: UInt64) {
      for lagging in nanoseconds { lag.record(CommitNotification(1, writtenAt: now - lagging), deliveredAt: now) }
    }
    func interval(_ end: UInt64, _ lags: [UInt64]) -> IntervalResult {
      IntervalResult(startNanoseconds: end - second, endNanoseconds: end, Fixture.histogram(lags))
    }
    deliver([10, 20], at: 100 + second - 1)
    #expect(Array(lag.intervals(until: nil)) == [interval(7 + second, [10, 20])])
    // Nothing in the second one; and one that was overtaken belongs to the second of those that overtook it.
    deliver([30], at: 100 + 2 * second)
    deliver([40], at: 100 + second)
    #expect(
      Array(lag.intervals(until: nil)) == [interval(7 + second, [10, 20]), interval(7 + 3 * second, [30, 40])]
    )
    #expect(lag.intervals(until: 8 + 2 * second).map(\.endNanoseconds) == [7 + second, 8 + 2 * second])
    // Delivered when the phase was over, or in its last moment: never two rows of one time.
    #expect(lag.intervals(until: 7 + 2 * second).map(\.endNanoseconds) == [7 + second, 7 + 3 * second])
    #expect(lag.intervals(until: 7 + second).map(\.endNanoseconds) == [7 + second, 7 + 3 * second])
    #expect(lag.histogram.count == 4)
    #expect(lag.intervals(until: nil).reduce(0) { $0 + $1.count } == 4)
  }

  @Test func `an expectation finds the waits of its actors, and the phase's lag`() throws {
    let reading = Fixture.actor("reading")
    let writing = Fixture.actor("writing", doing: [OperationWeight(.set, weight: 1)])
    var record = Fixture.record(
      Fixture.phaseResult(to: 1_000),
      [
        Fixture.measured(reading, [TimingSlots(reading).laneWait: Fixture.histogram(10, 30)]),
        Fixture.measured(
          writing,
          [
            TimingSlots(writing).laneWait: Fixture.histogram(20),
            TimingSlots(writing).writeLaneWait: Fixture.histogram(50, 70),
          ]
        ),
      ]
    )
    func value(_ claim: String) throws -> Double? {
      record.figures.value(of: try Scalars.expectation.parse(claim).figure.id)
    }
    try #expect(value("phase lane.wait.max < 5ms") == 30)
    try #expect(value("phase/writing lane.wait.max < 5ms") == 20)
    try #expect(value("phase writeLane.wait.min < 5ms") == 50)
    try #expect(value("phase/reading writeLane.wait.min < 5ms") == nil)
    try #expect(value("phase notification.lag.max < 5ms") == nil)
    record.notificationLag = Fixture.histogram(7, 8)
    try #expect(value("phase notification.lag.max < 5ms") == 8)
    let tree = record.tree
    #expect(tree.actors.map { $0.laneWait?.histogram.count } == [2, 1])
    #expect(tree.actors.map { $0.writeLaneWait?.histogram.count } == [nil, 2])
    #expect(tree.notificationLag?.histogram.count == 2)
    try #expect(value("phase/reading notification.toRead.max < 5ms") == nil)
    var reacting = Fixture.actor("reacting", snapshot: .longLived(.onNotification))
    reacting.reactingRows = 1
    let slots = TimingSlots(reacting)
    record.actors.append(Fixture.measured(reacting, [slots.notificationToRead: Fixture.histogram(1, 9)]))
    try #expect(value("phase/reacting notification.toRead.max < 5ms") == 9)
    try #expect(value("phase notification.toRead.min < 5ms") == 1)
  }

  @Test(arguments: DriverKind.storing) func `a run tells of every commit and every wait`(_ driver: DriverKind) throws {
    let invariants = "knownAnswers, monotonicSnapshots"
    let loaded = try ActorWordsTests.scenario(
      "operations: {get: 1}",
      driver: driver.rawValue,
      invariants: invariants
    )
    let result = try RunningScenarios.run(loaded, isSmoke: true)
    let phase = result.phases[0]
    #expect(phase.actors.filter { $0.commitTimes != nil }.map(\.name) == ["writer"])
    let writer = try #require(phase.actor("writer")?.commitTimes)
    let service = try #require(
      result.latencies.first {
        $0.actor == "writer" && $0.operation == OperationResult.transaction && $0.kind == .service
      }
    ).histogram
    // A transaction that removed an absent row made no commit.
    #expect(writer.count > 0 && writer.count <= service.count)
    let parts = writer.times
    #expect(parts.block > 0 && parts.commit > 0 && parts.statements > 0 && parts.statements <= parts.block)
    #expect(parts.total <= writer.service)
    #expect(writer.service <= UInt64(service.count) * service.maximum)
    let transactions = ActorWordsTests.count(OperationResult.transaction, of: result)
    #expect(phase.actor("reader")?.laneWait?.histogram.count == transactions)
    #expect(phase.actor("writer")?.laneWait?.histogram.count == service.count)
    #expect(phase.actor("writer")?.writeLaneWait?.histogram.count == service.count)
    #expect(phase.actor("reader")?.writeLaneWait == nil)
    #expect((phase.notificationLag != nil) == (driver == .yap))
    if driver.has(.checkpoints) { #expect(LedgerRows.faults(result) == []) }
  }

  @Test func `asynchronous calls tell nothing`() throws {
    let writer =
      "{connection: writing, operations: {set: 1}, collection: rows, transaction: {api: async}, load: {rate: 400/s}}"
    let reader = "operations: {get: 1}, transaction: {api: async}"
    let result = try RunningScenarios.run(try ActorWordsTests.scenario(reader, writer: writer), isSmoke: true)
    #expect(result.phases.flatMap(\.actors).allSatisfy { $0.commitTimes == nil })
    #expect(result.phases.flatMap(\.actors).allSatisfy { $0.laneWait == nil && $0.writeLaneWait == nil })
  }
}
