import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The connections that keep frames of the WAL from being copied, as statistics and the ledger report them.
@Suite struct WhoBlocksTests {
  private func commit(_ writer: YapDatabaseConnection) throws {
    try writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }
  }

  private func connection(_ name: String, _ database: YapDatabase) -> YapDatabaseStatistics.Connection? {
    database.statistics.connections.first { $0.name == name }
  }

  @Test func `a long read is named, distinguished from a bookmark, and has its age`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      try commit(writer)
      try reader.read { transaction in
        for _ in 0..<5 { try commit(writer) }
        let pin = try #require(database.statistics.walPinnedBy)
        #expect(pin.name == "reader" && !pin.isInLongLivedRead && pin.pinnedSnapshot == transaction.snapshot)
        #expect(pin.pinnedNanoseconds > 0 && pin.snapshotAgeNanoseconds > 0)
        #expect(pin.pinnedNanoseconds >= pin.snapshotAgeNanoseconds)
        #expect(pin.framesHeldAlone > 0)
      }
      #expect(connection("reader", database)?.pinnedSnapshot == nil)
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  /// Such a reader limits no checkpoint, but prevents the WAL from restarting.
  @Test func `a reader at the newest snapshot is named only if it reads from the WAL`() throws {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    try withDatabase(options) { database in
      let reader = try database.newConnection(name: "reader")
      // The frames of the file's creation are copied first.
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      try commit(try database.newConnection())
      try reader.read { _ in
        let holder = try #require(database.statistics.walHeldOpenBy)
        #expect(holder.name == "reader" && holder.readsWAL && holder.pinnedSnapshot == database.snapshot)
        #expect(database.statistics.walPinnedBy == nil)
      }
      #expect(database.statistics.walHeldOpenBy == nil)
    }
    try withDatabase { database in
      let reader = try database.newConnection(name: "reader")
      try commit(try database.newConnection())
      #expect(eventually { database.statistics.walBacklogFrames == 0 && database.checkpointer.signals.isAsleep })
      try reader.read { _ in #expect(database.statistics.walHeldOpenBy == nil) }
    }
  }

  /// Only an enumeration can keep a statement open.
  @Test func `a running enumeration blocks no longer than its transaction`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      for key in ["a", "b"] { try writer.readWrite { try $0.setObject(bytes("1"), forKey: key) } }
      try reader.read { transaction in
        try transaction.enumerateKeys { _, stop in
          try commit(writer)
          #expect(database.statistics.walPinnedBy?.name == "reader")
          #expect(reader.handle.sqlite.hasLiveStatements)
          stop = true
        }
        #expect(!reader.handle.sqlite.hasLiveStatements)
      }
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  @Test func `a reader of another program is reported as none of the engine's connections`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      try commit(writer)
      let foreign = try SQLiteHandle(path: database.path)
      try foreign.execute("BEGIN")
      _ = try foreign.integer("SELECT number FROM snapshot")
      for _ in 0..<5 { try commit(writer) }
      #expect(
        eventually {
          guard let last = database.checkpoints().last else { return false }
          return last.framesLeft > 0 && last.outcome == .partialPinned && last.pinnedBy == nil
        }
      )
      #expect(database.statistics.walBacklogFrames > 0)
      #expect(database.statistics.walPinnedBy == nil && database.statistics.walHeldOpenBy == nil)
      try foreign.execute("ROLLBACK")
      try foreign.close()
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  @Test func `a read-write transaction is reported while it is open, however it ends`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let other = try database.newConnection(name: "other")
      let isWriting = {
        #expect(self.connection("other", database)?.writingNanoseconds == nil)
        return self.connection("writer", database)?.writingNanoseconds != nil
      }
      #expect(!isWriting())
      let ends: [(String, (YapDatabaseReadWriteTransaction) throws -> Void)] = [
        ("commits", { try $0.setObject(bytes("1"), forKey: "k") }), ("changes nothing", { _ in }),
        ("rolls back", { try $0.rollback() }), ("throws", { _ in throw Deliberate() }),
      ]
      for (name, end) in ends {
        try? writer.readWrite { transaction in
          let first = connection("writer", database)?.writingNanoseconds ?? .max
          #expect(isWriting(), "\(name)")
          try other.read { _ in }
          #expect(connection("writer", database)?.writingNanoseconds ?? 0 >= first, "\(name)")
          try end(transaction)
        }
        #expect(!isWriting(), "\(name)")
      }
      try writer.vacuum()
      #expect(!isWriting())
    }
  }
}
