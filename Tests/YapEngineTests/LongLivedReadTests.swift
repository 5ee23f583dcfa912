import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct LongLivedReadTests {
  private func withTwo(_ body: (YapDatabase, YapDatabaseConnection, YapDatabaseConnection) throws -> Void) throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      try set("1", writer)
      try body(database, writer, ui)
    }
  }

  private func set(_ value: String, _ connection: YapDatabaseConnection) throws {
    try connection.readWrite { try $0.setObject(bytes(value), forKey: "k") }
  }

  private func value(_ connection: YapDatabaseConnection) throws -> [UInt8]? {
    try connection.read { try $0.object(forKey: "k") as? [UInt8] }
  }

  @Test func `a write on the bookmarked connection is rejected with its name, and changes nothing`() throws {
    try withTwo { database, writer, ui in
      try ui.beginLongLivedReadTransaction()
      let error = failure { try ui.readWrite { _ in _ = Issue.record("the block ran") } }
      #expect(error?.code == .longLivedReadInTheWay)
      #expect(error?.message.contains("\"ui\"") == true)
      #expect(ui.isInLongLivedReadTransaction)
      try set("2", writer)
      try #expect(value(ui) == bytes("1"))
      try #expect(ui.beginLongLivedReadTransaction().map(\.snapshot) == [2])
    }
  }

  @Test func `a connection may be configured to end its bookmark when it writes`() throws {
    try withTwo { database, writer, ui in
      ui.refusesToEndLongLivedReadImplicitly = false
      try ui.beginLongLivedReadTransaction()
      try set("2", writer)
      try set("3", ui)
      #expect(!ui.isInLongLivedReadTransaction)
      #expect(ui.snapshot == 3)
      try #expect(ui.endLongLivedReadTransaction() == nil)
      try #expect(value(ui) == bytes("3"))
      // The connection's own commits are never returned to it, and commits that it passed while writing are not
      // returned later.
      try #expect(ui.beginLongLivedReadTransaction().isEmpty)
      #expect(eventually { database.statistics.connections.first { $0.name == "ui" }?.pinnedSnapshot == 3 })
    }
  }

  @Test func `the end of a bookmark returns the commits that it missed, and nil if there is no bookmark`() throws {
    try withTwo { _, writer, ui in
      try #expect(ui.endLongLivedReadTransaction() == nil)
      try ui.beginLongLivedReadTransaction()
      try #expect(ui.endLongLivedReadTransaction()?.count == 0)
      try ui.beginLongLivedReadTransaction()
      for value in ["2", "3"] { try set(value, writer) }
      try #expect(value(ui) == bytes("1"))
      try #expect(ui.endLongLivedReadTransaction()?.map(\.snapshot) == [2, 3])
      try #expect(value(ui) == bytes("3"))
    }
  }

  @Test func `a connection that is released unpins its bookmark`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      var ui: YapDatabaseConnection? = try database.newConnection(name: "ui")
      weak let gone = ui
      try set("1", writer)
      try ui?.beginLongLivedReadTransaction()
      try set("2", writer)
      #expect(database.statistics.walPinnedBy?.name == "ui")
      ui = nil
      // The sweep may hold a reference to it for a moment.
      #expect(eventually { gone == nil })
      #expect(database.statistics.connections.map(\.name) == ["writer"])
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  @Test func `a bookmark that SQLite lost is reported, and not silently moved`() throws {
    try withTwo { database, writer, ui in
      try ui.beginLongLivedReadTransaction()
      try set("2", writer)
      let error = failure { try ui.read { _ in ui.handle.rollbackIfNeeded() } }
      #expect(error?.code == .snapshotLost)
      #expect(error?.message.contains("\"ui\"") == true)
      #expect(!ui.isInLongLivedReadTransaction)
      #expect(database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil })
      try #expect(value(ui) == bytes("2"))
      try #expect(ui.beginLongLivedReadTransaction().isEmpty)
    }
  }

  /// A reset of the WAL pins idle bookmarks again. If SQLite fails halfway, no read may use the begun transaction,
  /// which could see later commits.
  @Test func `a bookmark that could not be pinned again is lost`() throws {
    try withTwo { database, writer, ui in
      try ui.beginLongLivedReadTransaction()
      let newest = ui.follower.commit
      let sqlite = database.writer.handle.sqlite
      try database.writer.lane.withLane {
        try sqlite.execute("ALTER TABLE snapshot RENAME TO elsewhere")
        // The sweep may hold the lane for a moment.
        #expect(eventually { failure { try ui.renewBookmarkIfIdle(newest) } != nil })
        #expect(!ui.handle.sqlite.isInTransaction)
        try sqlite.execute("ALTER TABLE elsewhere RENAME TO snapshot")
      }
      try set("2", writer)
      #expect(code { _ = try value(ui) } == .snapshotLost)
      #expect(!ui.isInLongLivedReadTransaction)
      try #expect(value(ui) == bytes("2"))
    }
  }

  @Test func `a bookmark that SQLite lost can be moved and ended, and returns the commits that it missed`() throws {
    try withTwo { database, writer, ui in
      try ui.beginLongLivedReadTransaction()
      for isMoved in [true, false] {
        let told = ui.snapshot
        try set("2", writer)
        ui.handle.rollbackIfNeeded()
        let jumped = try isMoved ? ui.beginLongLivedReadTransaction() : ui.endLongLivedReadTransaction() ?? []
        #expect(jumped.map(\.snapshot) == [told + 1])
        try #expect(value(ui) == bytes("2"))
      }
      #expect(database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil })
    }
  }

  @Test func `a read whose snapshot SQLite lost fails`() throws {
    try withTwo { database, _, reader in
      #expect(code { try reader.read { _ in reader.handle.rollbackIfNeeded() } } == .snapshotLost)
      #expect(database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil })
      try #expect(value(reader) == bytes("1"))
    }
  }

  @Test func `the error of a block is rethrown even if SQLite ended the transaction`() throws {
    try withTwo { _, _, reader in
      #expect(throws: Deliberate()) {
        try reader.read { _ in
          reader.handle.rollbackIfNeeded()
          throw Deliberate()
        }
      }
      try #expect(value(reader) == bytes("1"))
    }
  }

  //  a queued read                       another thread
  //  ──────────────────────────────────  ──────────────────────────────────
  //  runs, and waits
  //                                      begin: is queued after it
  //  ends
  //                                      begins
  @Test func `a begin waits for the reads that were queued before it`() throws {
    try withDatabase { database in
      let ui = try database.newConnection(name: "ui")
      let order = SharedList<String>()
      let gate = StartGate()
      ui.asyncRead({ _ in
        gate.wait()
        order.append("read")
      })
      let thread = try WorkerThread(name: "begin") {
        let error = failure { try ui.beginLongLivedReadTransaction() }
        order.append(error?.message ?? "begun")
      }
      #expect(eventually { ui.pendingTransactionCount == 2 })
      #expect(order.all.isEmpty && !ui.isInLongLivedReadTransaction)
      gate.open()
      thread.join()
      #expect(order.all == ["read", "begun"])
    }
  }

  /// Both before a bookmark and by the write that ends one.
  @Test func `a connection gets the commits of other connections, and never its own`() throws {
    try withTwo { _, writer, ui in
      try set("2", ui)
      try set("3", writer)
      try set("4", ui)
      // Its own transactions have already included the earlier commits.
      try #expect(ui.beginLongLivedReadTransaction().isEmpty)
      ui.refusesToEndLongLivedReadImplicitly = false
      try set("5", writer)
      try set("6", ui)
      try #expect(ui.beginLongLivedReadTransaction().isEmpty)
      try set("7", writer)
      try #expect(ui.beginLongLivedReadTransaction().map(\.snapshot) == [7])
      try #expect(ui.endLongLivedReadTransaction()?.isEmpty == true)
    }
  }
}
