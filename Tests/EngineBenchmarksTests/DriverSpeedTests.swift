import BenchDrivers
import BenchResults
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
    // A build without the driver has no figures of it.
    func expected(_ verdict: Verdict) -> Verdict {
      Drivers.missing(kind.kind).map { .notBuilt($0) } ?? verdict
    }
    let permitted = loop.map { $0 / kind.leastSpeed(of: work) * 0.99 }
    #expect(verdict(of: work, kind, loop: loop, driver: permitted) == expected(.passed))
    let slow = loop.map { $0 / kind.leastSpeed(of: work) * 1.01 }
    #expect(verdict(of: work, kind, loop: loop, driver: slow) == expected(.missed))
    // One slow round of three does not change the median.
    let once = [permitted[0], slow[1] * 9, permitted[2]]
    #expect(verdict(of: work, kind, loop: loop, driver: once) == expected(.passed))
  }

  private let dataset = Dataset(rows: 300, valueBytes: 100, seed: 3)
  private let changed: [UInt32] = [7, 9, 11, 13]

  /// Runs `body` with the driver's store, which is closed and released afterwards: the drivers close some files only
  /// when they are released.
  private func withDriver<Result>(
    _ kind: MeasuredDriver,
    at path: String,
    _ body: (DriverStore) throws -> Result
  ) throws -> Result {
    let driver = try DriverStore(kind, path: path, dataset: dataset)
    let result = try body(driver)
    try driver.close()
    return result
  }

  private func withLoop<Result>(
    _ kind: MeasuredDriver,
    at path: String,
    _ body: (LoopStore) throws -> Result
  ) throws -> Result {
    let loop = try LoopStore(kind, path: path, dataset: dataset)
    defer { loop.close() }
    return try body(loop)
  }

  /// Reads the keys and values of a file with the driver, and the number of the last commit.
  private func content(of path: String, _ kind: MeasuredDriver) throws -> (rows: [String: [UInt8]], commit: UInt64) {
    try withDriver(kind, at: path) { driver in
      var rows: [String: [UInt8]] = [:]
      try driver.connection.read { transaction in
        try transaction.enumerateRows(Dataset.collection) { key, object, metadata in
          #expect(metadata == nil)
          rows[key] = object
        }
      }
      return (rows, driver.database.commit)
    }
  }

  @Test(arguments: MeasuredDriver.allCases.filter(\.isBuilt))
  func `A driver and its loop make the same file`(kind: MeasuredDriver) throws {
    try withTemporaryFolder { folder in
      try withDriver(kind, at: folder + "/driver") { driver in
        try driver.load()
        try driver.update(changed, rowsEach: 2, fresh: 40)
      }
      try withLoop(kind, at: folder + "/loop") { loop in
        try loop.load()
        try loop.update(changed, rowsEach: 2, fresh: 40)
      }
      var expected = (0..<300).reduce(into: [:]) { $0[dataset.keys[$1]] = dataset.initialValue(of: $1) }
      for (index, row) in changed.enumerated() { expected[dataset.keys[Int(row)]] = dataset.fresh[40 + index] }
      for name in ["driver", "loop"] {
        let content = try content(of: folder + "/" + name, kind)
        #expect(content.rows == expected)
        #expect(content.commit == 3)
      }
    }
  }

  @Test(arguments: MeasuredDriver.allCases.filter(\.isBuilt))
  func `A loop continues the file of its driver`(kind: MeasuredDriver) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/file"
      try withDriver(kind, at: path) { try $0.load() }
      try withLoop(kind, at: path) { loop in
        let rows = dataset.order("read")
        #expect(try loop.readEach(rows) == Dataset.initialSum(rows))
        try loop.readNothing(3)
        try loop.update([5], rowsEach: 1, fresh: 2)
        #expect(try loop.readTogether([5]) == Dataset.freshStamp(2))
      }
      let content = try content(of: path, kind)
      #expect(content.rows[dataset.keys[5]] == dataset.fresh[2])
      #expect(content.rows.count == 300 && content.commit == 2)
    }
  }
}
