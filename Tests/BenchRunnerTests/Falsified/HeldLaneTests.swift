import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

/// Checkpoints that hold the write lane, in the ledger of the driver `yap`.
@Suite struct HeldLaneTests {
  @Test(arguments: [false, true], [nil, Falsification.forgetsTheHeldLane])
  func `a checkpoint that holds the write lane is reported as such, and a planted bug is found`(
    isInProcess: Bool,
    falsification: Falsification?
  ) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file.sqlite"
      let settings = EngineSettings(driver: .yap, synchronous: .off)
      let dataset = [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))]
      let opened: any DriverDatabase =
        isInProcess
        ? try EngineProcess(settings, dataset: dataset, views: [], path: path)
        : try Drivers.open(settings, dataset: dataset, path: path)
      let database: any DriverDatabase = falsification.map { FalsifyingDatabase(opened, $0, path: path) } ?? opened
      let connection = try database.connect(ConnectionSettings(name: "one"))
      _ = try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") }
      let made = try database.checkpoint(.full)
      let row = try #require(database.checkpoints(after: made.number - 1).first)
      #expect(row.number == made.number && row.laneNanoseconds == made.laneNanoseconds)
      #expect(row.overlappingCommits == 0 && row.stalledWriters == 0)
      let isHeld = row.mode == "full" && row.laneNanoseconds > 0
      #expect((isHeld && row.laneNanoseconds == row.durationNanoseconds) == (falsification == nil))
      try opened.close()
    }
  }
}
