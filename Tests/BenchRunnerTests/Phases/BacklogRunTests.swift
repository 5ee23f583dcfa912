import BenchDrivers
import LatencyMetrics
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// Runs of loads that no engine serves: hardly any of their arrivals begin. Counting those of one phase one by one
/// would take hours.
@Suite("A phase with a huge backlog") struct BacklogRunTests {
  private static let perSecond = 1e12

  /// Runs one phase on an engine that does nothing.
  private func run(
    _ arrival: ArrivalProcess,
    for nanoseconds: UInt64,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) throws -> PhaseRecord {
    let load = LoadModel.open(rate: .constant(perSecond: Self.perSecond), arrival: arrival)
    let actor = PhaseActor(Fixture.actor(threads: 2, load: load))
    let scenario = Scenario(
      name: "backlog",
      summary: "",
      engine: EngineSettings(driver: .null),
      dataset: [DatasetCollection(name: "rows", rows: 100, value: ValueShape(size: .fixed(bytes: 64)))],
      connections: [ConnectionSettings(name: "connection")],
      actors: [],
      phases: [PhaseSettings(name: "phase", end: .duration(nanoseconds: nanoseconds), actors: [actor])]
    )
    let context = try RunContext(scenario, seed: 1, database: try Drivers.open(scenario.engine, path: ""))
    var conductor = PhaseConductor(context, interruption: interruption, onProgress: onProgress)
    try conductor.run(scenario.phases[0], number: 1, of: 1)
    return conductor.records[0]
  }

  private func check(_ record: PhaseRecord) throws {
    let actor = record.actors[0]
    let due = try #require(actor.dueArrivals)
    let expected = Self.perSecond * Double(record.result.durationNanoseconds) / 1e9
    #expect(abs(Double(due) / expected - 1) < 1e-6)
    #expect(due > actor.tally.begunTransactions)
    // All that was due has a wait, whether it began or not.
    let waits = actor.slots.transactions(.wait, in: actor.histograms, digits: record.digits)
    #expect(waits.count == due)
    #expect(actor.unbegunArrivals == due - actor.tally.begunTransactions)
    let unbegun = actor.histograms[actor.slots.unbegun]
    // They wait until the end of the phase, or until a transaction that began before it has ended.
    let end = max(record.result.endNanoseconds, record.result.lastTransactionEndNanoseconds) + 1_000_000_000
    #expect(unbegun.maximum <= end - record.result.startNanoseconds && unbegun.mean > 0)
    #expect(unbegun.maximum >= record.result.durationNanoseconds / 1_001 * 1_000)
  }

  @Test(arguments: ArrivalProcess.allCases)
  func `ends on time, and every arrival counts with its wait`(arrival: ArrivalProcess) throws {
    let record = try run(arrival, for: 100_000_000)
    #expect(record.result.end == .reached)
    #expect(record.result.durationNanoseconds == 100_000_000)
    try check(record)
  }

  @Test(arguments: ArrivalProcess.allCases)
  func `ends when it is interrupted`(arrival: ArrivalProcess) throws {
    let interruption = StopFlag()
    let record = try run(arrival, for: 3_600_000_000_000, interruption: interruption) { progress in
      // The second sample is taken when the phase is under way.
      if case .sampled(let moment) = progress, moment.elapsedNanoseconds > 0 { interruption.raise() }
    }
    #expect(record.result.end == .cutShort)
    try check(record)
  }
}
