import Foundation
import LatencyMetrics
import TestSupport

@testable import BenchResults

/// Programs that implement `check` and `run` like yapbench, with prepared records instead of measurements, so that a
/// test of the comparison knows the result.
struct RecordedRuns {
  /// The number of records that differ by noise. The seed of a run selects one of them.
  private static let count: UInt64 = 16

  let folder: TemporaryFolder

  init(in folder: TemporaryFolder) { self.folder = folder }

  /// Writes a program and its records.
  ///
  /// - Parameters:
  ///   - slowdown: The factor of all durations.
  ///   - cacheMisses: The cache misses of the phase on one connection.
  ///   - shell: Shell commands that `run` executes before it writes its record.
  ///   - change: Changes each record.
  /// - Returns: The path of the program.
  func program(
    _ name: String,
    slowdown: Double = 1,
    cacheMisses: Int = 20,
    sqliteVersion: String = "3.40.1",
    shell: String = "",
    change: (inout RunResult) -> Void = { _ in }
  ) throws -> String {
    let records = "\(folder.path)/\(name)-records"
    try FileManager.default.createDirectory(atPath: records, withIntermediateDirectories: true)
    for number in 0..<Self.count {
      let noise = 1 + 0.002 * Double((number * 7) % Self.count)
      var run = Self.run(median: 10_000 * slowdown * noise, sqliteVersion: sqliteVersion)
      run.samples = [(0, 5), (200_000_000, 5 + cacheMisses)].map(Self.sample)
      change(&run)
      let data = try RunDocument.encode(Self.record(run))
      try data.write(to: URL(fileURLWithPath: "\(records)/\(number).json"))
    }
    let script = """
      #!/bin/sh
      case $1 in check) exit 0;; esac
      while [ $# -gt 1 ]; do
        case $1 in --out) out=$2;; --seed) seed=$2;; esac
        shift
      done
      \(shell)
      mkdir -p "$out/run"
      cp "\(records)/$((seed % \(Self.count))).json" "$out/run/run.json"
      """
    return try folder.write(script, to: name, isExecutable: true)
  }

  private static func sample(at nanoseconds: UInt64, cacheMisses: Int) -> EngineSample {
    EngineSample(
      elapsedNanoseconds: nanoseconds,
      phase: "run",
      connections: [
        EngineSample.Connection(name: "ui", caches: .init(object: .init(misses: cacheMisses), metadata: .init()))
      ]
    )
  }

  private static func record(_ run: RunResult) -> ScenarioResult {
    ScenarioResult(
      scenarioYAML: "format: 1\n",
      variants: [ScenarioResult.Variant(name: nil, label: "", settings: [])],
      repetitions: 1,
      runs: [run],
      verdict: run.verdict
    )
  }

  private static func run(median: Double, sqliteVersion: String) -> RunResult {
    var histogram = LatencyHistogram()
    for step in 0..<20_000 { histogram.record(UInt64(median * (0.9 + 0.2 * Double(step) / 20_000))) }
    var actor = ActorResult(name: "ui", load: .closed)
    actor.begunArrivals = 20_000
    actor.operations = [OperationResult(name: OperationResult.transaction, times: [.service: histogram])]
    var run = RunResult()
    run.runID = "5f3c9a72"
    run.scenario = "reads"
    run.seed = 1
    run.driver = "yap"
    run.startedAt = "2026-02-03T04:05:06Z"
    run.environment = environment(sqliteVersion)
    run.pageSizeBytes = 4_096
    run.samplingNanoseconds = 100_000_000
    run.phases = [
      PhaseResult(name: "run", isRecorded: true, endNanoseconds: UInt64(median) * 20_000, actors: [actor])
    ]
    run.harness.nullOperationNanoseconds = 40
    run.harness.clockNanoseconds = 20
    run.verdict.headline = "all held"
    return run
  }

  private static func environment(_ sqliteVersion: String) -> RunEnvironment {
    var environment = RunEnvironment()
    environment.cpu = "a processor"
    environment.coreCount = 2
    environment.memoryBytes = 1 << 33
    environment.kernel = "Linux 6.1"
    environment.fileSystem = "ext4"
    environment.sqliteVersion = sqliteVersion
    environment.sqliteHasWALResetDefect = true
    environment.swiftVersion = "6.3"
    environment.buildMode = "release"
    environment.allocator = "jemalloc"
    environment.loadAverage = 0.5
    return environment
  }
}
