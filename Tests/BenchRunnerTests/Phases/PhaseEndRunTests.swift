import BenchDrivers
import LatencyMetrics
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// Phases that end at the first of several conditions, and by their actors' own numbers of operations.
@Suite("The end of a running phase") struct PhaseEndRunTests {
  private static let second: UInt64 = 1_000_000_000

  private func actor(
    _ name: String,
    _ verb: OperationVerb = .get,
    count: Int? = nil,
    threads: Int = 1,
    perTransaction: Int = 1,
    perSecond: Double? = nil
  ) -> ActorSettings {
    var actor = Fixture.actor(
      name,
      threads: threads,
      doing: [OperationWeight(verb, weight: 1)],
      perTransaction: perTransaction...perTransaction,
      load: perSecond.map { .open(rate: .constant(perSecond: $0), arrival: .constant) } ?? .closed(thinkNanoseconds: 0)
    )
    actor.operationCount = count
    return actor
  }

  private func run(_ end: PhaseEnd, _ actors: ActorSettings..., inTurns: Bool = false) throws -> PhaseRecord {
    let scenario = Scenario(
      name: "ends",
      summary: "",
      engine: EngineSettings(driver: .null),
      dataset: [DatasetCollection(name: "rows", rows: 100, value: ValueShape(size: .fixed(bytes: 64)))],
      connections: [ConnectionSettings(name: "connection")],
      actors: [],
      phases: [PhaseSettings(name: "phase", end: end, actors: actors.map { PhaseActor($0) })]
    )
    let context = try RunContext(
      scenario,
      seed: 1,
      database: try Drivers.open(scenario.engine, path: ""),
      takesTurns: inTurns
    )
    var conductor = PhaseConductor(context, interruption: StopFlag()) { _ in }
    try conductor.run(scenario.phases[0], number: 1, of: 1)
    return conductor.records[0]
  }

  private func begun(_ record: PhaseRecord) -> [Int] { record.actors.map(\.tally.begunTransactions) }

  @Test(arguments: [1, 3]) func `actors do their own numbers of operations, and the others work until then`(
    threads: Int
  ) throws {
    let record = try run(
      PhaseEnd(),
      actor("import", .set, count: 300, threads: threads),
      actor("more", .set, count: 20, perTransaction: 3),
      actor("read")
    )
    #expect(record.result.end == .reached && record.result.endedBy == nil && record.result.countsOperations)
    #expect(begun(record).prefix(2) == [300, 7], "the last transaction may have more operations than are left")
  }

  @Test func `actors that take turns do their own numbers of operations`() throws {
    let record = try run(PhaseEnd(), actor("import", .set, count: 30), actor("more", count: 20), inTurns: true)
    #expect(begun(record) == [30, 20])
  }

  @Test func `an actor that has done its operations has no arrivals that did not begin`() throws {
    let record = try run(
      .duration(nanoseconds: Self.second / 5),
      actor("few", count: 5, perSecond: 1_000),
      actor("slow", count: 1_000, perSecond: 20)
    )
    #expect(record.result.endedBy == "for" && begun(record)[0] == 5)
    #expect(record.actors[0].dueArrivals == nil && record.actors[1].dueArrivals == 4)
    let few = record.actors[0]
    #expect(few.histograms[few.slots.unbegun].isEmpty)
    #expect(record.samples.last?.dueArrivals["few"] == nil)
  }

  @Test func `the first of several conditions ends the phase, and is recorded`() throws {
    let long = 600 * Self.second
    let counted = try run(PhaseEnd(nanoseconds: long, operations: 50), actor("read", threads: 2), actor("write", .set))
    #expect(counted.result.endedBy == "operations" && begun(counted).reduce(0, +) == 50)
    let timed = try run(PhaseEnd(nanoseconds: Self.second / 50, operations: .max / 2), actor("read"))
    #expect(timed.result.endedBy == "for" && !timed.result.countsOperations)
    let commits = try run(
      PhaseEnd(nanoseconds: long, commits: 7),
      actor("read"),
      actor("write", .set, perTransaction: 5)
    )
    #expect(commits.result.endedBy == "commits" && begun(commits)[1] == 7)
    let rows = try run(
      PhaseEnd(nanoseconds: long, commits: 7_000_000, rows: 10),
      actor("write", .set, perTransaction: 4)
    )
    #expect(rows.result.endedBy == "rows" && begun(rows) == [3])
    #expect([counted, timed, commits, rows].allSatisfy { $0.result.end == .reached })
  }

  @Test func `a ramp whose phase ends early states its rate then`() throws {
    var ramp = actor("ramp", count: 20)
    ramp.load = .open(rate: .ramp(fromPerSecond: 0, toPerSecond: 4_000), arrival: .constant)
    let record = try run(.duration(nanoseconds: Self.second), ramp, actor("steady", perSecond: 10))
    #expect(record.result.endedBy == "operationCount" && begun(record)[0] == 20)
    let rates = record.tree.endRates
    // The 20th arrival is due after 99 ms, at 395/s.
    #expect(rates.map(\.actor) == ["ramp"] && rates[0].perSecond > 390 && rates[0].perSecond < 4_000)
    let whole = try run(.duration(nanoseconds: Self.second / 10), ramp)
    #expect(whole.tree.endRates.count == (whole.result.endedBy == "for" ? 0 : 1))
  }

  @Test func `the rate of stages at a time is known`() {
    let stages = RateCurve.stages(
      RateStages([
        .init(fromPerSecond: 0, toPerSecond: 100, seconds: 2), .init(fromPerSecond: 50, toPerSecond: 70, seconds: 1),
      ])
    )
    #expect([0, 1, 2, 2.5, 9].map { stages.changingRate(at: $0, phaseLength: 9) } == [0, 50, 50, 60, 70])
    #expect(RateCurve.constant(perSecond: 5).changingRate(at: 1, phaseLength: 9) == nil)
  }
}
