#if GRDB
  import Foundation
  import TestSupport
  import Testing

  @testable import BenchDrivers
  @testable import BenchResults
  @testable import BenchScenario

  /// The particulars of the driver `grdb`. `SQLiteDriverTests` has what it shares with the driver `sqlite`.
  @Suite("The driver of GRDB") struct GRDBDriverTests {
    private func withDatabase(_ body: (any DriverDatabase) throws -> Void) throws {
      let dataset = [DatasetCollection(name: "rows", rows: 10, value: ValueShape(size: .fixed(bytes: 64)))]
      try withTemporaryFolder { folder in
        let engine = EngineSettings(driver: .grdb, synchronous: .off)
        let database = try Drivers.open(engine, dataset: dataset, path: folder + "/file.sqlite")
        try body(database)
        try database.close()
      }
    }

    @Test func `reports the version that the package demands`() throws {
      let package = try String(contentsOf: Repository.root.appendingPathComponent("Package.swift"), encoding: .utf8)
      #expect(package.contains("GRDB.swift\", exact: \"\(GRDBDriverDatabase.version)\""))
      try withDatabase { #expect($0.configuration.library.hasPrefix("GRDB \(GRDBDriverDatabase.version), SQLite 3.")) }
    }

    @Test func `has more bookmarks than the pool has readers, each at its own snapshot`() throws {
      try withDatabase { database in
        let writer = try database.connect(ConnectionSettings(name: "writer"))
        var readers: [any DriverConnection] = []
        for number: UInt8 in 1...8 {
          try writer.readWrite { try $0.set([number], metadata: nil, "a", in: "rows") }
          let reader = try database.connect(ConnectionSettings(name: "\(number)"))
          try #expect(reader.advance().snapshot == UInt64(number))
          readers.append(reader)
        }
        for (index, reader) in readers.enumerated() {
          try reader.read { transaction in
            #expect(transaction.snapshot == UInt64(index + 1))
            try #expect(transaction.object("a", in: "rows") == [UInt8(index + 1)])
          }
        }
        // The oldest bookmark alone holds the frames up to the next one.
        let state = try #require(database.observe())
        let oldest = try #require(state.connections.first { $0.name == "1" })
        #expect(state.wal?.pinnedBy == "1")
        #expect(oldest.framesHeldAlone > 0 && oldest.ageCommits == 7)
        for reader in readers.dropFirst() { #expect(throws: DriverError.self) { try reader.readWrite { _ in } } }
        for reader in readers { try reader.endLongLivedRead() }
        try writer.readWrite { try $0.set([9], metadata: nil, "a", in: "rows") }
        #expect(try #require(database.observe()).wal?.pinnedBy == nil)
        for reader in readers { try reader.read { try #expect($0.object("a", in: "rows") == [9]) } }
      }
    }

    @Test func `keeps a bookmark while the pool releases its memory`() throws {
      try withDatabase { database in
        let connection = try database.connect(ConnectionSettings(name: "one"))
        try connection.readWrite { try $0.set([1], metadata: nil, "a", in: "rows") }
        try #expect(connection.advance().snapshot == 1)
        try connection.flushMemory()
        try database.connect(ConnectionSettings(name: "two")).readWrite { try $0.remove("a", in: "rows") }
        try connection.read { try #expect($0.object("a", in: "rows") == [1]) }
        try connection.endLongLivedRead()
        try connection.read { try #expect($0.object("a", in: "rows") == nil) }
      }
    }
  }
#endif
