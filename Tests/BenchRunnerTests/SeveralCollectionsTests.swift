import BenchResults
import BenchScenario
import Testing

@testable import BenchRunner

/// Transactions whose operations use different collections, with every suitable invariant.
@Suite("A transaction on several collections") struct SeveralCollectionsTests {
  private func scenario(
    driver: String = "yap",
    post: String = "{messages.insert: 2, touch: 1, get: 1}",
    transaction: String = "{operations: each}",
    phase: String = "operations: 3000"
  ) throws -> LoadedScenario {
    let ofYap = driver == "yap" ? ", exactlyOnceNotifications, cacheCoherence" : ""
    return try ScenarioLoader.load(
      text: """
        format: 1
        name: chat
        summary: Messages are inserted, and their threads change in the same transaction.
        seed: 4
        engine: {driver: \(driver), synchronous: off}
        dataset:
          threads: {rows: 20, value: {size: 64B}}
          messages: {rows: 50, inserts: 100k, key: hashed, value: {size: 96B}, metadata: {size: 32B}}
          accounts: {rows: 20, value: {size: 64B}}
        connections: {showing: {}, posting: {count: 2}, moving: {}}
        actors:
          show:
            connection: showing
            collection: messages
            keys: latest
            operations: {get: 2, scan(1..20): 1, threads.get: 2, threads.enumerate: 1, accounts.multiGet(3): 1}
            transaction: {operations: 1..4}
            snapshot: {longLived: onNotification}
          post:
            connection: posting
            threads: 2
            collection: threads
            operations: \(post)
            transaction: \(transaction)
          move: {connection: moving, operations: {accounts.transfer(3): 1, threads.get: 1}, load: {rate: 2000/s}}
        phases:
          - {name: run, actors: [show, post, move], \(phase)}
        expect:
          - run/post.messages.insert service.max < 1h
          - run/show.scan(1..20) service.max < 1h
        invariants: [knownAnswers, snapshotStability, monotonicSnapshots, atomicCommits, conservation\(ofYap)]
        """
    )
  }

  private func count(_ operation: String, _ result: RunResult, actor: String = "post") -> Int {
    ActorWordsTests.count(operation, of: result, actor: actor)
  }

  @Test(arguments: [("yap", "touch"), ("yap", "set")] + DriverKind.others.map { ($0.rawValue, "replace") })
  func `does everything together, and every answer is right`(driver: String, change: String) throws {
    let loaded = try scenario(driver: driver, post: "{messages.insert: 2, \(change): 1, get: 1}")
    let drawn = [("show", "threads.enumerate"), ("move", "accounts.transfer(3)")]
    let result = try RunningScenarios.run(loaded) { result in
      drawn.allSatisfy { count($1, result, actor: $0) > 0 }
    }
    RunningScenarios.expectRight(result)
    let transactions = count(OperationResult.transaction, result)
    #expect(transactions > 0)
    #expect(count("messages.insert", result) == 2 * transactions)
    #expect(count(change, result) == transactions)
    #expect(result.rowsAtEnd["messages"] == 50 + 2 * transactions)
    #expect(result.rowsAtEnd["threads"] == 20)
    for (actor, operation) in drawn { #expect(count(operation, result, actor: actor) > 0) }
    for expectation in result.expectations { #expect(expectation.holds, "\(expectation)") }
  }

  @Test func `may draw its operations by their weights`() throws {
    // Twice as many on average.
    let result = try RunningScenarios.run(try scenario(transaction: "{operations: 1..5}")) { result in
      count("messages.insert", result) > count("touch", result)
    }
    RunningScenarios.expectRight(result)
    #expect(count("messages.insert", result) > count("touch", result))
  }

  @Test func `is right after the engine was killed`() throws {
    let missing = try RunningScenarios.neverShown { stretch in
      let events = ([100, 300] as [UInt64]).map { "{at: \($0 * stretch)ms, do: kill}" }.joined(separator: ", ")
      let result = try RunningScenarios.run(try scenario(phase: "for: \(500 * stretch)ms, events: [\(events)]"))
      RunningScenarios.expectRight(result)
      let isDone = result.phases.flatMap(\.events).contains { $0.outcome == .done }
      return Set(isDone && count("messages.insert", result) > 0 ? [] : ["an event and an insert"])
    }
    #expect(missing == [])
  }

  @Test func `of which one insert is lost is found`() throws {
    let loaded = try scenario(post: "{messages.insert: 1, set: 1}", phase: "for: 20s")
    let result = try RunningScenarios.run(loaded, falsification: .losesInserts)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    let violations = result.invariants.flatMap(\.violations)
    #expect(violations.contains { $0.contains("\"messages\"/") && $0.contains("is missing") }, "\(violations)")
  }
}
