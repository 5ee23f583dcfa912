import BenchDrivers
import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import BenchRunner

/// Short runs of the stalled reader on the real engine, whose parts must add up.
struct BlameRunTests {
  private static func stalledReader(stretch: UInt64, falsification: Falsification? = nil) throws -> RunResult {
    let path = Repository.root.appendingPathComponent("Scenarios/wal/stalled-reader.yaml").path
    let changes = [
      "dataset.messages.rows": "2k", "measure.every": "10ms", "phases.warm.for": "\(200 * stretch)ms",
      "phases.stall.for": "\(1_000 * stretch)ms",
    ]
    let overrides = changes.sorted { $0.key < $1.key }.map { ScenarioOverride(path: $0.key, value: $0.value) }
    return try RunningScenarios.run(
      ScenarioLoader.load(path: path, overrides: overrides),
      falsification: falsification
    )
  }

  @Test func `Frames held by one, held by several, not yet copied and reusable add up to the area of the WAL`()
    throws
  {
    let missing = try RunningScenarios.neverShown { stretch in
      let result = try Self.stalledReader(stretch: stretch)
      #expect(BlameParts(result).faults == [])
      #expect(LedgerRows.faults(result) == [])
      let stalled = result.blame.connections.first { $0.name == "ui" }?.aloneByteSeconds ?? 0
      return stalled > 0 ? [] : ["ui holds something"]
    }
    #expect(missing.isEmpty)
  }

  @Test func `Frames that the engine counts twice are detected`() throws {
    let missing = try RunningScenarios.neverShown { stretch in
      let parts = try BlameParts(Self.stalledReader(stretch: stretch, falsification: .countsHeldFramesTwice))
      return parts.faults.contains { $0.hasPrefix("what is held is told") } ? [] : ["more is told than is held"]
    }
    #expect(missing.isEmpty)
  }

  @Test func `Wait and service add up to the response of every operation`() throws {
    let result = try Self.stalledReader(stretch: 1)
    #expect(TimeParts.faults(result.latencies, result.phases) == [])
  }
}
