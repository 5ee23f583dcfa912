import Foundation
import Testing

@testable import BenchResults
@testable import BenchScenario
@testable import YapBenchCommand

/// Statements of documents and scripts about the files below `Scenarios/`.
struct ScenarioLibraryTests {
  private static let folder = Project.path + "/Scenarios/"

  @Test func `The library's table has each scenario once, in order, with its planned time`() throws {
    let paths = try #require(ScenarioSearch(below: Self.folder)).paths
    let expected = try paths.map { path in
      let time = PlannedTime.text(of: try ScenarioLoader.load(path: path))
      return Row(path: String(path.dropFirst(Self.folder.count)), time: time)
    }
    let text = try String(contentsOfFile: Self.folder + "README.md", encoding: .utf8)
    #expect(text.split(separator: "\n").compactMap(Row.init) == expected)
  }

  @Test func `Each scenario is in a theme's folder, and all names differ`() throws {
    let paths = try #require(ScenarioSearch(below: Self.folder)).paths
    let names = paths.map { URL(fileURLWithPath: $0).lastPathComponent }
    #expect(Set(names).count == names.count)
    #expect(paths.allSatisfy { $0.dropFirst(Self.folder.count).split(separator: "/").count == 2 })
  }

  @Test func `Each engine can do everything in the scenarios for several engines, with equal durability`() throws {
    let drivers = ScenarioSuite.peers.drivers
    #expect(drivers.map(\.rawValue) == ["yap", "sqlite", "grdb", "lmdb", "rocksdb"])
    for path in try #require(ScenarioSearch(below: Self.folder + "peers")).paths {
      let loaded = try ScenarioLoader.load(path: path, drivers: drivers)
      #expect(loaded.variants.map(\.scenario.engine.driver) == drivers)
      #expect(Set(loaded.variants.map(\.scenario.engine.synchronous)).count == 1)
      let excluded = try #require(loaded.engines).exclusions.filter { !$0.subject.hasPrefix("metrics: ") }
      #expect(excluded == [])
    }
  }

  @Test func `The default suite takes about five minutes`() throws {
    let files = ScenarioSuite.standard.names
    #expect(Set(files).count == files.count)
    let seconds = try files.map { file in
      let loaded = try ScenarioLoader.load(path: Self.folder + file)
      return loaded.variants.map { Double($0.scenario.plannedDurationNanoseconds) / 1e9 }.reduce(0, +)
        * Double(loaded.repetitions)
    }
    // Phases that wait for a condition count with their limit, although most take a moment.
    #expect((240...360).contains(seconds.reduce(0, +)))
  }
}

/// A row such as `| [theme/name](theme/name.yaml) | subject | figures | planned time |`.
private struct Row: Equatable {
  var path: String
  var time: String

  init(path: String, time: String) {
    self.path = path
    self.time = time
  }

  init?(_ line: Substring) {
    guard let match = line.wholeMatch(of: /\| \[([^\]]+)\]\(([^)]+)\) \| [^|]+ \| [^|]+ \| ([^|]+) \|/) else {
      return nil
    }
    guard match.2 == match.1 + ".yaml" else { return nil }
    self.init(path: String(match.2), time: String(match.3).trimmingCharacters(in: .whitespaces))
  }
}
