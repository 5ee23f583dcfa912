import BenchResults
import BenchScenario
import LatencyMetrics
import Testing

@testable import BenchRunner

/// Reads of views by actors, while other actors move rows in them.
@Suite("A view of a scenario") struct ViewWordsTests {
  static func scenario(
    group: String,
    sort: String,
    codec: String = "raw",
    snapshot: String = "latest",
    rows: Int = 120,
    writing: String = "{set: 4, remove: 1, removeCollection: 1}",
    phase: String = "operations: 800"
  ) throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: views
        summary: Somebody looks at a view while its rows change.
        seed: 8
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: \(rows), value: {size: 64B..256B}, codec: \(codec)}
        views:
          - {name: shown, collection: rows, group: \(group), sort: \(sort)}
        connections: {reading: {}, writing: {}}
        actors:
          reader:
            connection: reading
            operations: {viewAt: 1, viewRange(20): 2}
            collection: rows
            snapshot: \(snapshot)
          writer:
            connection: writing
            operations: \(writing)
            collection: rows
            load: {rate: 500/s}
        phases:
          - {name: run, \(phase), actors: [reader, writer]}
        invariants: [knownAnswers, snapshotStability]
        """
    )
  }

  @Test(arguments: ["all", "bucket(7)"], ViewSort.allCases)
  func `shows each group in its order, and every row as it is`(group: String, sort: ViewSort) throws {
    for (codec, snapshot) in [("raw", "latest"), ("json", "{longLived: onNotification}")] {
      let loaded = try Self.scenario(group: group, sort: sort.rawValue, codec: codec, snapshot: snapshot)
      let result = try RunningScenarios.run(loaded, isSmoke: true) {
        ActorWordsTests.count("viewRange(20)", of: $0) > 0
      }
      #expect(result.verdict.exitCode == .passed, "\(result.verdict)")
      #expect(ActorWordsTests.count("viewRange(20)", of: result) > 0)
      #expect((result.invariants.first?.checks ?? 0) > 0)
    }
  }

  @Test func `that does not fit its snapshot is found by the order of its rows`() throws {
    let loaded = try Self.scenario(
      group: "all",
      sort: "size",
      snapshot: "{longLived: every(20ms)}",
      // More than a few pages of a view.
      rows: 400,
      writing: "{set: 1}",
      phase: "for: 20s"
    )
    let result = try RunningScenarios.run(loaded, falsification: .showsTheNewestView)
    #expect(result.verdict.exitCode == .invariantViolated, "\(result.verdict)")
    // Every row is there in both, and is what its snapshot must show.
    #expect(result.invariants[0].violations.contains { $0.contains("after a row that must follow it") })
  }
}
