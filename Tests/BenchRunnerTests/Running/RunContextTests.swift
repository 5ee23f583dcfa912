import BenchDrivers
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("What the parts of a run share") struct RunContextTests {
  private func context() throws -> RunContext {
    let scenario = Scenario(
      name: "shared",
      summary: "",
      engine: EngineSettings(driver: .null),
      dataset: [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))],
      connections: [ConnectionSettings(name: "connection")],
      actors: [],
      phases: [],
      invariants: Invariant.allCases
    )
    return try RunContext(scenario, seed: 1, database: Drivers.open(scenario.engine, path: ""))
  }

  @Test func `a driver that keeps nothing breaks no invariant`() throws {
    let context = try context()
    #expect(context.invariants.isEmpty)
    let connection = try #require(context.connections["connection"]?.first)
    var checks = CheckCounts()
    try connection.advance(&checks, atLeast: 0)
    for _ in 0..<3 { try connection.connection.readWrite { _ in } }
    try connection.advance(&checks, atLeast: 0)
    #expect(!context.mustStop)
  }

  @Test func `the newest acknowledged commit counts, in whatever order writers return`() throws {
    let context = try context()
    for commit in [3, 7, 5] as [UInt64] { context.acknowledge(commit) }
    #expect(context.acknowledged == 7)
  }

  @Test func `the first failure is kept and stops the run`() throws {
    let context = try context()
    #expect(!context.mustStop)
    context.failures.report("first")
    context.failures.report("second")
    #expect(context.failures.failure == "first")
    #expect(context.mustStop)
  }

  @Test func `a worker's memory is its own again in the next phase`() throws {
    let context = try context()
    var memory = context.takeMemory("reader/0")
    memory.enter(5)
    _ = memory.compare(77, of: 1)
    context.keep(memory, of: "reader/0")
    var again = context.takeMemory("reader/0")
    again.enter(5)
    #expect(again.compare(78, of: 1) == (true, 77))
    var other = context.takeMemory("reader/1")
    other.enter(5)
    #expect(other.compare(78, of: 1) == (false, nil))
  }
}
