import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Snapshots that connections keep from one read to the next.
@Suite struct KeptSnapshotTests {
  @Test(.enabled(if: TestHooks.areBuiltIn))
  func `reads of an unchanged database share one snapshot`() throws {
    let taken = Guarded(0)
    var options = YapDatabaseOptions.quick
    options.testHooks.onReach = { point, _ in if point == .readPinned { taken.withLock { $0 += 1 } } }
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      for round in 1...3 {
        try writer.readWrite { try $0.setObject(bytes("\(round)"), forKey: "k") }
        for _ in 0..<10 {
          try reader.read { transaction in
            #expect(transaction.snapshot == UInt64(round))
            try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("\(round)"))
          }
        }
        #expect(taken.withLock { $0 } == round)
      }
    }
  }

  @Test func `every other call of a connection unpins the snapshot that it keeps`() throws {
    let calls: [(YapDatabaseConnection) throws -> Void] = [
      { try $0.readWrite { try $0.setObject(bytes("2"), forKey: "k") } },
      { try $0.readWrite { _ in } },
      { connection in try? connection.readWrite { _ in throw Deliberate() } },
      { try $0.beginLongLivedReadTransaction() },
      { try $0.vacuum() },
      { connection in
        connection.flushMemory()
        #expect(eventually { !connection.pin.isKept })
      },
    ]
    for call in calls {
      try withDatabase { database in
        let connection = try database.newConnection()
        try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
        try connection.read { _ = try $0.object(forKey: "k") }
        #expect(connection.pin.isKept)
        try call(connection)
        #expect(!connection.pin.isKept)
        try connection.read { #expect($0.snapshot == database.snapshot) }
        try connection.endLongLivedReadTransaction()
      }
    }
  }

  @Test func `a handle in the pool keeps no snapshot`() throws {
    try withDatabase { database in
      for _ in 0..<5 {
        try database.newConnection().read { _ in }
        try database.newConnection().readWrite { try $0.touchRow(forKey: "none") }
      }
      let isPinned = database.registry.withLock { !$0.pins.isEmpty }
      #expect(!isPinned)
    }
  }

  /// Eight connections that have read once before some commits.
  private func idleReaders(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: 1_000_000)
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      let idle = try (0..<8).map { try database.newConnection(name: "idle \($0)") }
      for connection in idle { try connection.read { _ = try $0.object(forKey: "k") } }
      let isKeptByAll = idle.allSatisfy(\.pin.isKept)
      #expect(isKeptByAll)
      for number in 2...50 { try writer.readWrite { try $0.setObject(bytes("\(number)"), forKey: "k") } }
      try body(database, idle[0])
    }
  }

  @Test func `snapshots that idle connections keep hold no part of the WAL, and are not reported as pinned`() throws {
    try idleReaders { database, reader in
      // A snapshot that the checkpointer is about to unpin is reported for a moment.
      #expect(eventually { database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil } })
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      let blamed = database.checkpoints().compactMap(\.pinnedBy)
      #expect(blamed == [])
      // A running read is reported, whether its snapshot was kept or not.
      try reader.read { _ in }
      #expect(reader.pin.isKept)
      try reader.read { _ in
        let shown = database.statistics.connections.first { $0.pinnedSnapshot != nil }
        #expect(shown?.name == reader.name)
      }
    }
  }

  /// Runs `body` with a database in which only the test makes checkpoints.
  private func withQuietDatabase(
    _ script: PointScript = PointScript(),
    _ body: (YapDatabase, _ writer: YapDatabaseConnection, _ idle: YapDatabaseConnection) throws -> Void
  ) throws {
    var options = script.options
    options.checkpointing = .every(nanoseconds: .max)
    options.aggressiveCheckpointAt = .max
    try withDatabase(options) { database in
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      try body(database, database.newConnection(name: "writer"), database.newConnection(name: "idle"))
    }
    try script.finish()
  }

  //  checkpointer                          writer
  //  ────────────────────────────────────  ──────────────────────────────────
  //                                        holds the write lane
  //  waits for the write lane
  //                                        commits: "idle" keeps an old snapshot
  //  copies
  /// - Returns: The checkpoint that waited for the commit.
  private func checkpointAfterCommit() throws -> YapDatabaseCheckpoint? {
    let made = SharedList<YapDatabaseCheckpoint>()
    try withQuietDatabase { database, writer, idle in
      try idle.read { _ in }
      #expect(idle.pin.isKept)
      let crew = Crew()
      try crew.add("writer") {
        try writer.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "k")
          #expect(eventually { database.writer.lane.waiterCount > 0 })
        }
      }
      try crew.add("caller") {
        #expect(eventually { database.writer.openTransaction != nil })
        made.append(try database.checkpoint(.passive))
      }
      #expect(crew.run() == nil)
    }
    return made.all.first
  }

  @Test(.enabled(if: TestHooks.areBuiltIn))
  func `a snapshot that becomes old while a checkpoint waits for the write lane is unpinned`() throws {
    let made = try #require(try checkpointAfterCommit())
    #expect(!made.isBesideCommits && made.outcome == .complete && made.pinnedBy == nil)
  }

  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [false, true])
  func `a checkpoint does not name a reader because of commits after its beginning`(isBookmark: Bool) throws {
    let script = PointScript()
    try withQuietDatabase(script) { database, writer, reader in
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      if isBookmark { try reader.beginLongLivedReadTransaction() } else { try reader.read { _ in } }
      script.at(.checkpointGuarded, of: "checkpointer") {
        try writer.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
      }
      let made: YapDatabaseCheckpoint = try database.checkpoint(.passive)
      #expect(made.overlappingCommits == 1 && made.framesLeft > 0 && made.pinnedBy == nil)
    }
  }

  @Test func `a connection that reads without a pause unpins the WAL when it is reset`() throws {
    var options = YapDatabaseOptions.quick
    options.aggressiveCheckpointAt = 64 << 10
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      let crew = Crew()
      let isOver = StopFlag()
      try crew.add("reader") {
        while !isOver.isRaised {
          let least = database.snapshot
          try reader.read { transaction in
            guard transaction.snapshot >= least else { throw Discrepancy("\(transaction.snapshot) after \(least)") }
          }
        }
      }
      try crew.add("writer") {
        defer { isOver.raise() }
        for _ in 0..<5 {
          let before = database.statistics.walRestarts
          for _ in 0..<40 { try writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") } }
          // The reset may come after the last commit; the WAL restarts with the next commit.
          let isReset = eventually {
            try? writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }
            return database.statistics.walRestarts > before
          }
          guard isReset else { throw Discrepancy("the WAL is not reset: \(database.statistics)") }
        }
      }
      #expect(crew.run() == nil)
    }
  }
}
