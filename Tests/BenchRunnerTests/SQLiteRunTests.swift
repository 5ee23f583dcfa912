import BenchResults
import BenchScenario
import Testing

/// Short runs of scenarios with the driver `sqlite`.
@Suite("An actor of a scenario with plain SQLite") struct SQLiteRunTests {
  private static let invariants = "knownAnswers, snapshotStability, monotonicSnapshots, atomicCommits"

  @Test(
    arguments: [
      "operations: {get: 1, multiGet(5): 1, exists: 1, enumerate: 1}",
      "operations: {scan(20): 1, scan(1..50): 1, get: 1}",
      "operations: {get: 1}, snapshot: {longLived: onNotification}",
      "operations: {get: 1}, snapshot: {longLived: every(5ms)}", "operations: {get: 1}, snapshot: {longLived: never}",
      "operations: {get: 1}, connectionLifetime: perTransaction",
      "operations: {readModifyWrite: 1, replace: 1, get: 2}, threads: 2",
      "operations: {removeCollection: 1, set: 50, get: 10}",
    ],
    ["ordered", "hashed", "ycsbHashed(1)"]
  )
  func `performs its operations, and every answer is right`(reader: String, key: String) throws {
    let writer =
      "{connection: writing, operations: {set: 4, remove: 1}, transaction: {operations: 1..4}, collection: rows, "
      + "load: {rate: 400/s}}"
    let loaded = try ActorWordsTests.scenario(
      reader,
      writer: writer,
      key: key,
      driver: "sqlite",
      invariants: Self.invariants
    )
    let result = try RunningScenarios.run(loaded, isSmoke: true)
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(ActorWordsTests.count(OperationResult.transaction, of: result) > 0)
    for name in ["knownAnswers", "monotonicSnapshots"] {
      #expect(result.invariants.contains { $0.name == name && $0.checks > 0 })
    }
    #expect(result.samples.last?.wal != nil)
  }
}
