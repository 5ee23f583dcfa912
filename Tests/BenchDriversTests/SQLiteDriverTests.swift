import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

/// Tests of the drivers that store rows in a SQLite file without the engine.
@Suite("The drivers of SQLite's file") struct SQLiteDriverTests {
  static let drivers = DriverKind.withWAL.filter { $0 != .yap }

  private func withDatabase(
    _ engine: EngineSettings,
    _ body: (any DriverDatabase) throws -> Void
  ) throws {
    let shape = ValueShape(size: .fixed(bytes: 64))
    let dataset = [DatasetCollection(name: "rows", rows: 10, value: shape, metadata: shape)]
    try withTemporaryFolder { folder in
      let database = try Drivers.open(engine, dataset: dataset, path: folder + "/file.sqlite")
      try body(database)
      try database.close()
    }
  }

  @Test(arguments: drivers)
  func `name the first of the connections with equal bookmarks`(driver: DriverKind) throws {
    try withDatabase(EngineSettings(driver: driver, synchronous: .off)) { database in
      let readers = try (1...8).map { try database.connect(ConnectionSettings(name: "reader \($0)")) }
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      for number in 0..<10 as Range<UInt8> {
        try writer.readWrite { try $0.set([number], metadata: nil, "0", in: "rows") }
        guard number == 0 else { continue }
        for reader in readers.reversed() { try #expect(reader.advance().snapshot == 1) }
      }
      #expect(try #require(database.observe()).wal?.pinnedBy == "reader 1")
      for reader in readers { try reader.endLongLivedRead() }
    }
  }

  @Test(arguments: drivers)
  func `pin the WAL with a bookmark, and name the connection that limits checkpoints`(driver: DriverKind) throws {
    let engine = EngineSettings(driver: driver, synchronous: .off)
    try withDatabase(engine) { database in
      let reader = try database.connect(ConnectionSettings(name: "reader"))
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      func write() throws {
        for number in 0..<300 {
          try writer.readWrite { transaction in
            for key in 0..<10 {
              try transaction.set(
                Array(repeating: UInt8(number & 255), count: 3_000),
                metadata: nil,
                "\(key)",
                in: "rows"
              )
            }
          }
        }
      }
      try writer.readWrite { try $0.set([1], metadata: nil, "0", in: "rows") }
      try #expect(reader.advance().snapshot == 1)
      try write()
      let pinned = try #require(database.observe())
      let pinnedWAL = try #require(pinned.wal)
      #expect(pinnedWAL.pinnedBy == "reader")
      #expect(pinnedWAL.heldFrames > 1_000)
      #expect(pinnedWAL.backlogFrames >= pinnedWAL.heldFrames)
      #expect(pinnedWAL.bytes > 1_000 * 4_096)
      #expect((pinned.storageBytes ?? 0) > pinnedWAL.bytes)
      let own = try #require(pinned.connections.first { $0.name == "reader" })
      #expect(own.ageCommits == 300)
      #expect(own.framesHeldAlone == pinnedWAL.heldFrames)
      try reader.read { try #expect($0.object("0", in: "rows") == [1]) }
      let held = database.checkpoints(after: 0)
      #expect(held.contains { $0.outcome == .partialPinned && $0.pinnedBy == "reader" && $0.framesLeft > 0 })
      try #expect(reader.advance().snapshot == 301)
      try reader.endLongLivedRead()
      try write()
      let free = try #require(database.observe())
      #expect(free.wal?.pinnedBy == nil && free.wal?.heldFrames == 0)
      let later = database.checkpoints(after: held.count)
      #expect(later.contains { $0.outcome == .complete && $0.framesLeft == 0 })
      #expect(later.allSatisfy { $0.cause == "wal_autocheckpoint" && $0.mode == "passive" })
    }
  }

  @Test(arguments: drivers)
  func `recognise a commit that restarts the WAL, even if it writes more frames than the WAL had`(driver: DriverKind)
    throws
  {
    try withDatabase(EngineSettings(driver: driver, synchronous: .off)) { database in
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      try writer.readWrite { try $0.set([1], metadata: nil, "0", in: "rows") }
      let copied = try database.checkpoint(.passive)
      #expect(copied.outcome == .complete)
      try writer.readWrite { transaction in
        for key in 0..<100 {
          try transaction.set(Array(repeating: 2, count: 3_000), metadata: nil, "\(key)", in: "rows")
        }
      }
      let wal = try #require(database.observe()?.wal)
      #expect(wal.frames > copied.framesInWAL)
      #expect(wal.backlogFrames == wal.frames)
    }
  }

  @Test(arguments: CheckpointModeSetting.allCases)
  func `make checkpoints at an interval in every mode, with plain SQLite`(mode: CheckpointModeSetting) throws {
    let checkpoint = CheckpointSettings(mode: mode, everyNanoseconds: 1_000_000)
    try withDatabase(EngineSettings(driver: .sqlite, synchronous: .off, checkpoint: checkpoint)) { database in
      let writer = try database.connect(ConnectionSettings(name: "writer"))
      var rows: [CheckpointResult] = []
      // Until a checkpoint has copied something.
      while !rows.contains(where: { $0.framesCopied > 0 }) {
        try writer.readWrite { try $0.set([1], metadata: nil, "0", in: "rows") }
        rows = database.checkpoints(after: 0)
      }
      #expect(rows.allSatisfy { $0.mode == mode.rawValue && $0.cause == "interval" && $0.outcome == .complete })
      #expect(rows.map(\.number) == Array(1...rows.count))
    }
  }
}
