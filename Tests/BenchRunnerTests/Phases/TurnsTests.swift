import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("Turns") struct TurnsTests {
  /// Workers that wait for each of their times, then leave; they end their turns in the order in which they get them.
  /// - Parameter arrival: the order in which the workers first wait.
  private func turns(_ times: [[UInt64]], arrival: [Int]) -> [[UInt64]] {
    var order = TurnOrder(workers: times.count)
    var left = times
    var turns: [[UInt64]] = []
    func end(_ worker: Int) -> Int? {
      left[worker].isEmpty ? order.leave(worker) : order.wait(worker, until: left[worker].removeFirst())
    }
    var next: Int?
    for worker in arrival { next = end(worker) }
    while let worker = next {
      #expect(order.turn == worker)
      turns.append([UInt64(worker), order.now])
      next = end(worker)
    }
    #expect(order.turn == nil)
    return turns
  }

  @Test func `the turn goes to the earliest time, and of equal times to the lowest number`() {
    let times: [[UInt64]] = [[10, 30, 30], [20, 30], [5]]
    let expected: [[UInt64]] = [[2, 5], [0, 10], [1, 20], [0, 30], [0, 30], [1, 30]]
    for arrival in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(turns(times, arrival: arrival) == expected)
    }
  }

  @Test func `no turn begins before all workers wait, and the time never decreases`() {
    var order = TurnOrder(workers: 3)
    #expect(order.wait(0, until: 50) == nil && order.turn == nil)
    #expect(order.wait(2, until: 40) == nil)
    #expect(order.leave(1) == 2)
    #expect(order.now == 40)
    // A time that has passed is due now.
    #expect(order.wait(2, until: 10) == 2)
    #expect(order.now == 40)
    #expect(order.leave(2) == 0)
    #expect(order.now == 50)
    #expect(order.leave(0) == nil)
  }

  @Test func `a checkpoint is due in the first turn after each interval`() {
    var order = TurnOrder(workers: 1)
    var due: [UInt64] = []
    for time: UInt64 in [1, 100, 101, 102, 200, 400, 401, 500] {
      _ = order.wait(0, until: time * 1_000_000)
      if order.takeCheckpoint() { due.append(time) }
    }
    #expect(due == [101, 400, 500])
  }

  /// A follower with reads of its own, beside commits at given times.
  private func scenario(_ follower: String = "onNotification", end: String = "for: 50ms") throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: turns
        summary: "Moves and commits in turns."
        seed: 7
        engine: {driver: yap, checkpoint: {mode: passive, every: 1h}}
        dataset: {messages: {rows: 100, value: {size: 64B}}}
        connections: {ui: {}, old: {}, sync: {}}
        actors:
          follow:
            connection: ui
            snapshot: {longLived: \(follower)}
            operations: {get: 1}
            collection: messages
            load: closed
          stay:
            connection: old
            snapshot: {longLived: never}
            operations: {get: 1}
            collection: messages
            load: {rate: 100/s}
          write: {connection: sync, operations: {set: 1}, collection: messages, load: {rate: 1000/s}}
        phases: [{name: run, \(end), actors: [follow, stay, write]}]
        expect: ["abort run wal.bytes.max < 1KiB"]
        """
    )
  }

  private func run(_ loaded: LoadedScenario) throws -> RunResult {
    let folder = try TemporaryFolder()
    var options = RunOptions(dataFolder: folder.path + "/data")
    (options.takesTurns, options.measuresHarness) = (true, false)
    let result = try ScenarioRun.perform(loaded, options: options)
    #expect(result.verdict.exitCode != .invariantViolated, "\(result.verdict)")
    return result.first
  }

  private func transactions(_ run: RunResult) -> [Int] {
    run.phases[0].actors.map { $0.transactions?.endedCount ?? 0 }
  }

  @Test func `a phase has the arrivals of its time, however slow the machine is`() throws {
    for _ in 0..<2 {
      let run = try run(try scenario())
      #expect(run.phases[0].end == .reached)
      // A closed load makes one transaction in each millisecond of the turns.
      #expect(transactions(run) == [49, 5, 50])
    }
  }

  @Test func `a bookmark moves to each commit, or as often as its rule says`() throws {
    for (rule, moves) in [("onNotification", 49), ("every(10ms)", 4), ("after(20ms)", 1)] {
      let run = try run(try scenario(rule))
      let advances = run.phases[0].actors[0].operations.first { $0.name == OperationResult.advance }
      // One more when the phase begins.
      #expect(advances?.endedCount == moves + 1, "\(rule)")
    }
  }

  @Test func `a number of operations ends the phase`() throws {
    #expect(transactions(try run(try scenario(end: "operations: 100"))).reduce(0, +) == 100)
  }

  @Test func `checkpoints are made at fixed times of the turns`() throws {
    #expect(try run(try scenario(end: "for: 350ms")).checkpoints.count == 3)
  }

  @Test func `phases that no turns can reproduce are refused`() throws {
    for (phase, text) in [
      ("{name: run, for: 1s, actors: [write], events: [{at: 0s, do: flushMemory}]}", "phase \"run\" has events"),
      ("{name: run, until: \"wal.bytes > 1MiB\", within: 1s, actors: [write]}", "phase \"run\" waits for a condition"),
    ] {
      let loaded = try ScenarioLoader.load(
        text: """
          format: 1
          name: refused
          summary: "Cannot be run in turns."
          seed: 1
          dataset: {messages: {rows: 10, value: {size: 64B}}}
          connections: {sync: {}}
          actors: {write: {connection: sync, operations: {set: 1}, collection: messages, load: closed}}
          phases: [\(phase)]
          """
      )
      #expect { _ = try run(loaded) } throws: { "\($0)".contains(text) }
    }
  }
}
