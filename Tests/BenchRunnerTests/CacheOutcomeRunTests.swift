import BenchResults
import BenchScenario
import LatencyMetrics
import Testing

@testable import BenchRunner

/// Runs in which every read's outcome in the cache is known: all rows are read twice, changed, and read again.
@Suite("Reads by their outcome in the cache") struct CacheOutcomeRunTests {
  private func run(_ policy: String, driver: String = "yap", transaction: String = "1") throws -> RunResult {
    let isYap = driver == "yap"
    let expectations = ["first/reader.get.hit throughput.mean > 0/s", "again/reader.get.reread service.p50 > 0ns"]
    let loaded = try ScenarioLoader.load(
      text: """
        format: 1
        name: outcomes
        summary: Rows that are read, changed, and read again.
        seed: 5
        engine: {driver: \(driver), synchronous: off\(isYap ? ", defaultObjectPolicy: \(policy)" : "")}
        dataset:
          rows: {rows: 100, value: {size: 64B}}
        connections: {reading: {}, writing: {}}
        actors:
          reader:
            connection: reading
            operations: {get: 1}
            collection: rows
            keys: sequential
            transaction: {operations: \(transaction)}
          writer: {connection: writing, operations: {set: 1}, collection: rows, keys: sequential}
        phases:
          - {name: first, operations: 200, actors: [reader]}
          - {name: change, operations: 100, actors: [writer]}
          - {name: again, operations: 100, actors: [reader]}
        expect: [\((isYap ? expectations : []).map { "\"\($0)\"" }.joined(separator: ", "))]
        """
    )
    return try RunningScenarios.run(loaded, isSmoke: true)
  }

  private func counts(_ phase: String, of result: RunResult) -> [Int] {
    let read = result.phase(named: phase)?.actor("reader")?.operation("get")
    return CacheOutcome.allCases.map { read?.outcomes?[$0]?.count ?? 0 }
  }

  @Test(arguments: ["containment", "copy", "share"], ["1", "4"])
  func `every read is counted with its outcome`(policy: String, transaction: String) throws {
    let result = try run(policy, transaction: transaction)
    #expect(counts("first", of: result) == [100, 100, 0])
    let isDropped = policy == "containment"
    #expect(counts("again", of: result) == (isDropped ? [0, 0, 100] : [100, 0, 0]))
    let names = result.latencies.filter { $0.phase.name == "again" && $0.outcome != nil }.map(\.operation)
    #expect(names == [isDropped ? "get.reread" : "get.hit"])
    #expect(result.expectations.map(\.holds) == [true, isDropped])
  }

  @Test func `a driver without caches has no reads by outcome`() throws {
    let result = try run("containment", driver: "sqlite")
    #expect(result.latencies.contains { $0.operation == "get" } && result.latencies.allSatisfy { $0.outcome == nil })
  }
}
