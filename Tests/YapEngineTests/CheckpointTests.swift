import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct CheckpointTests {
  /// The way in which a reader unpins the WAL.
  enum Release: String, CaseIterable {
    case move, end, vanish
  }

  @Test(arguments: Release.allCases)
  func `a bookmark that pins the WAL is named, and the backlog is copied as soon as it moves`(_ release: Release) throws
  {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let moving = try database.newConnection(name: "moving")
      var ui: YapDatabaseConnection? = try database.newConnection(name: "ui")
      try commit(writer)
      try ui?.beginLongLivedReadTransaction()
      // The frames up to the bookmark's snapshot can be copied.
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      #expect(database.statistics.walPinnedBy == nil && database.statistics.walFramesHeld == 0)
      var backlog = 0
      for _ in 0..<20 {
        try commit(writer)
        try moving.beginLongLivedReadTransaction()
        let statistics = database.statistics
        #expect(statistics.walBacklogFrames > backlog)
        backlog = statistics.walBacklogFrames
        let pin = try #require(statistics.walPinnedBy)
        #expect(pin.name == "ui")
        #expect(pin.isInLongLivedRead)
        #expect(pin.framesHeldAlone == backlog && statistics.walFramesHeld == backlog)
        #expect(statistics.connections.filter { $0.framesHeldAlone > 0 }.map(\.name) == ["ui"])
      }
      switch release {
      case .move: try ui?.beginLongLivedReadTransaction()
      case .end: try ui?.endLongLivedReadTransaction()
      case .vanish: ui = nil
      }
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      #expect(database.statistics.walPinnedBy == nil)
      #expect(database.statistics.lastCheckpointFailure == nil)
    }
  }

  @Test func `while a bookmark pins the WAL, not every commit attempts a checkpoint`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      try commit(writer)
      try ui.beginLongLivedReadTransaction()
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      let before = database.statistics.checkpointCount
      for _ in 0..<TestScale.count(1_000) { try commit(writer) }
      #expect(database.statistics.checkpointCount <= before + 1)
      try ui.endLongLivedReadTransaction()
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  @Test func `a commit that restarts the WAL is recognised, and a bookmark before it is still reported`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      for _ in 0..<10 { try commit(writer) }
      #expect(eventually { isAtRest(database) })
      let before = database.statistics
      // The bookmark begins when all frames are copied, so it reads only the database file, and the WAL may restart.
      try ui.beginLongLivedReadTransaction()
      let numbers = try ui.read { try $0.object(forKey: "k") as? [UInt8] }
      for round in 1...3 {
        try commit(writer)
        let statistics = database.statistics
        #expect(statistics.walRestarts == before.walRestarts + 1)
        #expect(statistics.walFrames < before.walFrames)
        let pin = try #require(statistics.walPinnedBy)
        #expect(pin.name == "ui")
        #expect(pin.pinnedFrame == 0)
        #expect(pin.pendingCommits == UInt64(round))
        #expect(pin.framesHeldAlone == statistics.walFrames)
      }
      try #expect(ui.read { try $0.object(forKey: "k") as? [UInt8] } == numbers)
      try ui.beginLongLivedReadTransaction()
      let moved = try #require(database.statistics.connections.first { $0.name == "ui" })
      #expect(moved.pinnedFrame == database.statistics.walFrames)
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  @Test func `the WAL stays small as long as no connection pins it`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      for _ in 0..<20 {
        for _ in 0..<20 { try commit(writer) }
        #expect(eventually { isAtRest(database) })
      }
      #expect(database.statistics.walRestarts >= 19)
      #expect(database.checkpoints().allSatisfy { $0.outcome == .complete || $0.framesLeft < 200 })
      #expect(database.statistics.walFrames < 200)
    }
  }

  @Test func `an infinite checkpoint interval disables checkpoints`() throws {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      for _ in 0..<400 { try commit(writer) }
      #expect(database.statistics.checkpointCount == 0)
    }
  }

  @Test func `a cleanly closed file needs no checkpoint when it is opened`() throws {
    try withTemporaryFolder { folder in
      for _ in 0..<2 {
        let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
        try commit(try database.newConnection())
        #expect(eventually { database.statistics.walBacklogFrames == 0 })
        if database.snapshot == 2 { #expect(!database.checkpoints().contains { $0.cause == .opening }) }
        try database.close()
      }
    }
  }

  // MARK: The list of commits

  @Test func `caches of idle connections follow by themselves, and a read releases the commits`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let idle = try (0..<4).map { try database.newConnection(name: "idle \($0)") }
      try commit(writer)
      weak let old = database.registry.withLock { $0.newest }
      for _ in 0..<200 { try commit(writer) }
      #expect(eventually { database.statistics.connections.allSatisfy { $0.pendingCommits == 0 } })
      #expect(idle.allSatisfy { $0.snapshot == database.snapshot })
      // The clients of the idle connections have not seen the commits.
      let unseen = database.statistics.connections.filter { $0.name != "writer" }.map(\.unseenCommits)
      #expect(unseen == [201, 201, 201, 201])
      #expect(old != nil)
      for connection in idle { try connection.read { _ in } }
      #expect(database.statistics.connections.allSatisfy { $0.unseenCommits == 0 && $0.pendingBytes == 0 })
      #expect(eventually { old == nil })
    }
  }

  @Test func `a modification that a client keeps does not keep the commits after it`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      try ui.beginLongLivedReadTransaction()
      try commit(writer)
      let kept = try ui.beginLongLivedReadTransaction()
      try commit(writer)
      weak let later = database.registry.withLock { $0.newest }
      try commit(writer)
      try ui.beginLongLivedReadTransaction()
      #expect(eventually { later == nil })
      #expect(kept.map(\.snapshot) == [1])
      #expect(ui.hasChange(forKey: "k", in: kept))
    }
  }

  /// Whether all frames are copied, and no guard prevents the WAL from restarting.
  private func isAtRest(_ database: YapDatabase) -> Bool {
    database.statistics.walBacklogFrames == 0 && database.checkpointer.signals.isAsleep
  }

  private func commit(_ writer: YapDatabaseConnection) throws {
    try writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }
  }
}
