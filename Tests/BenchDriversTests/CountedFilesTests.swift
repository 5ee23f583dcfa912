import Foundation
import TestSupport
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchScenario

/// The figures of the counting VFS, compared with the files and with the sizes that SQLite's formats demand.
@Suite("Counted writes to a database's files") struct CountedFilesTests {
  static let drivers = DriverKind.withWAL
  private static let dataset = [DatasetCollection(name: "rows", rows: 100, value: ValueShape(size: .fixed(bytes: 64)))]

  /// Opens a database that makes no checkpoint by itself, except for one of the frames that opening it wrote.
  private func open(
    _ driver: DriverKind,
    _ synchronous: SynchronousLevel = .off,
    mmapSizeBytes: Int = 0,
    at path: String
  ) throws -> any DriverDatabase {
    try Drivers.open(
      EngineSettings(
        driver: driver,
        synchronous: synchronous,
        mmapSizeBytes: mmapSizeBytes,
        checkpoint: CheckpointSettings(everyNanoseconds: 1_000 * 86_400_000_000_000)
      ),
      dataset: Self.dataset,
      path: path
    )
  }

  private func writes(_ database: any DriverDatabase) throws -> FileWrites { try #require(database.observe()?.writes) }

  private func observe(_ database: any DriverDatabase) throws -> (FileWrites, EngineSample.WAL) {
    let state = try #require(database.observe())
    return (try #require(state.writes), try #require(state.wal))
  }

  /// Stores rows that nearly fill a page each, in one transaction.
  /// - Parameter value: A value that the rows do not have yet, because unchanged pages would not be written.
  private func store(_ value: UInt8, _ rows: Range<Int>, _ connection: any DriverConnection) throws {
    try connection.readWrite { transaction in
      for row in rows {
        try transaction.set(Array(repeating: value, count: 3_000), metadata: nil, "r\(row)", in: "rows")
      }
    }
  }

  @Test(arguments: drivers, [0, 64 << 20])
  func `are the frames in the WAL and the pages that a checkpoint copies`(
    driver: DriverKind,
    mmapSizeBytes: Int
  ) throws {
    try withTemporaryFolder { folder in
      let database = try open(driver, mmapSizeBytes: mmapSizeBytes, at: folder + "/file.sqlite")
      let connection = try database.connect(ConnectionSettings(name: "one"))
      _ = try database.checkpoint(.truncate)
      let (empty, emptyWAL) = try observe(database)
      #expect(emptyWAL.bytes == 0)
      try store(0, 0..<60, connection)
      let (filled, filledWAL) = try observe(database)
      let inserted = filled - empty
      #expect(filledWAL.frames > 60)
      #expect(inserted.wal.bytes == 32 + filledWAL.frames * database.frameBytes)
      #expect(inserted.wal.bytes == filledWAL.bytes)
      #expect(inserted.database.bytes == 0)

      // One transaction writes each page once, so the checkpoint copies every frame.
      var seen = try #require(database.checkpoints(after: 0).last?.number)
      _ = try database.checkpoint(.passive)
      let copied = database.checkpoints(after: seen)
      let checkpointed = try writes(database) - filled
      #expect(copied.last?.framesLeft == 0)
      #expect(copied.reduce(0) { $0 + $1.framesCopied } == filledWAL.frames)
      #expect(copied.map(\.bytesCopied).reduce(0, +) == checkpointed.database.bytes)
      #expect(checkpointed.database.bytes == filledWAL.frames * database.pageSize)
      #expect(checkpointed.wal.bytes == 0)

      // If the same pages are written repeatedly, only their last state is copied.
      let before = try writes(database)
      for value: UInt8 in 1...20 { try store(value, 0..<3, connection) }
      let rewritten = try writes(database) - before
      #expect(rewritten.wal.bytes > 20 * 3 * 4_120 && rewritten.database.bytes == 0)
      seen += copied.count
      _ = try database.checkpoint(.passive)
      let last = try writes(database) - before
      let rows = database.checkpoints(after: seen)
      let frames = rows.reduce(0) { $0 + $1.framesCopied }
      #expect(rows.map(\.bytesCopied).reduce(0, +) == last.database.bytes)
      #expect(rows.compactMap(\.syncs) == rows.map { _ in 0 })
      #expect(last.database.bytes > 0 && last.database.bytes.isMultiple(of: 4_096))
      #expect(last.database.bytes < frames * 4_096 / 10)
      #expect(last.wal.bytes == rewritten.wal.bytes)
      #expect(last.syncs == 0 && last.syncNanoseconds == 0 && last.journal.bytes == 0)

      try connection.read { try #expect($0.object("r2", in: "rows") == Array(repeating: 20, count: 3_000)) }
      try database.close()
    }
  }

  @Test(arguments: drivers) func `are synced according to the level`(driver: DriverKind) throws {
    for level in SynchronousLevel.allCases {
      try withTemporaryFolder { folder in
        let database = try open(driver, level, at: folder + "/file.sqlite")
        let connection = try database.connect(ConnectionSettings(name: "one"))
        _ = try database.checkpoint(.truncate)
        // The commit that restarts the WAL syncs its header.
        try store(0, 0..<1, connection)
        let before = try writes(database)
        for value: UInt8 in 1...20 { try store(value, 0..<1, connection) }
        let committed = try writes(database) - before
        #expect(committed.wal.syncs == (level == .full ? 20 : 0), "\(level)")
        #expect((committed.wal.syncNanoseconds > 0) == (level == .full))
        #expect(committed.database == FileWrites.Counts() && committed.journal == FileWrites.Counts())
        let row = try database.checkpoint(.passive)
        let copied = try writes(database) - before
        // A checkpoint syncs the WAL before it copies, and the database file afterwards.
        #expect(copied.wal.syncs - committed.wal.syncs == (level == .off ? 0 : 1), "\(level)")
        #expect(copied.database.syncs == (level == .off ? 0 : 1), "\(level)")
        #expect((copied.database.syncNanoseconds > 0) == (level != .off))
        #expect(copied.database.bytes > 0)
        // The ledger's row counts the checkpoint's syncs, and none of the commits'.
        #expect(row.syncs == (level == .off ? 0 : 2))
        #expect(row.bytesCopied == copied.database.bytes)
        // All modes; some consist of several of SQLite's checkpoints.
        for mode in CheckpointModeSetting.allCases {
          try store(30, 0..<1, connection)
          let earlier = try writes(database)
          let row = try database.checkpoint(mode)
          let moved = try writes(database) - earlier
          #expect(row.syncs == moved.syncs && row.bytesCopied == moved.database.bytes, "\(level), \(mode)")
        }
        try database.close()
      }
    }
  }

  @Test func `are synced before a reset at normal, even if commits were made during the copy`() throws {
    try withTemporaryFolder { folder in
      let engine = EngineSettings(driver: .yap, synchronous: .normal, aggressiveCheckpointAtBytes: 256 << 10)
      let database = try Drivers.open(engine, dataset: Self.dataset, path: folder + "/file.sqlite")
      let connection = try database.connect(ConnectionSettings(name: "one"))
      var copies: [CheckpointResult] = []
      for round in 0..<5_000 where !copies.contains(where: { $0.overlappingCommits > 0 }) {
        try store(UInt8(round % 250), 0..<20, connection)
        copies = database.checkpoints(after: 0).filter { row in
          row.cause == "limit" && row.laneNanoseconds == 0 && row.framesCopied > 0
        }
      }
      #expect(copies.contains { $0.overlappingCommits > 0 })
      // One sync of the WAL, and at least one of the database file.
      #expect(copies.allSatisfy { ($0.syncs ?? 0) >= 2 })
      try database.close()
    }
  }

  @Test func `are counted for their database, through any link and from any connection`() throws {
    try withTemporaryFolder { folder in
      let link = folder + "/link"
      try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/real")
      let written = try open(.sqlite, at: link + "/written.sqlite")
      let other = try open(.sqlite, at: link + "/other.sqlite")
      let seenAtPlace = try CountedFiles(ofDatabaseAt: folder + "/real/written.sqlite")
      let before = (try writes(written), try writes(other))
      #expect(before.0.database.bytes + before.0.wal.bytes > 0)
      for value: UInt8 in 1...2 {
        try store(value, 0..<5, written.connect(ConnectionSettings(name: "\(value)")))
      }
      #expect(try writes(written).wal.bytes > before.0.wal.bytes + 10 * 4_120)
      #expect(seenAtPlace.writes == (try writes(written)))
      #expect(try writes(other) == before.1)
      try written.close()
      try other.close()
    }
  }

  @Test(arguments: drivers) func `are still counted after the engine's process was killed`(driver: DriverKind) throws {
    try withTemporaryFolder { folder in
      let engine = EngineSettings(driver: driver, synchronous: .full)
      let path = folder + "/file.sqlite"
      let process = try EngineProcess(engine, dataset: Self.dataset, views: [], path: path)
      let connection = try process.connect(ConnectionSettings(name: "one"))
      var before = try writes(process)
      for value: UInt8 in 1...3 {
        try store(value, 0..<20, connection)
        let stored = try writes(process)
        #expect(stored.wal.bytes >= before.wal.bytes + 20 * 4_120)
        #expect(stored.wal.syncs > before.wal.syncs)
        process.kill()
        #expect(process.observe() == nil)
        _ = try process.reopen()
        before = try writes(process)
        #expect(before.wal.bytes >= stored.wal.bytes && before.database.bytes >= stored.database.bytes)
      }
      try process.close()
    }
  }

  @Test func `are an error if the path is too long for a file`() {
    #expect(throws: (any Error).self) {
      try CountedFiles(ofDatabaseAt: String(repeating: "/far", count: 1_000) + "/file.sqlite")
    }
  }
}
