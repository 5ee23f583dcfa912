import BenchResults
import BenchScenario
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchRunner

/// Runs whose engine is ended during its work, with every suitable invariant.
@Suite("A run that ends its engine's process", .long) struct RestartRunTests {
  private func scenario(
    _ event: String,
    driver: DriverKind = .yap,
    snapshot: String = "latest",
    stretch: UInt64 = 1
  ) throws -> LoadedScenario {
    let ofYap = driver == .yap ? ", exactlyOnceNotifications, cacheCoherence" : ""
    return try ScenarioLoader.load(
      text: """
        format: 1
        name: restart
        summary: Readers, writers, and an engine that goes and comes back.
        seed: 12
        engine: {driver: \(driver.rawValue), synchronous: off}
        dataset:
          rows: {rows: 200, value: {size: 64B}, metadata: {size: 32B}}
          accounts: {rows: 20, value: {size: 64B}}
        connections: {reading: {count: 2}, writing: {}, other: {}, passing: {}, moving: {}}
        actors:
          reader:
            connection: reading
            threads: 2
            operations: {get: 4, getMetadata: 1, multiGet(10): 1}
            collection: rows
            load: {rate: 500/s}
            snapshot: \(snapshot)
          writer:
            connection: writing
            operations: {set: 8, replace: 2, remove: 2, removeCollection: 1, get: 1}
            transaction: {operations: 1..6}
            collection: rows
            load: closed
          other: {connection: other, operations: {set: 4, setMetadata: 1}, collection: rows, load: {rate: 200/s}}
          visitor:
            connection: passing
            connectionLifetime: perTransaction
            operations: {exists: 1, get: 1}
            collection: rows
            load: {rate: 50/s}
          mover: {connection: moving, operations: {transfer(3): 1}, collection: accounts, load: {rate: 100/s}}
        phases:
          - name: run
            for: \(1500 * stretch)ms
            actors: [reader, writer, other, visitor, mover]
            events:
              - {at: \(200 * stretch)ms, do: \(event)}
              - {at: \(600 * stretch)ms, do: \(event)}
              - {at: \(700 * stretch)ms, do: \(event)}
          - {name: after, for: \(100 * stretch)ms, actors: [reader, writer]}
        expect:
          - run recovery.duration.max < 1h
          - run/events.\(event) response.max < 1h
          - \(driver.has(.countedFiles) ? "run io.writeAmplification > 1" : "run io.logicalBytes.sum > 1KiB")
        invariants: [knownAnswers, snapshotStability, monotonicSnapshots, atomicCommits, conservation\(ofYap)]
        """
    )
  }

  @Test(
    arguments: ["kill", "reopen"],
    ["{longLived: onNotification}", "{longLived: every(10ms)}"].map { (DriverKind.yap, $0) }
      + DriverKind.storing.flatMap { driver in ["latest", "{longLived: never}"].map { (driver, $0) } }
  )
  func `continues with all acknowledged commits`(event: String, kind: (driver: DriverKind, snapshot: String)) throws {
    let neverShown = try RunningScenarios.neverShown { stretch in
      let loaded = try scenario(event, driver: kind.driver, snapshot: kind.snapshot, stretch: stretch)
      return try check(RunningScenarios.run(loaded))
    }
    #expect(neverShown == [])
  }

  /// Checks the results of a run, and returns the names of those that it has not shown.
  private func check(_ result: RunResult) throws -> Set<String> {
    RunningScenarios.expectRight(result, orExit: .expectationFailed)
    let events = result.phases.flatMap(\.events)
    for event in events where event.outcome != .notReached {
      #expect(event.outcome == .done, "\(event)")
      #expect((event.recovery?.durationNanoseconds ?? 0) > 0)
      #expect((event.recovery?.frames != nil) == (DriverKind(rawValue: result.driver)?.has(.wal) == true))
    }
    #expect(result.notes.contains { $0.contains("process of its own") })

    let written = result.samples.compactMap(\.writes).map { [$0.wal.bytes, $0.database.bytes] }
    for (earlier, later) in zip(written, written.dropFirst()) {
      #expect(zip(earlier, later).allSatisfy { $0 <= $1 }, "a new engine counts on where the one before has ended")
    }

    let last = events.compactMap(\.endedNanoseconds).max() ?? .max
    let goesOn = result.samples.contains {
      $0.elapsedNanoseconds > last && $0.finishedTransactions.values.contains { $0 > 0 }
    }
    return Set(result.invariants.filter { $0.checks == 0 }.map(\.name))
      .union(result.expectations.filter { $0.measuredValue == nil }.map(\.source))
      .union(events.contains { $0.outcome == .done } ? [] : ["an event"])
      .union(goesOn ? [] : ["work afterwards"])
  }

  @Test func `is killed at the n-th commit and at the n-th checkpoint`() throws {
    let counted = try scenario("kill").expandedYAML.replacing("at: 200ms", with: "at: commits(30)")
      .replacing("at: 600ms", with: "at: checkpoints(2)").replacing("at: 700ms", with: "at: commits(90)")
    let neverShown = try RunningScenarios.neverShown { _ in
      let result = try RunningScenarios.run(ScenarioLoader.load(text: counted))
      let conditions = result.phases.flatMap(\.events).compactMap(\.condition)
      #expect(conditions == ["commits(30)", "checkpoints(2)", "commits(90)"])
      return try check(result)
    }
    #expect(neverShown == [])
  }

  @Test func `an engine that loses its WAL is detected`() throws {
    let result = try RunningScenarios.run(scenario("kill"), falsification: .opensWithoutTheWAL)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    let violations = result.invariants.flatMap(\.violations)
    #expect(violations.contains { $0.contains("was acknowledged") }, "\(violations)")
  }

  @Test func `invariants that need the engine's instances are rejected`() throws {
    let problems = #expect(throws: ScenarioDiagnostics.self) {
      try ScenarioLoader.load(
        text: """
          format: 1
          name: restart
          summary: Documents.
          dataset:
            rows: {rows: 200, value: {size: 64B}, codec: json}
          connections: {reading: {}}
          actors:
            reader: {connection: reading, operations: {get: 1}, collection: rows, load: closed}
          phases:
            - {name: run, for: 1s, actors: [reader], events: [{at: 0s, do: kill}]}
          invariants: [noAliasing]
          """
      )
    }
    #expect(
      problems?.diagnostics.map(\.message) == [
        "\"noAliasing\" needs the engine's instances, but the event \"kill\" runs the engine in a separate "
          + "process; leave one of them out"
      ]
    )
  }
}
