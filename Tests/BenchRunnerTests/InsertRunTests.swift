import BenchResults
import BenchScenario
import TestSupport
import Testing

@testable import BenchRunner

/// Runs in which actors insert rows, with every suitable invariant.
@Suite("A collection that grows", .long) struct InsertRunTests {
  /// - Parameter phase: The end of the phase. Otherwise it ends when each actor has done 600 operations, so that none
  ///   is left out whose threads get no turn beside those of the other.
  private func scenario(
    reader: String = "operations: {get: 3, exists: 1}, keys: latest",
    writer: String = "operations: {insert: 4, set: 1, remove: 1}, keys: latest, transaction: {operations: 1..4}",
    driver: String = "yap",
    key: String = "ordered",
    inserts: Int = 100_000,
    views: String = "[]",
    invariants: String = "knownAnswers, snapshotStability, monotonicSnapshots",
    phase: String? = nil
  ) throws -> LoadedScenario {
    let engine = driver == "null" ? "{driver: null}" : "{driver: \(driver), synchronous: off}"
    let count = phase == nil ? "operationCount: 600, " : ""
    let atomic = writer.contains("transaction") ? ", atomicCommits" : ""
    return try ScenarioLoader.load(
      text: """
        format: 1
        name: growing
        summary: A reader of a collection that grows.
        seed: 21
        engine: \(engine)
        dataset:
          rows: {rows: 50, inserts: \(inserts), key: \(key), value: {size: 64B}, metadata: {size: 32B}}
        \(views == "[]" ? "" : "views: \(views)")
        connections: {reading: {}, writing: {count: 2}, other: {}}
        actors:
          reader: {connection: reading, collection: rows, threads: 2, \(count)\(reader)}
          writer: {connection: writing, collection: rows, threads: 2, \(count)\(writer)}
        phases:
          - {name: run, actors: [reader, writer]\(phase.map { ", \($0)" } ?? "")}
        \(driver == "null" ? "" : "invariants: [\(invariants)\(atomic)]")
        """
    )
  }

  private func count(_ operation: String, _ result: RunResult, actor: String = "writer") -> Int {
    ActorWordsTests.count(operation, of: result, actor: actor)
  }

  @Test(
    arguments: DriverKind.storing,
    [
      ("ordered", "operations: {get: 3, getRow: 1, exists: 1, multiGet(5): 1}, keys: latest"),
      ("hashed", "operations: {scan(1..20): 2, get: 1, enumerate: 1}, keys: scrambledZipfian"),
      ("ycsbHashed(1)", "operations: {scan(1..20): 1, get: 1}, keys: latest, snapshot: {longLived: never}"),
      ("ycsbOrdered(1)", "operations: {scan(30): 2, get: 1}, keys: exponential(90% 20%)"),
      ("ordered", "operations: {scan(1..20): 1, enumerate: 1}, keys: latest, snapshot: {longLived: every(5ms)}"),
      ("hashed", "operations: {get: 1, scan(3): 1, insert: 1, enumerate: 1}, transaction: {operations: 1..5}"),
    ]
  )
  func `is read right while several threads insert`(_ driver: DriverKind, form: (key: String, reader: String)) throws {
    let loaded = try scenario(reader: form.reader, driver: driver.rawValue, key: form.key)
    let result = try RunningScenarios.run(loaded, unchecked: ["snapshotStability"])
    RunningScenarios.expectRight(result)
    #expect(count("insert", result) > 0)
    #expect(result.invariants.contains { $0.name == "knownAnswers" && $0.checks > 0 })
    #expect((result.rowsAtEnd["rows"] ?? 0) > 50)
  }

  @Test func `belongs to the null driver too, which needs no room`() throws {
    // A slow reader leaves nearly all of the operations to the writer.
    let reader = "operations: {get: 1, scan(1..9): 1}, keys: latest, load: {closed: {think: 5ms}}"
    let result = try RunningScenarios.run(
      try scenario(reader: reader, driver: "null", key: "ycsbHashed(1)", inserts: 10, phase: "operations: 2000")
    )
    RunningScenarios.expectRight(result)
    #expect(count("insert", result) > 10)
  }

  @Test(arguments: DriverKind.storing) func `ends the run when it is full`(_ driver: DriverKind) throws {
    let result = try RunningScenarios.run(
      try scenario(writer: "operations: {insert: 1}", driver: driver.rawValue, inserts: 20, phase: "for: 60s")
    )
    #expect(result.verdict.exitCode == .internalError, "\(result.verdict)")
    let reason = "the collection \"rows\" is full: it has room for 20 inserts: raise its \"inserts\""
    #expect(result.verdict.reasons.contains { $0.contains(reason) }, "\(result.verdict)")
  }

  @Test(arguments: [
    "{name: shown, collection: rows}", "{name: shown, collection: rows, group: bucket(3), sort: commit}",
  ])
  func `is shown by its views`(view: String) throws {
    for snapshot in ["latest", "{longLived: onNotification}"] {
      let reader = "operations: {viewAt: 1, viewRange(20): 1, get: 1}, keys: latest, snapshot: \(snapshot)"
      let result = try RunningScenarios.run(try scenario(reader: reader, views: "[\(view)]")) { result in
        count("insert", result) > 0 && count("viewRange(20)", result, actor: "reader") > 0
      }
      RunningScenarios.expectRight(result)
      #expect(count("insert", result) > 0 && count("viewRange(20)", result, actor: "reader") > 0)
    }
  }

  /// The reader moves its bookmark to rows that may be lost by the next kill.
  @Test(arguments: DriverKind.storing, ["kill", "reopen"])
  func `keeps every acknowledged insert when the engine ends`(_ driver: DriverKind, event: String) throws {
    let missing = try RunningScenarios.neverShown { stretch in
      let times = [100, 300, 350, 500].map { $0 * stretch }
      let events = times.map { "{at: \($0)ms, do: \(event)}" }.joined(separator: ", ")
      let loaded = try scenario(
        reader: "operations: {get: 3, scan(1..20): 1}, keys: latest, snapshot: {longLived: onNotification}",
        writer: "operations: {insert: 4, remove: 1}, keys: latest, transaction: {operations: 1..6}",
        driver: driver.rawValue,
        key: "hashed",
        phase: "for: \(700 * stretch)ms, events: [\(events)]"
      )
      let result = try RunningScenarios.run(loaded)
      RunningScenarios.expectRight(result)
      let isDone = result.phases.flatMap(\.events).contains { $0.outcome == .done }
      return Set(isDone && count("insert", result) > 0 ? [] : ["an event and an insert"])
    }
    #expect(missing == [])
  }

  @Test func `has no trace of inserts that were rolled back`() throws {
    let writer = """
      operations: {insert: 6, get: 2, remove: 1, nestedWrite(other): 1}, keys: latest, transaction: {operations: 1..6}
      """
    func refused(_ result: RunResult) -> Int {
      result.phases.flatMap(\.actors).first { $0.name == "writer" }?.operation("nestedWrite(other)")?.deadlocks ?? 0
    }
    let result = try RunningScenarios.run(try scenario(writer: writer)) { refused($0) > 0 && count("insert", $0) > 0 }
    RunningScenarios.expectRight(result)
    #expect(refused(result) > 0)
    #expect(count("insert", result) > 0)
  }

  @Test(
    arguments: [
      (Falsification.losesInserts, "latest"), (.losesInserts, "{longLived: onNotification}"),
      (.showsInsertsEarly, "{longLived: never}"),
    ]
  )
  func `that is not what it must be is found`(bug: Falsification, snapshot: String) throws {
    let loaded = try scenario(
      reader: "operations: {get: 1}, keys: latest, snapshot: \(snapshot)",
      writer: "operations: {insert: 1}",
      invariants: "knownAnswers",
      phase: "for: 20s"
    )
    let result = try RunningScenarios.run(loaded, falsification: bug)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    let expected = bug == .losesInserts ? "is missing, but commit" : "which is later than snapshot"
    let violations = result.invariants.first { $0.name == "knownAnswers" }?.violations ?? []
    #expect(violations.contains { $0.contains(expected) }, "\(violations)")
  }

  @Test func `that has lost an insert is found at the end, even if no actor has read it`() throws {
    let loaded = try scenario(
      // A slow reader leaves nearly all of the operations to the writer.
      reader: "operations: {get: 1}, keys: uniform, load: {rate: 20/s}",
      writer: "operations: {insert: 1}",
      invariants: "knownAnswers",
      phase: "operations: 400"
    )
    let result = try RunningScenarios.run(loaded, falsification: .losesInserts)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    let violations = result.invariants.first { $0.name == "knownAnswers" }?.violations ?? []
    #expect(violations.contains { $0.hasPrefix("at the end: ") }, "\(violations)")
  }
}
