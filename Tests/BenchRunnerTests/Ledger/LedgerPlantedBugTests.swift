import BenchResults
import BenchScenario
import Testing

/// Proves that the invariants of a run with a ledger find known defects, which are planted between the driver and the
/// runner.
@Suite("A planted bug in a run with a ledger") struct LedgerPlantedBugTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let bug: Falsification
    /// The only invariant that is checked.
    let invariant: Invariant
    var snapshot = "latest"
    var reading = "get: 4, exists: 1, getMetadata: 1"
    var writing = "set: 4, insert: 2, replace: 1, touch: 1, remove: 1"
    var testDescription: String { "\(bug) is found by \(invariant)" }
  }

  static let cases = [
    Case(bug: .losesLedgerEntries, invariant: .ledger),
    Case(bug: .losesInserts, invariant: .ledger),
    Case(bug: .writesOnAnOldSnapshot, invariant: .serializedWriters),
    Case(bug: .answersWithAnotherKey, invariant: .exactVersions),
    Case(bug: .forgetsToDropChangedValues, invariant: .exactVersions),
    // The newest version of a row is later than the bookmark, so only older versions show which one is right.
    Case(bug: .losesTheBookmark, invariant: .exactVersions, snapshot: "{longLived: never}"),
    Case(bug: .goesBackInTime, invariant: .freshReads),
    Case(bug: .losesInserts, invariant: .enumerations),
    Case(bug: .losesTheBookmark, invariant: .enumerations, snapshot: "{longLived: never}"),
    Case(bug: .forgetsAChangedKey, invariant: .changedKeys, snapshot: "{longLived: every(20ms)}"),
    Case(bug: .reportsClearings, invariant: .changedKeys, snapshot: "{longLived: every(20ms)}"),
    Case(bug: .goesBackInTime, invariant: .changedKeys),
    Case(bug: .hidesThePinningConnection, invariant: .boundedWAL, snapshot: "{longLived: never}"),
    Case(bug: .keepsTheWALLong, invariant: .boundedWAL),
  ]

  private func scenario(_ planted: Case, length: String = "20s") throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: planted
        summary: A reader and a writer of the same rows.
        seed: 11
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 50, inserts: 50k, value: {size: 64B}, metadata: {size: 32B}}
        connections: {reading: {}, writing: {}}
        actors:
          reader:
            connection: reading
            snapshot: \(planted.snapshot)
            operations: {\(planted.reading)}
            collection: rows
            load: {rate: 2000/s}
          writer:
            connection: writing
            operations: {\(planted.writing)}
            transaction: {operations: 1..4}
            collection: rows
            load: {rate: 500/s}
        phases:
          - {name: run, for: \(length), actors: [reader, writer]}
        """
    )
  }

  @Test("is found by its invariant", arguments: cases)
  func isFound(planted: Case) throws {
    // These are found when the run is over.
    let isFoundAtTheEnd = [.keepsTheWALLong, .hidesThePinningConnection].contains(planted.bug)
    let loaded = try scenario(planted, length: isFoundAtTheEnd || planted.invariant == .ledger ? "500ms" : "20s")
    let result = try RunningScenarios.runWithLedger(
      loaded,
      invariants: [planted.invariant],
      isSmoke: false,
      falsification: planted.bug
    )
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    #expect(result.invariants.map(\.name) == [planted.invariant.rawValue])
    #expect(!result.invariants[0].violations.isEmpty)
  }

  @Test("is the only violation: without it the invariants hold", arguments: Set(cases.map(\.snapshot)).sorted())
  func isAbsent(snapshot: String) throws {
    let cases = Self.cases.filter { $0.snapshot == snapshot }
    let invariants = Set(cases.map(\.invariant))
    let result = try RunningScenarios.runWithLedger(try scenario(cases[0]), invariants: invariants)
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(result.invariants.count == invariants.count)
    #expect(result.invariants.allSatisfy { $0.checks > 0 }, "\(result.invariants)")
  }
}
