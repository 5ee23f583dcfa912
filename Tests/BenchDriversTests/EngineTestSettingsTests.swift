import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

@Suite("Changes of the engine for tests") struct EngineTestSettingsTests {
  private static let dataset = [
    DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))
  ]

  /// Returns what a connection reads of a row that it has cached and another connection has changed.
  private func changedRow(inProcess: Bool, _ tests: EngineTestSettings) throws -> [UInt8]? {
    try withTemporaryFolder { folder in
      let settings = EngineSettings(driver: .yap, synchronous: .off)
      let path = folder + "/file.sqlite"
      let database: any DriverDatabase =
        inProcess
        ? try EngineProcess(settings, dataset: Self.dataset, views: [], path: path, tests: tests)
        : try Drivers.open(settings, dataset: Self.dataset, path: path, tests: tests)
      let writer = try database.connect(.plain("writer"))
      let reader = try database.connect(.plain("reader"))
      var found: [UInt8]?
      for byte: UInt8 in [1, 2] {
        try writer.readWrite { try $0.set([byte], metadata: nil, "row", in: "rows") }
        try reader.read { found = try $0.object("row", in: "rows") }
      }
      try database.close()
      return found
    }
  }

  @Test("a planted bug is in the engine, in this process and in another", arguments: [false, true])
  func planted(inProcess: Bool) throws {
    guard DriverBuild.hasTestPoints else { return }
    #expect(try changedRow(inProcess: inProcess, EngineTestSettings()) == [2])
    var tests = EngineTestSettings()
    try tests.plant("connection.forgetsToDropChangedValues")
    #expect(try changedRow(inProcess: inProcess, tests) == [1])
  }

  @Test("pauses change no result")
  func pauses() throws {
    var tests = EngineTestSettings()
    tests.pauseSeed = 7
    #expect(try changedRow(inProcess: false, tests) == [2])
  }

  @Test("an unknown bug, and any bug in a build without test points, is refused with the remedy")
  func refused() {
    var tests = EngineTestSettings()
    let remedy = DriverBuild.hasTestPoints ? "expected one of" : "--traits Jemalloc,TestPoints"
    #expect {
      try tests.plant("connection.pinsLazyly")
    } throws: {
      "\($0)".contains(remedy)
    }
    #expect(tests == EngineTestSettings())
    #expect(EngineTestSettings.bugNames.contains("connection.pinsLazily"))
  }
}
