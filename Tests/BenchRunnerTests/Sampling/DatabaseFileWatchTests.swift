import BenchDrivers
import Foundation
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A database that is removed during a run") struct DatabaseFileWatchTests {
  private func withFolder(_ body: (_ database: String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder + "/file.sqlite")
  }

  private func write(_ path: String) throws { try Data("pages".utf8).write(to: URL(fileURLWithPath: path)) }

  @Test(arguments: ["", "-wal"]) func `a file that is removed or replaced is noticed`(suffix: String) throws {
    try withFolder { path in
      try write(path)
      var watch = DatabaseFileWatch(path: path, outage: nil)
      #expect(watch.check() == nil)
      // A WAL may come later.
      try write(path + "-wal")
      #expect(watch.check() == nil && watch.check() == nil)
      try FileManager.default.moveItem(atPath: path + suffix, toPath: path + "-moved")
      #expect(watch.check()?.hasPrefix("the database file \(path)\(suffix) was removed during the run; ") == true)
      try write(path + suffix)
      #expect(watch.check()?.contains("\(path)\(suffix) was replaced by another file during the run; ") == true)
    }
  }

  @Test func `an engine that closes and opens the database may replace its files`() throws {
    try withFolder { path in
      try write(path)
      try write(path + "-wal")
      let outage = Outage()
      var watch = DatabaseFileWatch(path: path, outage: outage)
      #expect(watch.check() == nil)
      outage.begin()
      try FileManager.default.removeItem(atPath: path + "-wal")
      #expect(watch.check() == nil)
      outage.end()
      #expect(watch.check() == nil)
      try write(path + "-wal")
      #expect(watch.check() == nil)
      try FileManager.default.removeItem(atPath: path + "-wal")
      #expect(watch.check() != nil)
    }
  }

  @Test(arguments: ["folder", "-wal"]) func `the run ends as failed, with the path`(what: String) throws {
    let loaded = try ScenarioLoader.load(
      text: """
        format: 1
        name: removed
        summary: A writer whose database goes away.
        seed: 5
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 50, value: {size: 64B}}
        connections: {writing: {}}
        actors:
          writer: {connection: writing, operations: {set: 1}, collection: rows, load: {rate: 500/s}}
        phases:
          - {name: run, for: 10m, actors: [writer]}
        measure: {every: 10ms}
        """
    )
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let samples = Guarded(0)
    let options = RunOptions(dataFolder: folder, keepsDatabase: true, isSmoke: false)
    let result = try ScenarioRun.perform(loaded, options: options) {
      guard case .sampled = $0,
        samples.withLock({
          $0 += 1; return $0
        }) == 3
      else { return }
      let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      let wal = files.first { $0.hasSuffix("-wal") } ?? ""
      unlink("\(folder)/\(wal)")
      if what == "folder" { unlink("\(folder)/\(wal.dropLast("-wal".count))") }
    }
    #expect(result.verdict.exitCode == .internalError)
    let failure = try #require(result.verdict.reasons.first { $0.contains("during the run") })
    #expect(failure.contains("the database file \(folder)/") && failure.contains("removed.sqlite"))
    #expect(failure.contains(what == "folder" ? ".sqlite was removed" : ".sqlite-wal was removed"))
  }

  @Test func `an engine that cannot open the database again ends the run with the event and its phase`() throws {
    try withFolder { path in
      let settings = EngineSettings(driver: .sqlite, synchronous: .off)
      let rows = DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))
      let process = try EngineProcess(settings, dataset: [rows], views: [], path: path)
      let scenario = Scenario(
        name: "restart",
        summary: "",
        engine: settings,
        dataset: [rows],
        connections: [ConnectionSettings(name: "connection")],
        actors: [],
        phases: [],
        invariants: []
      )
      let context = try RunContext(scenario, seed: 1, database: process, databasePath: path)
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(throws: (any Error).self) {
        try context.restartEngine(isKilled: true, in: "the event kill in phase \"run\"")
      }
      let failure = try #require(context.failures.failure)
      #expect(failure.hasPrefix("the event kill in phase \"run\": the engine did not reopen the database: "))
      #expect(failure.hasSuffix("; the database is \(path)"))
    }
  }
}
