import BenchResults
import BenchScenario
import Foundation
import LatencyMetrics
import Testing
import ThreadingPrimitives

@testable import BenchRunner

@Suite("The runs of a scenario") struct ScenarioRunTests {
  private static func scenario(
    _ more: String,
    invariants: String = "[knownAnswers]",
    stretch: UInt64 = 1
  ) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: several
        summary: A reader and a writer of the same few rows.
        seed: 5
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 50, value: {size: 64B}, metadata: {size: 32B}, codec: json}
        connections: {reading: {}, writing: {}}
        actors:
          reader: {connection: reading, operations: {getRow: 1}, collection: rows}
          writer: {connection: writing, operations: {set: 1}, collection: rows, load: {rate: 500/s}}
        phases:
          - {name: run, for: \(100 * stretch)ms, actors: [reader, writer]}
        invariants: \(invariants)
        \(more)
        """
    )
  }

  private static let matrix = "matrix: {connections.reading.objectCache: [true, false]}"

  @Test func `are one for each variant and repetition, each on a database of its own`() throws {
    let loaded = try Self.scenario(Self.matrix + "\nrepeat: 2")
    let planned = Guarded<[PlannedRun]>([])
    var folders: [String] = []
    let result = try RunningScenarios.runAll(
      loaded,
      keepsDatabase: true,
      inFolder: { folders = try FileManager.default.contentsOfDirectory(atPath: $0).sorted() },
      onProgress: { progress in
        if case .runBegan(let run) = progress { planned.withLock { $0.append(run) } }
      }
    )
    #expect(folders == ["run-1", "run-2", "run-3", "run-4"])
    let told = planned.withLock { $0 }
    #expect(told == RunOrder.runs(of: ["true", "false"], repetitions: 2, seed: 5))
    #expect(result.runs.map(\.variant) == told.map { loaded.variants[$0.variant].name })
    #expect(result.runs.map(\.repetition) == [1, 1, 2, 2])
    #expect(Set(result.runs.map(\.runID)).count == 4)
    #expect(!result.isPartial)
    #expect(result.schemaVersion == 10)
    for variant in result.variants {
      let runs = result.runs(of: variant)
      #expect(runs.map(\.repetition) == [1, 2])
    }
  }

  @Test func `have the times of the inserts that loaded their rows, unless the driver keeps none`() throws {
    let result = try RunningScenarios.runAll(try Self.scenario("")).runs[0]
    let load = try #require(result.load)
    #expect(load.inserts.count == 50 && load.transactions.count == 1)
    #expect(load.nanoseconds >= load.transactions.maximum && load.transactions.maximum >= load.inserts.maximum)
    #expect(try load.nanoseconds <= #require(result.loadNanoseconds))
    let null = try ScenarioLoader.load(
      text: """
        format: 1
        name: none
        summary: Nothing is stored.
        seed: 5
        engine: {driver: null}
        dataset: {rows: {rows: 50, value: {size: 64B}}}
        connections: {only: {}}
        actors: {loop: {connection: only, operations: {get: 1}, collection: rows}}
        phases: [{name: run, operations: 10, actors: [loop]}]
        """
    )
    #expect(try RunningScenarios.runAll(null).runs[0].load == nil)
  }

  @Test func `have the caches that their variant says`() throws {
    let missing = try RunningScenarios.neverShown { stretch in
      let result = try RunningScenarios.runAll(try Self.scenario(Self.matrix, stretch: stretch))
      let hits = result.variants.map { variant in
        result.runs(of: variant)[0].samples.last?.connections.first { $0.name == "reading" }?.caches?.object.hits
      }
      #expect(result.variants.map(\.label) == ["true", "false"] && hits[1] == 0)
      return (hits[0] ?? 0) > 0 ? [] : ["a hit"]
    }
    #expect(missing == [])
  }

  @Test func `leave no database behind that nobody wants to keep`() throws {
    var folders: [String]?
    let loaded = try Self.scenario("repeat: 2")
    let result = try RunningScenarios.runAll(
      loaded,
      isSmoke: false,
      inFolder: { folders = try FileManager.default.contentsOfDirectory(atPath: $0) }
    )
    #expect(folders == [])
    #expect(result.runs.map(\.variant) == [nil, nil])
  }

  @Test func `of a single one are told without its place, and lie where they are told to`() throws {
    var files: [String] = []
    let began = StopFlag()
    let result = try RunningScenarios.runAll(
      try Self.scenario(""),
      keepsDatabase: true,
      inFolder: { files = try FileManager.default.contentsOfDirectory(atPath: $0) },
      onProgress: { if case .runBegan = $0 { began.raise() } }
    )
    #expect(files.contains("several.sqlite"))
    #expect(!began.isRaised)
    #expect(result.verdict.headline == result.first.verdict.headline)
  }

  @Test func `end with the first that violates an invariant, and say which it was`() throws {
    let result = try RunningScenarios.runAll(
      try Self.scenario("repeat: 50", invariants: "[knownAnswers, cacheCoherence, noAliasing]"),
      falsification: .forgetsToDropChangedValues
    )
    // Mostly the first; beside other work a run may be over before it meets the bug.
    let violated = result.runs.map { $0.verdict.exitCode == .invariantViolated }
    #expect(violated.firstIndex(of: true) == result.runs.count - 1)
    #expect(result.isPartial)
    #expect(result.verdict.exitCode == .invariantViolated)
    #expect(result.verdict.headline.hasPrefix("repetition \(result.runs.count): "))
    #expect(result.verdict.reasons.contains { $0.contains("--seed 5") })
  }

  @Test func `end after a first round of invalid ones, unless all were asked for`() throws {
    // No thread starts so many transactions, so the generator is saturated on every machine.
    let loaded = try ScenarioLoader.load(
      text: """
        {format: 1, name: v, summary: V., seed: 1, engine: {driver: "null"}, connections: {one: {}},
         actors: {fast: {connection: one, operations: {empty: 1}, load: {rate: 30000000/s}}},
         phases: [{name: run, for: 50ms, actors: [fast]}], matrix: {actors.fast.threads: [1, 2]}, repeat: 3}
        """
    )
    let stopped = try RunningScenarios.runAll(loaded, quietWaitNanoseconds: 0)
    #expect(stopped.runs.count == 2 && stopped.isPartial)
    #expect(stopped.verdict.exitCode == .measurementInvalid)
    #expect(stopped.verdict.reasons.contains { $0.hasPrefix("no further run was made: ") })
    let whole = try RunningScenarios.runAll(loaded)
    #expect(whole.runs.count == 6 && whole.verdict.exitCode == .measurementInvalid)
  }

  @Test func `go on after one that broke an expectation, and the verdict names each`() throws {
    let expectation = "run/reader cache.object.hits.sum == 0"
    let missing = try RunningScenarios.neverShown { stretch in
      let loaded = try Self.scenario(Self.matrix + "\nexpect: [\"\(expectation)\"]", stretch: stretch)
      let result = try RunningScenarios.runAll(loaded)
      #expect(result.runs.count == 2)
      // Whether the machine is quiet enough is not what is asked here.
      let broken = result.verdict.reasons.filter { $0.contains("cache.object.hits") }
      #expect(broken.allSatisfy { $0.hasPrefix("variant true: expected \(expectation), measured ") })
      return broken.count == 1 ? [] : ["a broken expectation"]
    }
    #expect(missing == [])
  }

  @Test func `that are interrupted keep what is finished`() throws {
    let interruption = StopFlag()
    let result = try RunningScenarios.runAll(
      try Self.scenario("repeat: 5"),
      interruption: interruption,
      onProgress: { progress in
        if case .runBegan(let run) = progress, run.number == 3 { interruption.raise() }
      }
    )
    #expect(result.runs.count == 3)
    #expect(result.runs.map(\.isPartial) == [false, false, true])
    #expect(result.isPartial)
    #expect(result.verdict.exitCode == .interrupted)
    #expect(result.verdict.headline.hasPrefix("repetition 3: "))
  }

  @Test func `that are all made are not interrupted by a signal after the last check`() throws {
    for repetitions in [1, 2] {
      let interruption = StopFlag()
      let begun = Guarded(0)
      let result = try RunningScenarios.runAll(
        try Self.scenario("repeat: \(repetitions)"),
        interruption: interruption,
        onProgress: { progress in
          if case .phaseBegan = progress { begun.withLock { $0 += 1 } }
          // The harness is measured after all phases and checks.
          if case .finishing(what: "measuring the harness itself") = progress, begun.withLock({ $0 }) == repetitions {
            interruption.raise()
          }
        }
      )
      #expect(interruption.isRaised)
      #expect(result.runs.count == repetitions)
      #expect(result.verdict.exitCode != .interrupted, "\(result.verdict)")
    }
  }

  @Test func `report the expectations that they break while they run, and the figures of each actor`() throws {
    let claims = ["run/reader service.max < 1ns", "run/writer throughput.mean > 40M/s", "run/writer wait.max < 10h"]
    let missing = try RunningScenarios.neverShown { stretch in
      let broken = Guarded<Set<String>>([])
      let actors = Guarded<Set<[String]>>([])
      // The times of a second are known when it is over.
      let loaded = try Self.scenario("expect: \(claims)", stretch: 15 * stretch)
      _ = try RunningScenarios.runAll(
        loaded,
        onProgress: { progress in
          guard case .sampled(let moment) = progress else { return }
          broken.withLock { $0.formUnion(moment.brokenExpectations) }
          _ = actors.withLock { $0.insert(moment.actors.map(\.name)) }
        }
      )
      #expect(actors.withLock { $0 } == [["reader", "writer"]])
      let found = broken.withLock { $0 }
      #expect(found.isSubset(of: [claims[0]]))
      return found.isEmpty ? ["a broken expectation"] : []
    }
    #expect(missing == [])
  }
}
