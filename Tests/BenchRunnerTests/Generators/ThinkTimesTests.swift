import BenchDrivers
import Testing
import ThreadingPrimitives

@testable import BenchRunner
@testable import BenchScenario

@Suite("Think times") struct ThinkTimesTests {
  private func times(_ load: LoadModel, thread: Int = 0, seed: UInt64 = 1) throws -> ThinkTimes? {
    let scenario = Scenario(
      name: "thinking",
      summary: "",
      engine: EngineSettings(driver: .null),
      dataset: [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))],
      connections: [ConnectionSettings(name: "connection")],
      actors: [],
      phases: []
    )
    let context = try RunContext(scenario, seed: seed, database: try Drivers.open(scenario.engine, path: ""))
    let settings = Fixture.actor(threads: 2, load: load)
    let phase = PhaseSettings(name: "run", end: .operations(1), actors: [PhaseActor(settings)])
    return ThinkTimes(
      try RunningActor(settings, in: RunningPhase(phase, conductor: Parker()), context),
      thread: thread
    )
  }

  private func draws(_ load: LoadModel, thread: Int = 0, seed: UInt64 = 1) throws -> [UInt64] {
    var times = try #require(try times(load, thread: thread, seed: seed))
    return (0..<10_000).map { _ in times.draw() }
  }

  @Test func `are drawn uniformly from a range, from a stream of each thread`() throws {
    let range = LoadModel.closed(thinkTimes: 3...6)
    let drawn = try draws(range)
    for value in 3...6 as ClosedRange<UInt64> {
      #expect((2_200...2_800).contains(drawn.count { $0 == value }))
    }
    #expect(drawn.allSatisfy { (3...6).contains($0) })
    try #expect(draws(range) == drawn)
    try #expect(draws(range, thread: 1) != drawn)
    try #expect(draws(range, seed: 2) != drawn)
  }

  @Test func `are constant without a range, and an open load has none`() throws {
    try #expect(draws(.closed(thinkNanoseconds: 5)).allSatisfy { $0 == 5 })
    try #expect(times(Fixture.open) == nil)
  }

  @Test func `may be the longest duration`() throws {
    let longest = UInt64(Int64.max)
    try #expect(draws(.closed(thinkTimes: 0...longest)).allSatisfy { $0 <= longest })
  }
}
