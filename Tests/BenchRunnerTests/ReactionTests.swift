import BenchResults
import BenchScenario
import LatencyMetrics
import Testing

@testable import BenchDrivers
@testable import BenchRunner

/// Readers that read again what a commit has changed.
@Suite("A reader that reacts to notifications") struct ReactionTests {
  private func changes(_ changes: (UInt64, [String])...) -> [DriverAdvance.Changes] {
    changes.map { DriverAdvance.Changes(writtenAt: $0.0, keys: $0.1) }
  }

  @Test func `reads each changed row once, and counts from its first change`() {
    let changes = changes((10, ["a", "b"]), (20, ["b", "c"]), (30, ["a", "d"]))
    let all = [("a", 10), ("b", 10), ("c", 20), ("d", 30)].map { Reaction.Row(key: $0.0, changedAt: $0.1) }
    #expect(Reaction.rows(of: changes, most: .max) == all)
    #expect(Reaction.rows(of: changes, most: 3) == Array(all.prefix(3)))
    #expect(Reaction.rows(of: changes, most: 1) == Array(all.prefix(1)))
    #expect(Reaction.rows(of: [], most: .max) == [])
  }

  @Test(arguments: ["onNotification", "every(5ms)"], ["{api: async}", "{api: sync}"])
  func `has the changed rows after each move, and they are right`(move: String, transaction: String) throws {
    // The actor itself reads nothing.
    let work = "operations: {empty: 1}, load: {rate: 500/s}"
    let snapshot = "snapshot: {longLived: \(move), react: all}, transaction: \(transaction)"
    let loaded = try ActorWordsTests.scenario("\(work), \(snapshot)", invariants: "knownAnswers")
    let result = try RunningScenarios.run(loaded, isSmoke: true) {
      $0.phases[0].actor("reader")?.notificationToRead?.histogram.count ?? 0 > 0
    }
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    let reader = try #require(result.phases[0].actor("reader"))
    let reads = try #require(reader.notificationToRead)
    #expect(reads.histogram.count > 0)
    #expect(reads.intervals.reduce(0) { $0 + $1.count } == reads.histogram.count)
    #expect(result.phases[0].actor("writer")?.notificationToRead == nil)
    // The reads are no operations of the actor.
    #expect(reader.operations.map(\.name) == [OperationResult.transaction, "empty", OperationResult.advance])
    #expect(result.invariants.first?.checks ?? 0 > 0)
  }

  @Test func `reads no more rows after a move than it should`() throws {
    let reader = "operations: {get: 1}, load: {rate: 500/s}, snapshot: {longLived: onNotification, react: 2}"
    let writer = """
      {connection: writing, operations: {set: 1}, collection: rows, transaction: {operations: 10}, load: {rate: 100/s}}
      """
    let result = try RunningScenarios.run(try ActorWordsTests.scenario(reader, writer: writer), isSmoke: true) {
      $0.phases[0].actor("reader")?.notificationToRead?.histogram.count ?? 0 > 0
    }
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    let reads = try #require(result.phases[0].actor("reader")?.notificationToRead?.histogram.count)
    let moves = ActorWordsTests.count(OperationResult.advance, of: result)
    // The first move of the phase causes no reads.
    #expect(0 < reads && reads <= 2 * (moves - 1))
  }

  @Test func `continues after the engine has come back`() throws {
    let loaded = try ScenarioLoader.load(
      text: """
        format: 1
        name: reopened
        summary: A reader that reacts while the engine is reopened.
        seed: 5
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 100, value: {size: 64B}}
        connections: {reading: {}, writing: {}}
        actors:
          reader:
            connection: reading
            operations: {get: 1}
            collection: rows
            snapshot: {longLived: onNotification, react: all}
            load: {rate: 200/s}
          writer: {connection: writing, operations: {set: 1}, collection: rows, load: {rate: 200/s}}
        phases:
          - {name: run, for: 300ms, actors: [reader, writer], events: [{at: 150ms, do: reopen}]}
          - {name: again, operations: 200, actors: [reader, writer]}
        invariants: [knownAnswers, exactlyOnceNotifications]
        """
    )
    func reads(_ result: RunResult) -> UInt64 {
      UInt64(result.phases[1].actor("reader")?.notificationToRead?.histogram.count ?? 0)
    }
    let result = try RunningScenarios.run(loaded, isSmoke: true) { reads($0) > 0 }
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(reads(result) > 0)
  }

  @Test func `finds a wrong answer that no operation of its actor would find`() throws {
    let reader = "operations: {empty: 1}, load: {rate: 500/s}, snapshot: {longLived: onNotification, react: all}"
    let result = try RunningScenarios.run(
      try ActorWordsTests.scenario(reader, invariants: "knownAnswers"),
      isSmoke: true,
      falsification: .answersWithAnotherKey
    )
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    #expect(result.verdict.reasons.contains { $0.contains("connection \"reading\"") }, "\(result.verdict)")
  }
}
