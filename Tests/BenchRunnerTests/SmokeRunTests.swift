import BenchModel
import BenchRunner
import Foundation
import Testing

@Suite("A run of a scenario")
struct SmokeRunTests {
  @Test("every scenario of the project runs")
  func everyScenario() throws {
    for path in try Scenarios.paths() {
      let result = try Scenarios.smoke(path)
      #expect(result.verdict.exitCode == 0, "\(path): \(result.verdict)")
    }
  }
}

enum Scenarios {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func paths() throws -> [String] {
    let folder = root.appendingPathComponent("Scenarios").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { folder + "/" + $0 }
  }

  static func smoke(_ path: String) throws -> RunResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let loaded = try ScenarioLoader.load(path: path)
    return try BenchmarkRun(loaded, options: RunOptions(dataFolder: folder, isSmoke: true)).perform()
  }
}
