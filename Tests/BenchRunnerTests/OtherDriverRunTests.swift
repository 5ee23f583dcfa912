import BenchResults
import BenchScenario
import Testing

/// Short runs of scenarios with the drivers of other engines.
@Suite("An actor of a scenario with another engine") struct OtherDriverRunTests {
  private static let invariants = "knownAnswers, snapshotStability, monotonicSnapshots, atomicCommits"

  private static let readers = [
    "operations: {get: 1, multiGet(5): 1, exists: 1, enumerate: 1}",
    "operations: {scan(20): 1, scan(1..50): 1, get: 1}",
    "operations: {get: 1}, snapshot: {longLived: onNotification}",
    "operations: {get: 1}, snapshot: {longLived: every(5ms)}", "operations: {get: 1}, snapshot: {longLived: never}",
    "operations: {get: 1}, connectionLifetime: perTransaction",
    "operations: {readModifyWrite: 1, replace: 1, get: 2}, threads: 2",
    "operations: {removeCollection: 1, set: 50, get: 10}",
  ]

  private static let forms = readers.enumerated().map { index, reader in
    (reader: reader, key: ["ordered", "hashed", "ycsbHashed(1)"][index % 3])
  }

  @Test(arguments: DriverKind.others, forms)
  func `performs its operations, and every answer is right`(
    _ driver: DriverKind,
    form: (reader: String, key: String)
  ) throws {
    let writer =
      "{connection: writing, operations: {set: 4, remove: 1}, transaction: {operations: 1..4}, collection: rows, "
      + "load: {rate: 400/s}}"
    let loaded = try ActorWordsTests.scenario(
      form.reader,
      writer: writer,
      key: form.key,
      driver: driver.rawValue,
      invariants: Self.invariants
    )
    let result = try RunningScenarios.run(loaded, isSmoke: true, unchecked: ["snapshotStability"])
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(ActorWordsTests.count(OperationResult.transaction, of: result) > 0)
    for name in ["knownAnswers", "monotonicSnapshots"] {
      #expect(result.invariants.contains { $0.name == name && $0.checks > 0 })
    }
    let last = try #require(result.samples.last)
    #expect(last.storageBytes ?? 0 > 0)
    #expect((last.wal != nil) == driver.has(.wal))
  }

  @Test(arguments: DriverKind.others)
  func `transfers balances with a constant sum, and commits are atomic`(_ driver: DriverKind) throws {
    let result = try RunningScenarios.run(
      try ActorWordsTests.scenario(
        "operations: {get: 1, multiGet(5): 1}, snapshot: {longLived: onNotification}",
        writer: "{connection: writing, operations: {transfer(4): 1}, collection: rows}",
        driver: driver.rawValue,
        invariants: "knownAnswers, conservation, atomicCommits"
      ),
      isSmoke: true
    )
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(ActorWordsTests.count("transfer(4)", of: result, actor: "writer") > 0)
    for invariant in result.invariants { #expect(invariant.checks > 0, "\(invariant.name)") }
  }
}
