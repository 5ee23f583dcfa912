import BenchModel
import Foundation
import LatencyMetrics
import Testing

@testable import BenchRunner

/// The stalled reader on the real engine, cut short: its parts against their wholes.
struct BlameRunTests {
  private static func stalledReader(stretch: UInt64) throws -> RunResult {
    let path = RunningScenarios.root.appendingPathComponent("Scenarios/wal/stalled-reader.yaml").path
    let changes = [
      "dataset.messages.rows": "2k", "measure.every": "10ms", "phases.warm.for": "\(200 * stretch)ms",
      "phases.stall.for": "\(1_000 * stretch)ms",
    ]
    let overrides = changes.sorted { $0.key < $1.key }.map { ScenarioOverride(path: $0.key, value: $0.value) }
    return try RunningScenarios.run(ScenarioLoader.load(path: path, overrides: overrides))
  }

  /// Bytes × seconds under `value` in the recorded phases, between two samples a straight line.
  private func area(_ result: RunResult, _ value: (EngineSample) -> Int) -> Double {
    let recorded = result.phases.filter(\.isRecorded).map(\.name)
    return zip(result.samples, result.samples.dropFirst()).reduce(0) { sum, pair in
      guard pair.0.phase == pair.1.phase, recorded.contains(pair.0.phase) else { return sum }
      let seconds = Double(pair.1.elapsedNanoseconds - pair.0.elapsedNanoseconds) / 1e9
      return sum + Double(value(pair.0) + value(pair.1)) / 2 * seconds
    }
  }

  @Test func `What each held alone, several together, nobody yet copied, and what is free, is the area of the WAL`()
    throws
  {
    let missing = try RunningScenarios.neverShown { stretch in
      let result = try Self.stalledReader(stretch: stretch)
      let blame = result.blame
      let alone = blame.connections.map(\.aloneByteSeconds).reduce(0, +)
      let parts = alone + blame.togetherByteSeconds + blame.notCopiedByteSeconds + blame.freeByteSeconds
      #expect(abs(parts - blame.walByteSeconds) <= 0.02 * blame.walByteSeconds, "\(blame)")
      // And each of them is what the samples show, added up here by itself.
      let frameBytes = result.pageSizeBytes + 24
      let sums = [
        (blame.walByteSeconds, area(result) { $0.wal?.bytes ?? 0 }),
        (alone, area(result) { $0.connections.map(\.framesHeldAlone).reduce(0, +) * frameBytes }),
        (alone + blame.togetherByteSeconds, area(result) { ($0.wal?.heldFrames ?? 0) * frameBytes }),
        (
          alone + blame.togetherByteSeconds + blame.notCopiedByteSeconds,
          area(result) { ($0.wal?.backlogFrames ?? 0) * frameBytes }
        ),
      ]
      for (told, shown) in sums { #expect(abs(told - shown) <= 0.02 * blame.walByteSeconds, "\(sums)") }
      let stalled = blame.connections.first { $0.name == "ui" }?.aloneByteSeconds ?? 0
      return stalled > 0 ? [] : ["ui holds something"]
    }
    #expect(missing.isEmpty)
  }

  @Test func `Waiting and service are the response, of every operation`() throws {
    let result = try Self.stalledReader(stretch: 1)
    func sum(_ latency: LatencyResult, _ kind: TimeKind) -> (count: Int, nanoseconds: Double)? {
      result.latencies.first {
        $0.phase == latency.phase && $0.actor == latency.actor && $0.operation == latency.operation && $0.kind == kind
      }.map { ($0.histogram.count, $0.histogram.mean * Double($0.histogram.count)) }
    }
    var checked = 0
    for latency in result.latencies where latency.kind == .response && !latency.histogram.isEmpty {
      guard let wait = sum(latency, .wait), let service = sum(latency, .service), let response = sum(latency, .response)
      else {
        Issue.record("\(latency.actor) \(latency.operation) has a response and not its parts")
        continue
      }
      #expect(wait.count == response.count && service.count <= response.count)
      // Histograms keep three digits, and count nothing as less than a nanosecond.
      let error = abs(wait.nanoseconds + service.nanoseconds - response.nanoseconds)
      #expect(error <= 0.002 * response.nanoseconds + Double(2 * response.count), "\(latency.actor) \(wait) \(service)")
      checked += 1
    }
    #expect(checked > 0)
  }
}
