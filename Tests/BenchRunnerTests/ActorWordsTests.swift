import BenchResults
import BenchScenario
import LatencyMetrics
import Testing

@testable import BenchRunner

/// The settings of actors, in short runs of the engine with every suitable invariant.
@Suite("An actor of a scenario") struct ActorWordsTests {
  static func scenario(
    _ reader: String,
    connection: String = "{}",
    writer: String = "{connection: writing, operations: {set: 4, remove: 1}, collection: rows, load: {rate: 400/s}}",
    key: String = "ordered",
    driver: String = "yap",
    invariants: String = "knownAnswers, snapshotStability, monotonicSnapshots, exactlyOnceNotifications"
  ) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: words
        summary: A reader and a writer.
        seed: 5
        engine: {driver: \(driver), synchronous: off}
        dataset:
          rows: {rows: 200, key: \(key), value: {size: 64B, compressible: 0.5}}
        connections: {reading: \(connection), writing: {}}
        actors:
          reader: {connection: reading, collection: rows, \(reader)}
          writer: \(writer)
        phases:
          - {name: run, operations: 1500, actors: [reader, writer]}
        invariants: [\(invariants)]
        """
    )
  }

  static func count(_ operation: String, of result: RunResult, actor: String = "reader") -> Int {
    result.latencies.first { $0.actor == actor && $0.operation == operation && $0.kind == .service }?.histogram.count
      ?? 0
  }

  @Test(
    arguments: [
      "operations: {scan(20): 1, scan(1..50): 1, get: 1}", "operations: {get: 1}, transaction: {api: async}",
      "operations: {get: 1}, connectionLifetime: perTransaction",
      "operations: {set: 1, get: 1}, transaction: {api: async, operations: 1..3}",
      "operations: {removeCollection: 1, set: 50, get: 10}",
      "operations: {get: 1}, snapshot: {longLived: after(20ms)}",
      "operations: {get: 1, begin: 1}, snapshot: {longLived: never}",
    ],
    ["ordered", "hashed", "ycsbHashed(1)"]
  )
  func `performs its operations, and every answer is right`(reader: String, key: String) throws {
    let result = try RunningScenarios.run(
      try Self.scenario(reader, key: key),
      isSmoke: true,
      unchecked: ["snapshotStability"]
    )
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(Self.count(OperationResult.transaction, of: result) > 0)
    for invariant in result.invariants where invariant.name != "snapshotStability" {
      #expect(invariant.checks > 0, "\(invariant.name)")
    }
  }

  @Test func `uses the connections of a pool in turn`() throws {
    let reader = "operations: {get: 1}, threads: 2"
    let result = try RunningScenarios.run(try Self.scenario(reader, connection: "{count: 3}"), isSmoke: true)
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    let caches = try #require(result.samples.last).connections.filter { $0.name.hasPrefix("reading#") }
    #expect(caches.map(\.name).sorted() == ["reading#1", "reading#2", "reading#3"])
    #expect(caches.allSatisfy { ($0.caches?.object.misses ?? 0) > 0 })
  }

  @Test(arguments: [("kept", "reading"), ("perTransaction", nil)])
  func `has cache counts only on a connection that it keeps`(lifetime: String, connection: String?) throws {
    let reader = "operations: {get: 1}, connectionLifetime: \(lifetime)"
    let result = try RunningScenarios.run(try Self.scenario(reader), isSmoke: true)
    let generator = try #require(result.phases.flatMap(\.actors).first { $0.name == "reader" })
    #expect(generator.connection == connection)
  }

  @Test(arguments: [1, 3]) func `stays behind by the configured number of commits`(commits: Int) throws {
    let result = try RunningScenarios.run(
      try Self.scenario(
        "operations: {get: 1}, load: {rate: 2000/s}, snapshot: {longLived: behind(\(commits))}",
        connection: "{count: \(commits + 1)}"
      ),
      isSmoke: true
    )
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    // Each connection has moved at the beginning, and then in turn to another commit.
    #expect(Self.count(OperationResult.advance, of: result) > 2 * (commits + 1))
    let ages = try #require(result.samples.last).connections.filter { $0.name.hasPrefix("reading#") }.map(\.ageCommits)
    #expect(Set(ages).count == commits + 1)
    #expect((ages.max() ?? 0) >= commits)
  }

  @Test func `transfers balances with a constant sum, and commits are atomic`() throws {
    let result = try RunningScenarios.run(
      try Self.scenario(
        "operations: {get: 1, multiGet(5): 1}, snapshot: {longLived: onNotification}",
        writer: "{connection: writing, operations: {transfer(4): 1}, collection: rows}",
        invariants: "knownAnswers, conservation, atomicCommits"
      ),
      isSmoke: true
    )
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(Self.count("transfer(4)", of: result, actor: "writer") > 0)
    for invariant in result.invariants { #expect(invariant.checks > 0, "\(invariant.name)") }
  }

  @Test func `is limited to the transactions that its connection permits`() throws {
    let reader = "operations: {get: 1}"
    let result = try RunningScenarios.run(
      try Self.scenario(reader, connection: "{permitted: [syncRead]}"),
      isSmoke: true
    )
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(throws: ScenarioDiagnostics.self) {
      try Self.scenario("operations: {set: 1}", connection: "{permitted: [syncRead, asyncReadWrite]}")
    }
  }
}
