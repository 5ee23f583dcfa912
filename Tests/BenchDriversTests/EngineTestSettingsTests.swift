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

  @Test("pauses change no result, in this process and in another", arguments: [false, true])
  func pauses(inProcess: Bool) throws {
    var tests = EngineTestSettings()
    tests.pauseSeed = 7
    #expect(try changedRow(inProcess: inProcess, tests) == [2])
  }
}
