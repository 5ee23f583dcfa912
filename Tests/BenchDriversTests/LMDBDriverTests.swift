#if LMDB
  import Foundation
  import TestSupport
  import Testing

  @testable import BenchDrivers
  @testable import BenchResults
  @testable import BenchScenario

  @Suite("The driver of LMDB") struct LMDBDriverTests {
    private static let dataset = [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))]

    private func withDatabase(
      mapBytes: Int = LMDBEnvironment.defaultMapBytes,
      _ body: (LMDBDriverDatabase) throws -> Void
    ) throws {
      try withTemporaryFolder { folder in
        let settings = EngineSettings(driver: .lmdb, synchronous: .off)
        try body(LMDBDriverDatabase(settings, Self.dataset, path: folder + "/file.mdb", mapBytes: mapBytes))
      }
    }

    private func figures(_ database: any DriverDatabase) throws -> [String: Int] {
      try #require(database.observe()).figures
    }

    /// Replaces the same 10 rows in each of 100 commits.
    private func rewrite(_ writer: any DriverConnection) throws {
      for number in 0..<100 {
        try writer.readWrite { transaction in
          for key in 0..<10 {
            try transaction.set(Array(repeating: UInt8(number), count: 3_000), metadata: nil, "\(key)", in: "rows")
          }
        }
      }
    }

    @Test func `a bookmark keeps replaced pages, so the file grows until it ends`() throws {
      try withDatabase { database in
        let reader = try database.connect(ConnectionSettings(name: "reader"))
        let writer = try database.connect(ConnectionSettings(name: "writer"))
        try rewrite(writer)
        let before = try figures(database)
        #expect(before["lmdb.readers"] == 0 && before["lmdb.oldestReaderLag"] == 0 && before["lmdb.heldBytes"] == 0)
        try #expect(reader.advance().snapshot == 100)
        var lastHeld = 0
        for round in 1...3 {
          try rewrite(writer)
          let state = try #require(database.observe())
          let held = try #require(state.figures["lmdb.heldBytes"])
          // Each commit replaces at least the 10 pages of the rows.
          #expect(held - lastHeld >= 100 * 10 * database.pageSize)
          #expect(state.figures["lmdb.usedBytes"] ?? 0 > held)
          #expect(state.figures["lmdb.readers"] == 1)
          #expect(state.figures["lmdb.oldestReaderLag"] == round * 100)
          let own = try #require(state.connections.first { $0.name == "reader" })
          #expect(own.ageCommits == round * 100 && own.ageNanoseconds > 0 && own.pinnedNanoseconds != nil)
          #expect(state.connections.first { $0.name == "writer" }?.pinnedNanoseconds == nil)
          lastHeld = held
        }
        try reader.read { try #expect($0.object("0", in: "rows")?.first == 99) }
        let pinned = try figures(database)
        // The file also grows for the list of these pages, and first uses the pages that were free before.
        let growth = (pinned["lmdb.usedBytes"] ?? 0) - (before["lmdb.usedBytes"] ?? 0)
        #expect(growth > lastHeld / 2 && growth < lastHeld * 2)

        try #expect(reader.advance().snapshot == 400)
        try #expect(figures(database)["lmdb.oldestReaderLag"] == 0)
        try #expect(figures(database)["lmdb.heldBytes"] ?? 0 < lastHeld / 10)
        try reader.endLongLivedRead()
        try rewrite(writer)
        let free = try figures(database)
        #expect(free["lmdb.readers"] == 0 && free["lmdb.heldBytes"] == 0)
        // The pages are reused, and the file keeps its size.
        #expect(free["lmdb.usedBytes"] == pinned["lmdb.usedBytes"])
        try #expect(#require(database.observe()).storageBytes == free["lmdb.usedBytes"])
      }
    }

    @Test func `rows are in the order of their keys' bytes`() throws {
      try withDatabase { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        let keys = ["é", "b", "a", "ab", "B", "\u{10000}", "\u{ffff}"]
        try connection.readWrite { transaction in
          for key in keys { try transaction.set(Array(key.utf8), metadata: nil, key, in: "rows") }
        }
        let sorted = ["B", "a", "ab", "b", "é", "\u{ffff}", "\u{10000}"]
        try connection.read { transaction in
          var found: [String] = []
          try transaction.enumerate("rows") { key, object in
            #expect(object == Array(key.utf8))
            found.append(key)
          }
          #expect(found == sorted)
          var scanned: [[UInt8]?] = []
          try transaction.scan(["0"] + sorted, in: "rows") { scanned.append($1) }
          #expect(scanned == [nil] + sorted.map { Array($0.utf8) })
          #expect(throws: DriverError.self) { try transaction.scan(["a", "b"], in: "rows") { _, _ in } }
        }
      }
    }

    @Test(arguments: [0, 512]) func `a key of a length that LMDB cannot store is an error`(length: Int) throws {
      try withDatabase { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        let key = String(repeating: "k", count: length)
        let expected = "a key has \(length) bytes; LMDB stores keys of 1 to 511 bytes"
        let written = #expect(throws: DriverError.self) {
          try connection.readWrite { try $0.set([1], metadata: nil, key, in: "rows") }
        }
        let read = #expect(throws: DriverError.self) { try connection.read { _ = try $0.object(key, in: "rows") } }
        #expect(written?.description.hasPrefix(expected) == true && read?.description.hasPrefix(expected) == true)
        let longest = String(repeating: "k", count: 511)
        try connection.readWrite { try $0.set([1], metadata: nil, longest, in: "rows") }
        try connection.read { try #expect($0.object(longest, in: "rows") == [1]) }
        #expect(database.commit == 1)
      }
    }

    @Test func `a full map is an error that states the limit, and the transaction changes nothing`() throws {
      try withDatabase(mapBytes: 1 << 20) { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        try connection.readWrite { try $0.set([7], metadata: nil, "first", in: "rows") }
        let error = #expect(throws: LMDBError.self) {
          try connection.readWrite { transaction in
            for key in 0..<300 {
              try transaction.set(Array(repeating: 1, count: 3_900), metadata: nil, "\(key)", in: "rows")
            }
          }
        }
        #expect(error?.description.contains("map's size of 1048576 bytes") == true, "\(String(describing: error))")
        #expect(error.map(database.isDamage) == false)
        try connection.readWrite { try $0.set([8], metadata: nil, "second", in: "rows") }
        try connection.read { transaction in
          try #expect(transaction.count(in: "rows") == 2 && transaction.object("first", in: "rows") == [7])
        }
        #expect(database.commit == 2)
      }
    }

    @Test func `a damaged file is recognised`() throws {
      try withDatabase { database in
        #expect(database.isDamage(DamagedStoredRow(bytes: 2)))
        try withTemporaryFolder { folder in
          let path = folder + "/other.mdb"
          try Data(repeating: 0x5a, count: 16_384).write(to: URL(fileURLWithPath: path))
          let error = #expect(throws: LMDBError.self) {
            try LMDBDriverDatabase(EngineSettings(driver: .lmdb), Self.dataset, path: path)
          }
          #expect(error.map(database.isDamage) == true)
          #expect(error?.description.contains(path) == true)
        }
        #expect(!database.isDamage(DriverError.writeInRead))
      }
    }

    @Test(arguments: [SynchronousLevel.off, .full])
    func `commits are synced unless the scenario turns it off`(_ level: SynchronousLevel) throws {
      try withTemporaryFolder { folder in
        let settings = EngineSettings(driver: .lmdb, synchronous: level)
        let database = try Drivers.open(settings, dataset: Self.dataset, path: folder + "/file.mdb")
        let sync = database.configuration.options.first { $0.name == "sync" }
        #expect(sync?.value == (level == .full ? "each commit" : "none (MDB_NOSYNC)"))
        #expect(database.configuration.library.hasPrefix("LMDB 0.9."))
      }
    }

    /// Two processes open the file, so that LMDB does not begin with an empty reader table.
    @Test func `opening clears the slots of a killed process`() throws {
      try withTemporaryFolder { folder in
        func open() throws -> EngineProcess {
          let settings = EngineSettings(driver: .lmdb, synchronous: .off)
          return try EngineProcess(settings, dataset: Self.dataset, views: [], path: folder + "/file.mdb")
        }
        let observer = try open()
        let killed = try open()
        let reader = try killed.connect(ConnectionSettings(name: "reader"))
        try observer.connect(ConnectionSettings(name: "writer")).readWrite { transaction in
          try transaction.set([1], metadata: nil, "a", in: "rows")
        }
        _ = try reader.advance()
        try #expect(figures(observer)["lmdb.readers"] == 1)
        killed.kill()
        try #expect(figures(observer)["lmdb.readers"] == 1)
        _ = try killed.reopen()
        try #expect(figures(observer)["lmdb.readers"] == 0)
        try killed.close()
        try observer.close()
      }
    }
  }
#endif
