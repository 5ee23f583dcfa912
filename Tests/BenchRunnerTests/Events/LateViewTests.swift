import BenchDrivers
import BenchResults
import BenchScenario
import Foundation
import LatencyMetrics
import Testing

@testable import BenchRunner

/// A view that is registered while others read.
@Suite("A view that an event registers") struct LateViewTests {
  private func scenario(
    events: String = "{at: 200ms, do: register(shown)}",
    views: String = "",
    writes: String = "set: 4, remove: 1, viewAt: 1",
    invariants: String = "knownAnswers, snapshotStability, monotonicSnapshots, exactlyOnceNotifications"
  ) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: late
        summary: A view that comes late.
        seed: 8
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 300, value: {size: 64B..256B}}
          others: {rows: 50, value: {size: 64B}}
        views: [{name: shown, collection: rows, group: bucket(3), sort: commit}\(views)]
        connections: {newest: {}, following: {}, staying: {}, moving: {}, writing: {}}
        actors:
          look: {connection: newest, operations: {viewAt: 1, viewRange(20): 1}, collection: rows, load: {rate: 300/s}}
          follow:
            connection: following
            operations: {viewAt: 1, viewRange(20): 1}
            collection: rows
            snapshot: {longLived: onNotification}
            load: {rate: 300/s}
          stay:
            connection: staying
            operations: {viewAt: 1, get: 1}
            collection: rows
            snapshot: {longLived: never}
            load: {rate: 300/s}
          writer:
            connection: writing
            operations: {\(writes)}
            collection: rows
            load: {rate: 300/s}
        phases:
          - {name: run, for: 1500ms, actors: [look, follow, stay, writer], events: [\(events)]}
          - name: moved
            for: 200ms
            actors: {look: {}, stay: {snapshot: {longLived: onNotification}}, writer: {}}
        invariants: [\(invariants)]
        """
    )
  }

  /// Beside other work the thread of the events may get no turn in so short a phase: then it has to run once more.
  private func run(_ loaded: LoadedScenario) throws -> RunResult {
    var result = try RunningScenarios.run(loaded)
    for _ in 1...5 where result.phases.contains(where: { $0.events.contains { $0.outcome == .notReached } }) {
      result = try RunningScenarios.run(loaded)
    }
    return result
  }

  @Test(
    arguments: [
      "{at: 200ms, do: register(shown)}", "{at: 0s, do: register(shown)}",
      "{at: 100ms, do: register(shown)}, {at: 300ms, do: kill}, {at: 400ms, do: reopen}",
    ]
  )
  func `is there from its commit on, and nobody sees it before`(events: String) throws {
    let result = try run(try scenario(events: events))
    RunningScenarios.expectRight(result)
    for invariant in result.invariants { #expect(invariant.checks > 0, "\(invariant)") }
    let event = try #require(result.phases.flatMap(\.events).first)
    #expect(event.outcome == .done && event.detail.hasPrefix("registered by commit "), "\(event)")
    let timed = result.latencies.first { $0.operation == "register" && $0.kind == .service }
    #expect(timed?.actor == "events" && timed?.histogram.count == 1)
  }

  @Test func `beside others is the only one that is late`() throws {
    let result = try run(try scenario(views: ", {name: early, collection: others}"))
    #expect(result.invariants.allSatisfy { $0.violations.isEmpty }, "\(result.invariants)")
    #expect(result.phases.flatMap(\.events).map(\.outcome) == [.done])
  }

  @Test(
    arguments: [
      // A bookmark from before finds it.
      (Falsification.showsTheNewestView, "but was registered after commit"),
      // Connections from before its registration do not find it.
      (.missesLateViews, "does not exist at snapshot"),
    ]
  )
  func `in an engine with a planted bug is found`(bug: Falsification, violation: String) throws {
    // Without changes the view's rows are the same at all snapshots, so only its existence can be wrong.
    let scenario = try scenario(
      events: "{at: 700ms, do: register(shown)}",
      writes: "viewAt: 1",
      invariants: "knownAnswers"
    )
    var result = try RunningScenarios.run(scenario, falsification: bug)
    // Beside other work the bookmark may come after the registration: then it has to run once more.
    for _ in 1...5 where result.invariants[0].violations.isEmpty {
      result = try RunningScenarios.run(scenario, falsification: bug)
    }
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    #expect(result.invariants[0].violations.contains { $0.contains(violation) }, "\(result.invariants)")
  }

  @Test func `whose registration fails was not registered`() throws {
    let scenario = try scenario().scenario
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try Drivers.open(
      scenario.engine,
      dataset: scenario.dataset,
      views: scenario.firstViews,
      path: folder.path + "/file.sqlite"
    )
    let context = try RunContext(scenario, seed: 1, database: database)
    let view = try #require(context.lateViews["shown"])
    try database.close()
    #expect(throws: (any Error).self) { try context.register("shown") }
    #expect(throws: RunError.self) { try context.register("unknown") }
    #expect(view.objection(to: false, at: 100) == nil)
    #expect(view.objection(to: true, at: 100) != nil)
    #expect(!context.mustStop)
  }
}
