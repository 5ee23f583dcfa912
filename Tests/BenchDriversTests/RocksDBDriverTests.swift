#if RocksDB
  import Foundation
  import TestSupport
  import Testing

  @testable import BenchDrivers
  @testable import BenchResults
  @testable import BenchScenario

  @Suite("The driver of RocksDB") struct RocksDBDriverTests {
    private static let shape = ValueShape(size: .fixed(bytes: 64))
    private static let dataset = ["rows", "others"].map { DatasetCollection(name: $0, rows: 10, value: shape) }

    private func open(_ synchronous: SynchronousLevel = .off, at path: String) throws -> any DriverDatabase {
      try Drivers.open(EngineSettings(driver: .rocksdb, synchronous: synchronous), dataset: Self.dataset, path: path)
    }

    private func withDatabase(
      _ synchronous: SynchronousLevel = .off,
      _ body: (any DriverDatabase) throws -> Void
    ) throws {
      try withTemporaryFolder { folder in
        let database = try open(synchronous, at: folder + "/store")
        try body(database)
        try database.close()
      }
    }

    private func figure(_ name: String, of database: any DriverDatabase) throws -> Int {
      try #require(database.observe()?.figures["rocksdb.\(name)"])
    }

    /// Stores rows of 3,000 random bytes each, in one transaction.
    private func store(_ rows: Range<Int>, _ connection: any DriverConnection) throws {
      try connection.readWrite { transaction in
        for row in rows {
          let object = (0..<3_000).map { _ in UInt8.random(in: 0...255) }
          try transaction.set(object, metadata: nil, "r\(row + 1_000)", in: "rows")
        }
      }
    }

    @Test func `a transaction sees its own changes in every kind of read, and others see none of them`() throws {
      try withDatabase { database in
        let writer = try database.connect(ConnectionSettings(name: "writer"))
        let reader = try database.connect(ConnectionSettings(name: "reader"))
        try writer.readWrite { transaction in
          for key in ["a", "c", "e"] { try transaction.set(Array(key.utf8), metadata: [1], key, in: "rows") }
        }
        try writer.readWrite { transaction in
          try transaction.remove("a", in: "rows")
          try transaction.set([2], metadata: nil, "b", in: "rows")
          try transaction.replace([3], "c", in: "rows")
          try transaction.setMetadata([4], "b", in: "rows")
          try #expect(transaction.object("a", in: "rows") == nil)
          try #expect(!transaction.exists("a", in: "rows"))
          try #expect(transaction.count(in: "rows") == 3)
          var rows: [String] = []
          try transaction.enumerateRows("rows") { rows.append("\($0) \($1) \($2 ?? [])") }
          #expect(rows == ["b [2] [4]", "c [3] [1]", "e [101] [1]"])
          var scanned: [String] = []
          try transaction.scan(["b", "c", "d"], in: "rows") { scanned.append("\($0) \($1 ?? [])") }
          #expect(scanned == ["0 [2]", "1 [3]", "2 []"])
          try reader.read { other in
            #expect(other.snapshot == 1)
            try #expect(other.object("a", in: "rows") == [97])
            try #expect(!other.exists("b", in: "rows"))
          }
          try transaction.removeAll(in: "rows")
          try #expect(transaction.count(in: "rows") == 0)
          try transaction.set([5], metadata: nil, "d", in: "rows")
          try #expect(transaction.row("d", in: "rows")?.object == [5])
        }
        try reader.read { transaction in
          var keys: [String] = []
          try transaction.enumerate("rows") { key, _ in keys.append(key) }
          #expect(keys == ["d"])
        }
      }
    }

    @Test func `a transaction without an effect makes no commit`() throws {
      try withDatabase { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        let idle: [@Sendable (any DriverTransaction) throws -> Void] = [
          { try $0.replace([1], "a", in: "rows") }, { try $0.setMetadata([1], "a", in: "rows") },
          { try $0.remove("a", in: "rows") }, { try $0.removeAll(in: "rows") },
        ]
        for change in idle { try connection.readWrite(change) }
        #expect(database.commit == 0)
        #expect(throws: DriverError.self) { try connection.readWrite { try $0.remove("a", in: "unknown") } }
        #expect(throws: DriverError.self) { try connection.read { try $0.set([1], metadata: nil, "a", in: "rows") } }
      }
    }

    @Test func `a bookmark keeps one old version of each overwritten row, and the figures show it`() throws {
      try withDatabase { database in
        let reader = try database.connect(ConnectionSettings(name: "reader"))
        let writer = try database.connect(ConnectionSettings(name: "writer"))
        try store(0..<300, writer)
        try #expect(reader.advance().snapshot == 1)
        for _ in 0..<3 { try store(0..<300, writer) }
        let full = try figure("memtableBytes", of: database)
        #expect(full > 4 * 300 * 3_000)
        try database.vacuum()
        let held = try #require(database.observe())
        let heldBytes = try #require(held.figures["rocksdb.sstBytes"])
        #expect(heldBytes > 2 * 300 * 3_000)
        #expect(heldBytes < 3 * 300 * 3_000)
        #expect(held.figures["rocksdb.oldestSnapshotLag"] == 3 && held.figures["rocksdb.snapshots"] == 1)
        #expect(held.connections.map { "\($0.name) \($0.ageCommits)" } == ["reader 3", "writer 0"])
        #expect((held.storageBytes ?? 0) > heldBytes)
        #expect(try figure("memtableBytes", of: database) < full)

        try #expect(reader.advance().snapshot == 4)
        try reader.endLongLivedRead()
        try database.vacuum()
        let free = try #require(database.observe()).figures
        #expect(try #require(free["rocksdb.sstBytes"]) < 2 * 300 * 3_000)
        #expect(free["rocksdb.oldestSnapshotLag"] == 0 && free["rocksdb.snapshots"] == 0)
      }
    }

    @Test func `figures are those of the table of metrics`() throws {
      try withDatabase { database in
        let figures = try #require(database.observe()).figures
        #expect(Set(figures.keys) == Set(Metric.allCases.map(\.rawValue).filter { $0.hasPrefix("rocksdb.") }))
      }
    }

    @Test(arguments: SynchronousLevel.allCases)
    func `writes of files are counted, and a commit is synced at the level full`(level: SynchronousLevel) throws {
      try withDatabase(level) { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        let before = try #require(database.observe()?.writes)
        for row in 0..<20 { try store(row..<row + 1, connection) }
        let stored = try #require(database.observe()?.writes) - before
        #expect(stored.wal.bytes > 20 * 3_000 && stored.wal.bytes < 20 * 3_200)
        #expect(stored.wal.syncs == (level == .full ? 20 : 0))
        #expect((stored.wal.syncNanoseconds > 0) == (level == .full))
        #expect(stored.database.bytes == 0)
        #expect(try figure("walBytes", of: database) > 20 * 3_000)
        try database.vacuum()
        let flushed = try #require(database.observe()?.writes) - before
        #expect(flushed.database.bytes > 20 * 3_000 && flushed.database.syncs > 0)
        #expect(try figure("walBytes", of: database) == 0)
      }
    }

    @Test func `the statistics are read from RocksDB's text`() {
      let statistics = RocksDBStatistics(
        """
        rocksdb.stall.micros COUNT : 7
        rocksdb.wal.bytes COUNT : 4096
        rocksdb.flush.write.bytes COUNT : 100
        rocksdb.compact.write.bytes COUNT : 20
        rocksdb.wal.file.sync.micros P50 : 1.5 P95 : 2.0 P99 : 2.0 P100 : 2.000000 COUNT : 3 SUM : 5
        rocksdb.table.sync.micros P50 : 1.5 P95 : 2.0 P99 : 2.0 P100 : 2.000000 COUNT : 2 SUM : 4
        rocksdb.manifest.file.sync.micros P50 : 1.5 P95 : 2.0 P99 : 2.0 P100 : 2.000000 COUNT : 1 SUM : 1
        """
      )
      let (wal, database) = (statistics.writes.wal, statistics.writes.database)
      #expect(statistics.stallNanoseconds == 7_000)
      #expect(wal.bytes == 4_096 && wal.syncs == 3 && wal.syncNanoseconds == 5_000)
      #expect(database.bytes == 120 && database.syncs == 3 && database.syncNanoseconds == 5_000)
    }

    @Test func `a reopened folder has the collections and commits that it had`() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/store"
        try {
          let database = try open(at: path)
          try store(0..<5, try database.connect(ConnectionSettings(name: "one")))
          try database.close()
          #expect(RocksDBFiles.logBytes(at: path) == 0)
        }()
        // RocksDB opens the folder only with all column families, also with that of the missing collection.
        let settings = EngineSettings(driver: .rocksdb, synchronous: .off)
        let database = try Drivers.open(settings, dataset: [Self.dataset[0]], path: path)
        #expect(database.commit == 1)
        let connection = try database.connect(ConnectionSettings(name: "one"))
        try connection.read { try #expect($0.count(in: "rows") == 5) }
        let busy = #expect(throws: RocksDBError.self) { try open(at: path) }
        #expect(busy.map(database.isDamage) == false)
      }
    }

    @Test func `a changed byte in a sorted table is damage`() throws {
      try withTemporaryFolder { folder in
        let path = folder + "/store"
        try {
          let database = try open(at: path)
          try store(0..<50, try database.connect(ConnectionSettings(name: "one")))
          try database.close()
        }()
        let tables = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".sst") }
        let sizes = try tables.map { try Data(contentsOf: URL(fileURLWithPath: "\(path)/\($0)")).count }
        let table = try #require(zip(tables, sizes).max { $0.1 < $1.1 }).0
        let file = URL(fileURLWithPath: "\(path)/\(table)")
        var bytes = try Data(contentsOf: file)
        bytes[1_000] ^= 1
        try bytes.write(to: file)
        let database = try open(at: path)
        let connection = try database.connect(ConnectionSettings(name: "one"))
        let error = #expect(throws: RocksDBError.self) {
          try connection.read { _ = try $0.object("r1000", in: "rows") }
        }
        #expect(error.map(database.isDamage) == true)
        #expect(error?.description.hasPrefix("Corruption") == true)
      }
    }

    @Test func `the configuration has the version and the settings of the scenario`() throws {
      try withDatabase(.full) { database in
        let configuration = database.configuration
        #expect(configuration.library.hasPrefix("RocksDB "))
        #expect(configuration.library.split(separator: ".").count == 3)
        let sync = configuration.options.first { $0.name == "WriteOptions.sync" }
        #expect(sync?.value.hasPrefix("true") == true)
      }
    }
  }
#endif
