import BenchDrivers
import TestSupport
import Testing

@testable import EngineBenchmarks

struct DriverSpeedTests {
  /// Returns the verdict about a driver and its loop that took the given nanoseconds per operation in each round.
  private func verdict(of work: DriverWork, _ kind: MeasuredDriver, loop: [Double], driver: [Double]) -> Verdict? {
    let record = TrialRecord(
      trial: "made up",
      unit: .nanoseconds,
      figures: [kind.loopName: loop, kind.driverName: driver],
      operations: [:],
      queuedShares: [],
      probeNanoseconds: []
    )
    let claim = kind.performanceTarget.claims.first { $0.id.word == work.rawValue }
    return claim.map { ClaimResult($0, of: record, rounds: record.rounds(of: kind.speed)).verdict }
  }

  @Test(arguments: MeasuredDriver.allCases, DriverWork.allCases)
  func `A driver that is slowed down misses its target`(kind: MeasuredDriver, work: DriverWork) {
    let loop = [1_000.0, 4_000, 2_000]
    let permitted = loop.map { $0 / kind.leastSpeed * 0.99 }
    #expect(verdict(of: work, kind, loop: loop, driver: permitted) == .passed)
    let slow = loop.map { $0 / kind.leastSpeed * 1.01 }
    #expect(verdict(of: work, kind, loop: loop, driver: slow) == .missed)
    // One slow round of three does not change the median.
    #expect(verdict(of: work, kind, loop: loop, driver: [permitted[0], slow[1] * 9, permitted[2]]) == .passed)
  }

  private let dataset = Dataset(rows: 300, valueBytes: 100, seed: 3)

  /// The rows of a file with the driver: the keys and values, and the number of the last commit.
  private func content(of path: String, _ kind: MeasuredDriver) throws -> (rows: [String: [UInt8]], commit: UInt64) {
    let driver = try DriverStore(kind, path: path, dataset: dataset)
    var rows: [String: [UInt8]] = [:]
    try driver.connection.read { transaction in
      try transaction.enumerateRows(Dataset.collection) { key, object, metadata in
        #expect(metadata == nil)
        rows[key] = object
      }
    }
    let commit = driver.database.commit
    try driver.close()
    return (rows, commit)
  }

  @Test(arguments: MeasuredDriver.allCases)
  func `A driver and its loop make the same file`(kind: MeasuredDriver) throws {
    try withTemporaryFolder { folder in
      let driver = try DriverStore(kind, path: folder + "/driver", dataset: dataset)
      let loop = try LoopStore(kind, path: folder + "/loop", dataset: dataset)
      try driver.load()
      try loop.load()
      for store in [driver, loop] as [any RowStore] {
        try store.update([7, 9, 11, 13], rowsEach: 2, fresh: 40)
        try store.close()
      }
      var expected = (0..<300).reduce(into: [:]) { $0[dataset.keys[$1]] = dataset.initialValue(of: $1) }
      for (index, row) in [7, 9, 11, 13].enumerated() { expected[dataset.keys[row]] = dataset.fresh[40 + index] }
      for name in ["driver", "loop"] {
        let content = try content(of: folder + "/" + name, kind)
        #expect(content.rows == expected)
        #expect(content.commit == 3)
      }
    }
  }

  @Test(arguments: MeasuredDriver.allCases)
  func `A loop continues the file of its driver`(kind: MeasuredDriver) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file"
      let driver = try DriverStore(kind, path: path, dataset: dataset)
      try driver.load()
      try driver.close()
      let loop = try LoopStore(kind, path: path, dataset: dataset)
      let rows = dataset.order("read")
      #expect(try loop.readEach(rows) == Dataset.initialSum(rows))
      try loop.readNothing(3)
      try loop.update([5], rowsEach: 1, fresh: 2)
      #expect(try loop.readTogether([5]) == Dataset.freshStamp(2))
      loop.close()
      let content = try content(of: path, kind)
      #expect(content.rows[dataset.keys[5]] == dataset.fresh[2])
      #expect(content.rows.count == 300 && content.commit == 2)
    }
  }
}
