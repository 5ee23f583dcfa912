import LatencyMetrics
import Synchronization
import Testing
import ThreadingPrimitives

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("The conductor of phases") struct PhaseConductorTests {
  private static let millisecond: UInt64 = 1_000_000

  private func context(_ database: any DriverDatabase, outage: Outage? = nil) throws -> RunContext {
    let scenario = Scenario(
      name: "conducted",
      summary: "",
      engine: EngineSettings(driver: .null),
      dataset: [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))],
      connections: [ConnectionSettings(name: "connection")],
      actors: [],
      phases: [],
      invariants: [.knownAnswers]
    )
    return try RunContext(scenario, seed: 1, database: database, outage: outage)
  }

  @Test(arguments: [false, true])
  func `workers that hang in the engine are told of and then given up`(isInterrupted: Bool) throws {
    let database = SlowDatabase()
    let context = try context(database)
    let interruption = StopFlag()
    let relayed = Guarded<[[String]]>([])
    var conductor = PhaseConductor(context, interruption: interruption) { progress in
      if case .waiting(_, let actors, _) = progress { relayed.withLock { $0.append(actors) } }
    }
    // Only the one that should end the wait can.
    conductor.patience = PhaseConductor.Patience(
      untilReported: 5 * Self.millisecond,
      untilGivenUp: isInterrupted ? .max : 50 * Self.millisecond,
      whenInterrupted: isInterrupted ? 50 * Self.millisecond : .max
    )
    let ending = try WorkerThread(name: "ending") {
      database.isAsked.wait()
      if isInterrupted { interruption.raise() } else { context.violations.report(.knownAnswers, "wrong") }
    }
    let phase = PhaseSettings(name: "run", end: .operations(1_000), actors: [PhaseActor(Fixture.actor("stuck"))])
    try conductor.run(phase, number: 1, of: 1)
    ending.join()
    #expect(conductor.hasGivenUp)
    #expect(conductor.records.map(\.result.end) == [.cutShort])
    #expect(context.failures.failure?.hasPrefix("phase \"run\": a transaction of \"stuck\" did not end within") == true)
    let waits = relayed.withLock { $0 }
    #expect(!waits.isEmpty && waits.allSatisfy { $0 == ["stuck"] })
    database.mayAnswer.open()
  }

  @Test func `arrivals that did not begin count as waits and responses`() throws {
    let database = SlowDatabase()
    let context = try context(database)
    var conductor = PhaseConductor(context, interruption: StopFlag()) { progress in
      // The phase is over, and its worker is still in the engine.
      if case .waiting = progress { database.mayAnswer.open() }
    }
    conductor.patience.untilReported = Self.millisecond
    let rate = LoadModel.open(rate: .constant(perSecond: 1_000), arrival: .constant)
    let actors = [PhaseActor(Fixture.actor("stuck", load: rate))]
    let length = PhaseEnd.duration(nanoseconds: 100 * Self.millisecond)
    try conductor.run(PhaseSettings(name: "run", end: length, actors: actors), number: 1, of: 1)
    let actor = try #require(conductor.records.first?.actors.first)
    let due = try #require(actor.dueArrivals)
    #expect(actor.tally.begunTransactions <= 1)
    #expect(due == 100)
    #expect(actor.unbegunArrivals == due - actor.tally.begunTransactions)
    for kind in [.wait, .response] as [TimeKind] {
      #expect(actor.slots.transactions(kind, in: actor.histograms, digits: 3).count == due)
    }
    // The second arrival waited for nearly the whole phase.
    #expect(actor.histograms[actor.slots.unbegun].maximum > 95 * Self.millisecond)
  }

  @Test func `who waits for an engine that does not come back in time does not wait for the harness`() throws {
    // On a busy machine the workers may begin late. The longer the phase is, the smaller is that part of their lag.
    for milliseconds in [500, 4_000, 32_000] as [UInt64] {
      let actor = try outage(endsPhaseAfter: milliseconds * Self.millisecond)
      #expect(actor.unbegunArrivals > 0)
      #expect(actor.tally.lagAtEnd.nanoseconds > 0)
      let service = actor.slots.transactions(.service, in: actor.histograms, digits: 3)
      #expect(service.count == actor.tally.begunTransactions, "only transactions that began have a service time")
      #expect(actor.dueArrivals == actor.tally.begunTransactions + actor.unbegunArrivals)
      if !actor.tally.lagAtEnd.isOfHarness { return }
    }
    Issue.record("The harness is blamed for the lag, however long the engine is away.")
  }

  /// Runs a phase whose engine goes away at the first transaction and does not come back.
  private func outage(endsPhaseAfter nanoseconds: UInt64) throws -> PhaseRecord.Actor {
    let database = SlowDatabase()
    database.mayAnswer.open()
    let outage = Outage()
    var conductor = PhaseConductor(try context(database, outage: outage), interruption: StopFlag()) { _ in }
    let ending = try WorkerThread(name: "ending") {
      database.isAsked.wait()
      outage.begin()
    }
    let rate = LoadModel.open(rate: .constant(perSecond: 200), arrival: .constant)
    let actors = [PhaseActor(Fixture.actor("idle", threads: 2, load: rate))]
    let length = PhaseEnd.duration(nanoseconds: nanoseconds)
    try conductor.run(PhaseSettings(name: "run", end: length, actors: actors), number: 1, of: 1)
    ending.join()
    return try #require(conductor.records.first?.actors.first)
  }

  @Test func `arrivals that have waited past their deadline are dropped and counted`() throws {
    let database = SlowDatabase()
    let context = try context(database)
    var conductor = PhaseConductor(context, interruption: StopFlag()) { progress in
      guard case .sampled(let moment) = progress else { return }
      if moment.elapsedNanoseconds >= 100 * Self.millisecond { database.mayAnswer.open() }
    }
    let rate = LoadModel.open(rate: .constant(perSecond: 1_000), arrival: .constant)
    // Transactions with values are drawn one by one.
    var settings = Fixture.actor("late", doing: [OperationWeight(.set, weight: 1)], load: rate)
    settings.deadlineNanoseconds = 10 * Self.millisecond
    let phase = PhaseSettings(name: "run", end: .operations(2), actors: [PhaseActor(settings)])
    try conductor.run(phase, number: 1, of: 1)
    let record = try #require(conductor.records.first)
    // The second transaction begins after those that came while the first one took its 100 ms.
    #expect(record.actors[0].tally.begunTransactions == 2)
    #expect(record.actors[0].droppedArrivals >= 80)
    #expect(record.tree.actors[0].droppedArrivals == record.actors[0].droppedArrivals)
    let dropped = try Scalars.expectation.parse("run/late harness.dropped == 0")
    #expect(record.figures.value(of: dropped.figure.id) == Double(record.actors[0].droppedArrivals))
    // They count with the time that they waited, and nothing was drawn for them.
    let due = record.actors[0].droppedArrivals + record.actors[0].tally.begunTransactions
    for kind in [TimeKind.wait, .response] {
      let times = record.actors[0].slots.transactions(kind, in: record.actors[0].histograms, digits: record.digits)
      #expect(times.count == due)
      #expect(times.value(atPercentile: 50) > 10 * Self.millisecond)
    }
    let draws = record.actors[0].tally.digests.flatMap(\.marks).map(\.transactions).max() ?? 0
    #expect(draws <= 4, "a phase of 2 transactions draws one more at its end")
  }
}

/// Events of a phase on a database that answers when it may.
extension PhaseConductorTests {
  private func phase(_ end: PhaseEnd) -> PhaseSettings {
    let actor = Fixture.actor(
      "moving",
      doing: [OperationWeight(.begin, weight: 1)],
      snapshot: .longLived(.never),
      load: Fixture.open
    )
    return PhaseSettings(
      name: "run",
      end: end,
      actors: [PhaseActor(actor)],
      events: [
        PhaseEvent(at: .time(nanoseconds: 0), .vacuum), PhaseEvent(at: .time(nanoseconds: 1), .checkpoint(.full)),
      ]
    )
  }

  @Test func `an event that takes long holds up no sample, and the phase waits for its end`() throws {
    let database = SlowDatabase()
    let sampled = Atomic<Int>(0)
    let woken = Parker()
    var conductor = PhaseConductor(try context(database), interruption: StopFlag()) { progress in
      guard case .sampled = progress else { return }
      sampled.add(1, ordering: .relaxed)
      woken.unpark()
    }
    let freeing = try WorkerThread(name: "freeing") {
      database.isAsked.wait()
      // More than fit into the phase: the last ones are taken after its time.
      let enough = sampled.load(ordering: .relaxed) + 4
      while sampled.load(ordering: .relaxed) < enough { woken.park() }
      database.mayAnswer.open()
    }
    try conductor.run(phase(.duration(nanoseconds: 200 * Self.millisecond)), number: 1, of: 1)
    freeing.join()
    let record = try #require(conductor.records.first)
    #expect(record.result.end == .reached && record.result.durationNanoseconds == 200 * Self.millisecond)
    #expect(record.events.map(\.outcome) == [.failed, .notReached])
    #expect(record.events[0].detail == "Refusal()")
    let ended = try #require(record.events[0].endedNanoseconds)
    #expect(ended > record.result.endNanoseconds)
    func value(_ claim: String) throws -> Double? {
      record.figures.value(of: try Scalars.expectation.parse(claim).figure.id)
    }
    let longest = try value("run/events.vacuum response.max < 1s")
    #expect((longest ?? 0) >= Double(ended - record.events[0].dueNanoseconds) * 0.99)
    #expect(try value("run/events.checkpoint service.max < 1s") == nil)
    // The times of all transactions do not include events.
    let all = try value("run response.max < 1s")
    #expect(all.map { $0 < longest ?? 0 } ?? true)
  }

  @Test(arguments: [false, true])
  func `an event that fails ends the run only where the engine says that the file is damaged`(isDamaged: Bool) throws {
    let database = SlowDatabase(isDamaged: isDamaged)
    database.mayAnswer.open()
    let context = try context(database)
    var conductor = PhaseConductor(context, interruption: StopFlag()) { _ in }
    // With damage it would never come to its end.
    let end = isDamaged ? PhaseEnd.operations(.max / 2) : .duration(nanoseconds: 100 * Self.millisecond)
    try conductor.run(phase(end), number: 1, of: 1)
    #expect(conductor.records.map(\.result.end) == [isDamaged ? .cutShort : .reached])
    #expect(context.mustStop == isDamaged)
    let told = context.violations.violations(of: .knownAnswers)
    #expect(told == (isDamaged ? ["the event vacuum in phase \"run\": Refusal()"] : []))
  }

  @Test func `an event that does not come back is given up, and named`() throws {
    let database = SlowDatabase()
    let context = try context(database)
    let interruption = StopFlag()
    var conductor = PhaseConductor(context, interruption: interruption) { _ in }
    // An interrupted run waits for the event too.
    conductor.patience = PhaseConductor.Patience(untilGivenUp: 50 * Self.millisecond, whenInterrupted: 1)
    let interrupting = try WorkerThread(name: "interrupting") {
      database.isAsked.wait()
      interruption.raise()
    }
    try conductor.run(phase(.operations(.max / 2)), number: 1, of: 1)
    interrupting.join()
    #expect(conductor.hasGivenUp)
    #expect(context.failures.failure?.contains("\"events\"") == true)
    #expect(context.failures.failure?.contains("; its event vacuum had begun but not ended") == true)
    #expect(conductor.records.first?.events.first?.outcome == .unfinished)
    database.mayAnswer.open()
  }
}

/// Answers only when it may.
private final class SlowDatabase: DriverDatabase {
  struct Refusal: Error {}

  /// Whether it says so with each error.
  let isDamaged: Bool
  let isAsked = StartGate()
  let mayAnswer = StartGate()

  init(isDamaged: Bool = false) { self.isDamaged = isDamaged }

  func connect(_ settings: ConnectionSettings) -> any DriverConnection { SlowConnection(self) }
  var commit: UInt64 { 0 }
  var keepsData: Bool { true }
  func observe() -> EngineSample? { nil }
  func checkpoints(after number: Int) -> [CheckpointResult] { [] }
  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void) {}
  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult { throw Refusal() }
  func vacuum() throws {
    isAsked.open()
    mayAnswer.wait()
    throw Refusal()
  }
  func isDamage(_ error: any Error) -> Bool { isDamaged }
  var pageSize: Int { 0 }
  var configuration: EngineConfiguration { EngineConfiguration(library: "none") }
  func close() {}
}

private final class SlowConnection: DriverConnection {
  private let database: SlowDatabase

  init(_ database: SlowDatabase) { self.database = database }

  var name: String { "slow" }
  func asyncRead(_ body: (any DriverTransaction) throws -> Void) {
    database.isAsked.open()
    database.mayAnswer.wait()
  }
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) { asyncRead(body) }
  func read(_ body: (any DriverTransaction) throws -> Void) -> UInt64? {
    asyncRead(body)
    return nil
  }
  func readWrite(_ body: (any DriverTransaction) throws -> Void) -> CommitTimes? {
    asyncRead(body)
    return nil
  }
  func advance(changesIn collection: String?) -> DriverAdvance { DriverAdvance(snapshot: 0, jumped: []) }
  func endLongLivedRead() {}
  func flushMemory() { database.mayAnswer.wait() }
}
