import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

/// The outcome of a read in its connection's caches, as the runner computes it from the driver's counts.
@Suite("Outcomes of reads in the caches") struct CacheOutcomeTests {
  private func withDatabase(_ settings: EngineSettings, _ body: (any DriverDatabase) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let dataset = [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))]
      let database = try Drivers.open(settings, dataset: dataset, path: folder + "/file.sqlite")
      try body(database)
      try database.close()
    }
  }

  private func outcome(
    on connection: any DriverConnection,
    _ read: (any DriverTransaction) throws -> Void
  ) throws -> CacheOutcome? {
    var outcome: CacheOutcome?
    try connection.read { transaction in
      let before = transaction.cacheMisses
      try read(transaction)
      outcome = before.flatMap { transaction.cacheMisses?.outcome(since: $0) }
    }
    return outcome
  }

  @Test(arguments: CachePolicySetting.allCases)
  func `a row that another connection has changed is read again only under containment`(
    _ policy: CachePolicySetting
  ) throws {
    var settings = EngineSettings(driver: .yap, synchronous: .off)
    settings.defaultObjectPolicy = policy
    settings.defaultMetadataPolicy = policy
    try withDatabase(settings) { database in
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      let reader = try database.connect(ConnectionSettings(name: "reader"))
      let reads: [(any DriverTransaction) throws -> Void] = [
        { _ = try $0.object("object", in: "rows") }, { _ = try $0.metadata("metadata", in: "rows") },
        { _ = try $0.row("row", in: "rows") },
      ]
      func write(_ byte: UInt8) throws {
        try writer.readWrite { transaction in
          for key in ["object", "metadata", "row"] { try transaction.set([byte], metadata: [byte], key, in: "rows") }
        }
      }
      func outcomes() throws -> [CacheOutcome?] { try reads.map { try outcome(on: reader, $0) } }
      try write(1)
      #expect(try outcomes() == [.miss, .miss, .miss])
      #expect(try outcomes() == [.hit, .hit, .hit])
      try write(2)
      let changed: CacheOutcome = policy == .containment ? .reread : .hit
      #expect(try outcomes() == [changed, changed, changed])
      #expect(try outcomes() == [.hit, .hit, .hit])
    }
  }

  @Test func `a row that does not exist is a miss each time`() throws {
    try withDatabase(EngineSettings(driver: .yap, synchronous: .off)) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      try connection.readWrite { try $0.set([1], metadata: nil, "other", in: "rows") }
      for _ in 0..<2 {
        #expect(try outcome(on: connection) { _ = try $0.object("absent", in: "rows") } == .miss)
      }
    }
  }

  @Test(arguments: [DriverKind.sqlite, .null])
  func `a driver without caches counts nothing`(_ driver: DriverKind) throws {
    try withDatabase(EngineSettings(driver: driver, synchronous: .off)) { database in
      let connection = try database.connect(ConnectionSettings(name: "one"))
      #expect(try outcome(on: connection) { _ = try $0.object("object", in: "rows") } == nil)
      #expect(!driver.has(.caches))
    }
  }

  @Test func `only the number of further misses decides`() {
    let before = CacheMisses(count: 7, readAgain: 3)
    #expect(before.outcome(since: before) == .hit)
    #expect(CacheMisses(count: 8, readAgain: 3).outcome(since: before) == .miss)
    // The object was read again, and its metadata was never cached.
    #expect(CacheMisses(count: 9, readAgain: 4).outcome(since: before) == .reread)
  }
}
