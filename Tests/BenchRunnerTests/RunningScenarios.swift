import BenchModel
import Foundation
import ThreadingPrimitives

@testable import BenchRunner

/// Runs of real scenarios, short enough for a test.
enum RunningScenarios {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every scenario of the project.
  static func paths() throws -> [String] {
    let folder = root.appendingPathComponent("Scenarios").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { folder + "/" + $0 }
  }

  /// Runs every variant in a folder of its own, which is gone afterwards.
  static func runAll(
    _ loaded: LoadedScenario,
    isSmoke: Bool = false,
    plantedBugs: [String] = [],
    keepsDatabase: Bool = false,
    interruption: StopFlag = StopFlag(),
    latencyLog: LatencyLog? = nil,
    inFolder look: (String) throws -> Void = { _ in },
    onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) throws -> ScenarioResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = RunOptions(dataFolder: folder, keepsDatabase: keepsDatabase, isSmoke: isSmoke)
    options.plantedBugs = plantedBugs
    options.latencyLog = latencyLog
    let run = ScenarioRun(
      isSmoke ? loaded.smoke() : loaded,
      options: options,
      interruption: interruption,
      onProgress: onProgress
    )
    let result = try run.perform()
    try look(folder)
    return result
  }

  /// Runs the first variant of a scenario in a folder of its own, which is gone afterwards.
  static func run(
    _ loaded: LoadedScenario,
    isSmoke: Bool = false,
    plantedBugs: [String] = []
  ) throws -> RunResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = RunOptions(dataFolder: folder, isSmoke: isSmoke)
    options.plantedBugs = plantedBugs
    return try BenchmarkRun((isSmoke ? loaded.smoke() : loaded).variants[0], options: options).perform()
  }
}
