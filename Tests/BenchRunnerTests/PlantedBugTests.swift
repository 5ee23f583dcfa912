import BenchResults
import BenchScenario
import Testing

/// Proves that invariants find known defects, which are planted between the driver and the runner.
@Suite("A planted bug")
struct PlantedBugTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let bug: Falsification
    /// The invariant that must find it.
    let invariant: String
    /// The settings of the reading connection.
    let reader: String
    let snapshot: String
    /// The settings of the writing connection, which also reads.
    var writer = "{}"
    var codec = "raw"
    /// The policy of all connections.
    var policy = "containment"
    /// The operations of the writer.
    var writing = "operations: {get: 4, set: 8, remove: 1}"
    var testDescription: String { "\(bug) is found by \(invariant)" }
  }

  static let cases = [
    Case(bug: .answersWithAnotherKey, invariant: "knownAnswers", reader: "{}", snapshot: "latest"),
    Case(bug: .forgetsToDropChangedValues, invariant: "knownAnswers", reader: "{}", snapshot: "latest"),
    Case(bug: .forgetsToDropChangedValues, invariant: "cacheCoherence", reader: "{}", snapshot: "latest"),
    Case(
      bug: .forgetsToDropChangedValues,
      invariant: "cacheCoherence",
      reader: "{}",
      snapshot: "{longLived: onNotification}",
      codec: "json"
    ),
    Case(
      bug: .decodesOnceForAll,
      invariant: "noAliasing",
      reader: "{}",
      snapshot: "latest",
      // The writer must decode the documents too, instead of caching what it has stored.
      writer: "{objectCache: false}",
      codec: "json"
    ),
    Case(
      bug: .decodesOnceForAll,
      invariant: "noAliasing",
      reader: "{}",
      snapshot: "{longLived: onNotification}",
      writer: "{objectCache: false}",
      codec: "json",
      policy: "copy"
    ),
    Case(
      bug: .copyHandsOutTheOriginal,
      invariant: "noAliasing",
      reader: "{}",
      snapshot: "latest",
      codec: "json",
      policy: "copy"
    ),
    Case(
      bug: .losesTheBookmark,
      invariant: "snapshotStability",
      reader: "{objectCache: false}",
      snapshot: "{longLived: never}"
    ),
    // Some cached rows are stale and the others are not.
    Case(
      bug: .forgetsToDropChangedValues,
      invariant: "atomicCommits",
      reader: "{objectCacheLimit: 45}",
      snapshot: "latest",
      writing: "operations: {set: 8}\n    transaction: {operations: 4}"
    ),
    Case(
      bug: .forgetsToDropChangedValues,
      invariant: "conservation",
      reader: "{objectCacheLimit: 45}",
      snapshot: "{longLived: onNotification}",
      writing: "operations: {transfer(3): 1}"
    ),
    Case(bug: .goesBackInTime, invariant: "monotonicSnapshots", reader: "{}", snapshot: "latest"),
    Case(
      bug: .skipsANotification,
      invariant: "exactlyOnceNotifications",
      reader: "{}",
      snapshot: "{longLived: every(20ms)}"
    ),
    Case(
      bug: .repeatsANotification,
      invariant: "exactlyOnceNotifications",
      reader: "{}",
      snapshot: "{longLived: every(20ms)}"
    ),
  ]

  /// A reader and a writer of the same few rows. Only one invariant is checked, so that no other can find the bug.
  static func scenario(_ planted: Case, driver: DriverKind = .yap) throws -> LoadedScenario {
    let policy = driver == .yap ? ", defaultObjectPolicy: \(planted.policy)" : ""
    return try ScenarioLoader.load(
      text: """
        format: 1
        name: planted
        summary: A reader and a writer of the same few rows.
        seed: 11
        engine: {driver: \(driver.rawValue), synchronous: off\(policy)}
        dataset:
          rows: {rows: 50, value: {size: 64B}, codec: \(planted.codec)}
        connections:
          reading: \(planted.reader)
          writing: \(planted.writer)
        actors:
          reader:
            connection: reading
            snapshot: \(planted.snapshot)
            operations: {get: 1}
            collection: rows
          writer:
            connection: writing
            \(planted.writing)
            collection: rows
            load: {rate: 500/s}
        phases:
          - {name: run, for: 20s, actors: [reader, writer]}
        invariants: [\(planted.invariant)]
        """
    )
  }

  @Test("is found by its invariant, stops the run, and has the most severe verdict", arguments: cases)
  func isFound(planted: Case) throws {
    let result = try RunningScenarios.run(try Self.scenario(planted), falsification: planted.bug)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    #expect(result.invariants.map(\.name) == [planted.invariant])
    #expect(!result.invariants[0].violations.isEmpty)
    #expect(result.isPartial)
    #expect(result.phases.map(\.end) == [.cutShort])
    #expect(result.phases[0].durationNanoseconds < 20_000_000_000)
    #expect(result.verdict.reasons.contains { $0.contains("--seed 11") }, "it says how to repeat it")
  }

  /// Cases that need neither caches nor reports of changes.
  private static let ofOtherDrivers = [
    Case(bug: .answersWithAnotherKey, invariant: "knownAnswers", reader: "{}", snapshot: "latest"),
    Case(bug: .losesTheBookmark, invariant: "snapshotStability", reader: "{}", snapshot: "{longLived: never}"),
    Case(bug: .goesBackInTime, invariant: "monotonicSnapshots", reader: "{}", snapshot: "latest"),
    Case(
      bug: .forgetsToDropChangedValues,
      invariant: "conservation",
      reader: "{}",
      snapshot: "latest",
      writing: "operations: {transfer(3): 1}"
    ),
  ]

  @Test("is found in other engines too", arguments: DriverKind.others, ofOtherDrivers)
  func isFoundElsewhere(_ driver: DriverKind, planted: Case) throws {
    let loaded = try Self.scenario(planted, driver: driver)
    let result = try RunningScenarios.run(loaded, falsification: planted.bug)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    #expect(result.invariants.map(\.name) == [planted.invariant])
    #expect(!result.invariants[0].violations.isEmpty)
    let unchanged = try RunningScenarios.run(loaded, isSmoke: true)
    #expect(unchanged.verdict.exitCode == .passed, "\(unchanged.verdict)")
    #expect(unchanged.invariants[0].checks > 0)
  }

  @Test("is the only violation: without it the invariants hold", arguments: cases)
  func isAbsent(planted: Case) throws {
    let result = try RunningScenarios.run(try Self.scenario(planted), isSmoke: true)
    #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
    #expect(result.invariants[0].checks > 0)
  }
}
