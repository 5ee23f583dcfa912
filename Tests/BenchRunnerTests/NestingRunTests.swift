import BenchDrivers
import Foundation
import LatencyMetrics
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// Transactions inside of others, in short runs with every invariant that fits.
@Suite("Transactions inside of others") struct NestingRunTests {
  private static let invariants =
    "knownAnswers, snapshotStability, monotonicSnapshots, exactlyOnceNotifications, cacheCoherence"

  /// The actor on the connections `mine`, and a writer beside it.
  static func scenario(
    _ actor: String,
    others: String = "",
    phases: String? = nil,
    end: String = "operations: 1500"
  ) throws -> LoadedScenario {
    let names = ["actor", "writer"] + (others.isEmpty ? [] : ["other"])
    return try ScenarioLoader.load(
      text: """
        format: 1
        name: nesting
        summary: Transactions inside of others.
        seed: 5
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 50, value: {size: 64B}, metadata: {size: 32B}}
        connections: {mine: {}, yours: {}, pool: {count: 2}, writing: {}}
        actors:
          actor: {connection: mine, collection: rows, \(actor)}
          writer: {connection: writing, operations: {set: 4, remove: 1}, collection: rows, load: {rate: 400/s}}
          \(others.isEmpty ? "" : "other: {connection: yours, collection: rows, \(others)}")
        phases: \(phases ?? "[{name: run, \(end), actors: [\(names.joined(separator: ", "))]}]")
        invariants: [\(Self.invariants)]
        """
    )
  }

  private func run(
    _ loaded: LoadedScenario,
    unchecked: Set<String> = [],
    until isEnough: (RunResult) -> Bool = { _ in true }
  ) throws -> RunResult {
    let result = try RunningScenarios.run(loaded, unchecked: unchecked, until: isEnough)
    RunningScenarios.expectRight(result)
    return result
  }

  private func count(_ operation: String, _ result: RunResult) -> Int {
    ActorWordsTests.count(operation, of: result, actor: "actor")
  }

  private func deadlocks(_ result: RunResult, _ operation: String) -> Int? {
    result.phases.flatMap(\.actors).first { $0.name == "actor" }?.operation(operation)?.deadlocks
  }

  @Test(
    "on a connection that the thread would wait for itself are refused each time, and the actor goes on",
    arguments: [
      ("nestedRead(mine)", "{}"), ("nestedWrite(mine)", "{}"), ("nestedRead(mine)", "{api: async}"),
      ("nestedRead(mine)", "{kind: readWrite}"), ("nestedWrite(yours)", "{kind: readWrite}"),
      ("nestedWrite(pool)", "{kind: readWrite, api: async}"),
    ]
  )
  func always(_ operation: String, _ transaction: String) throws {
    // Transactions whose only operation is refused read nothing.
    let loaded = try Self.scenario("operations: {\(operation): 1}, transaction: \(transaction)")
    let result = try run(loaded, unchecked: ["snapshotStability"])
    let count = self.count(operation, result)
    #expect(count > 0)
    #expect(deadlocks(result, operation) == count)
    #expect(self.count(OperationResult.transaction, result) == count)
    #expect((result.samples.last?.deadlocks["actor"]?[operation] ?? 0) <= count)
  }

  @Test(
    "on another connection are done, and what they read and write is right",
    arguments: [
      ("nestedRead(yours)", "{kind: read}"), ("nestedWrite(yours)", "{kind: read}"),
      ("nestedWrite(pool)", "{api: async}"), ("nestedRead(pool)", "{kind: readWrite, operations: 1..4}"),
      ("nestedRead(yours)", "{kind: readWrite, api: async}"),
    ]
  )
  func never(_ operation: String, _ transaction: String) throws {
    let own = transaction.contains("readWrite") ? "set" : "get"
    let result = try run(
      try Self.scenario("operations: {\(operation): 1, \(own): 1}, threads: 2, transaction: \(transaction)"),
      until: { self.count(operation, $0) > 0 }
    )
    #expect(self.count(operation, result) > 0)
    #expect(deadlocks(result, operation) == 0)
    // The others look by time, or at what happens to be read twice.
    for invariant in result.invariants where ["knownAnswers", "monotonicSnapshots"].contains(invariant.name) {
      #expect(invariant.checks > 0, "\(invariant.name)")
    }
  }

  @Test("that are refused leave no trace of what the transaction around them has written")
  func rollback() throws {
    let actor = """
      operations: {set: 3, remove: 1, setMetadata: 1, get: 2, removeCollection: 1, nestedWrite(yours): 2},
            transaction: {operations: 1..6}
      """
    let loaded = try Self.scenario(actor)
    let result = try run(loaded, unchecked: ["snapshotStability"]) { self.deadlocks($0, "nestedWrite(yours)") ?? 0 > 0 }
    let count = try #require(deadlocks(result, "nestedWrite(yours)"))
    // Those behind a refused one are not done any more.
    #expect(count > 0 && count == self.count("nestedWrite(yours)", result))
    #expect(self.count(OperationResult.transaction, result) >= count)
  }

  @Test("whose rollback leaves something behind are found", arguments: [Falsification.keepsRolledBackValues])
  func plantedBug(_ bug: Falsification) throws {
    let actor = "operations: {set: 1, get: 2, nestedWrite(yours): 1}, transaction: {operations: 4}"
    let result = try RunningScenarios.run(try Self.scenario(actor, end: "for: 20s"), falsification: bug)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
  }

  /// The interleaving is not forced here: it comes, sooner or later.
  @Test("that cross each other are refused, and both actors go on")
  func crossing() throws {
    let one = "operations: {nestedRead(yours): 1, get: 1}, transaction: {operations: 6}, threads: 2"
    let two = "operations: {nestedRead(mine): 1, get: 1}, transaction: {operations: 6}, threads: 2"
    let loaded = try Self.scenario(one, others: two, end: "operations: 20000")
    var found = 0
    for _ in 1...20 where found == 0 {
      let result = try run(loaded)
      let nesting = result.phases.flatMap(\.actors).flatMap(\.operations).filter { $0.deadlocks != nil }
      found += nesting.reduce(0) { $0 + ($1.deadlocks ?? 0) }
      #expect(nesting.map(\.name).sorted() == ["nestedRead(mine)", "nestedRead(yours)"])
    }
    #expect(found > 0)
  }

  @Test("end the bookmark that an earlier phase has left on the connection that they write on")
  func bookmarkOfEarlierPhase() throws {
    let loaded = try Self.scenario(
      "operations: {nestedWrite(yours): 1}",
      others: "operations: {get: 1}, snapshot: {longLived: never}",
      phases: """
        [{name: stays, operations: 50, actors: [other, writer]}, {name: run, operations: 100, actors: [actor, writer]},
           {name: again, operations: 50, actors: [other, writer]}]
        """
    )
    let result = try run(loaded)
    #expect(count("nestedWrite(yours)", result) > 0 && deadlocks(result, "nestedWrite(yours)") == 0)
  }

  /// Each thread is inside of its transaction before any begins the other: the interleaving is forced.
  @Test("in a circle: the driver tells that one of them was refused for a deadlock", arguments: [2, 3, 5])
  func circle(_ count: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Drivers.open(EngineSettings(driver: .yap), path: folder.path + "/file.sqlite")
    let connections = try (0..<count).map { try database.connect(ConnectionSettings(name: "\($0)")) }
    let inside = Guarded(0)
    let allInside = StartGate()
    let outcomes = Guarded<[Bool?]>([])
    try onThreads(count) { index in
      do {
        try connections[index].read { _ in
          let isLast = inside.withLock { inside in
            inside += 1
            return inside == count
          }
          if isLast { allInside.open() }
          allInside.wait()
          try connections[(index + 1) % count].read { _ in }
        }
        outcomes.withLock { $0.append(nil) }
      } catch {
        let isDeadlock = database.isDeadlock(error)
        outcomes.withLock { $0.append(isDeadlock) }
      }
    }
    #expect(outcomes.withLock { $0.filter { $0 == true }.count } == 1)
    #expect(outcomes.withLock { $0.filter { $0 == nil }.count } == count - 1)
    #expect(!database.isDeadlock(CancellationError()))
    try database.close()
  }
}
