import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// A WAL over its limit, and those who read from it.
@Suite struct WALResetTests {
  private var small: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.aggressiveCheckpointAt = 64 << 10
    options.journalSizeLimit = 0
    return options
  }

  @Test(arguments: [0, nil, 8 << 20] as [Int?])
  func `bookmarks at the newest snapshot are pinned anew, see the same and are told nothing`(
    _ journalSizeLimit: Int?
  ) throws {
    var options = small
    options.journalSizeLimit = journalSizeLimit
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let bookmarks = try (0..<6).map { try database.newConnection(name: "bookmark \($0)") }
      for bookmark in bookmarks { try bookmark.beginLongLivedReadTransaction() }
      for round in 1...5 {
        // Nobody moves while the commits are made; so the WAL cannot begin anew before all have.
        for _ in 0..<30 { try commit(writer) }
        #expect(database.statistics.walFrames > 16)
        for bookmark in bookmarks {
          let told = try bookmark.beginLongLivedReadTransaction()
          #expect(told.map(\.snapshot) == (bookmark.snapshot - 30..<bookmark.snapshot).map { $0 + 1 })
        }
        // One commit more and the WAL begins anew, if the file was not cut.
        #expect(eventually { resets(database).count == round })
        let statistics = database.statistics
        #expect(statistics.walHeldOpenBy == nil)
        #expect(statistics.walBacklogFrames == 0)
        #expect((statistics.walBytes == 0) == (journalSizeLimit == 0))
        for bookmark in bookmarks {
          #expect(bookmark.isInLongLivedReadTransaction)
          try #expect(bookmark.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("\(database.snapshot)"))
          try #expect(bookmark.beginLongLivedReadTransaction().isEmpty)
        }
      }
      try commit(writer)
      #expect(database.statistics.walFrames < 16)
      #expect(
        database.checkpoints().filter { $0.cause == "limit" }.allSatisfy { $0.framesLeft == 0 || $0.outcome == .gaveUp }
      )
    }
  }

  @Test(
    .enabled(if: TestHooks.areBuiltIn),
    arguments: [nil, PlantedBug.database(.resetsOldBookmarks), .falsified(.repeatsAfterReset)]
  )
  func `a reset that a client would notice is found`(_ bug: PlantedBug?) throws {
    var options = small
    if let bug { options.plant([bug]) }
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let bookmark = try database.newConnection(name: "bookmark")
      // One that reads from the database file alone is in nobody's way.
      repeat {
        try commit(writer)
        try bookmark.beginLongLivedReadTransaction()
      } while database.statistics.connections.first { $0.name == "bookmark" }?.readsWAL == false
      let first = bookmark.snapshot
      var told: [UInt64] = []
      func move() throws {
        let isRepeated = bug == .falsified(.repeatsAfterReset) && !resets(database).isEmpty
        if isRepeated, let last = told.last { told.append(last) }
        told += try bookmark.beginLongLivedReadTransaction().map(\.snapshot)
      }
      func isToldAll() -> Bool { told == (first..<database.snapshot).map { $0 + 1 } }
      // Whether the bookmark reads the snapshot to which the client has moved it.
      var isSteady = true
      var shown = first
      for _ in 0..<30 { try commit(writer) }
      if bug == .database(.resetsOldBookmarks) {
        // It must not be moved as long as it is behind. On a busy machine it may have been pinned anew before it was.
        let isFound = try eventually {
          for _ in 0..<30 { try commit(writer) }
          // A reset that has given up is repeated when the WAL has grown.
          let readsFile = try eventually {
            try commit(writer)
            return database.statistics.connections.first { $0.name == "bookmark" }?.readsWAL == false
          }
          isSteady = try bookmark.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("\(shown)")
          try move()
          shown = bookmark.snapshot
          return !readsFile || !isSteady
        }
        #expect(isFound)
      } else {
        // It is pinned anew as soon as it is not; on a busy machine not at once.
        let isReset = try eventually {
          try commit(writer)
          try move()
          return !resets(database).isEmpty
        }
        #expect(isReset)
      }
      try commit(writer)
      try move()
      #expect((isToldAll() && isSteady) == (bug == nil))
    }
  }

  @Test func `a bookmark that stays is told of, once, and when it moves the WAL begins anew`() throws {
    try withDatabase(small) { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      try commit(writer)
      try ui.beginLongLivedReadTransaction()
      for _ in 0..<200 { try commit(writer) }
      #expect(eventually { attempts(database).count > 0 })
      for _ in 0..<200 { try commit(writer) }
      let given = try #require(attempts(database).first)
      #expect(given.outcome == .gaveUp)
      #expect(given.pinnedBy == "ui")
      #expect(given.framesLeft > 0)
      #expect(attempts(database).count == 1)
      #expect(database.statistics.walHeldOpenBy?.name == "ui")
      #expect(database.statistics.walBytes > 2 * 64 << 10)
      try ui.beginLongLivedReadTransaction()
      #expect(eventually { database.statistics.walBytes == 0 })
      #expect(database.statistics.walHeldOpenBy == nil)
    }
  }

  @Test func `a read at the newest snapshot that does not end is named, though all is copied`() throws {
    try withDatabase(small) { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      var before = 0
      for _ in 0..<30 { try commit(writer) }
      try reader.read { _ in
        try commit(writer)
        before = attempts(database).count
      }
      // Now one that is at the newest snapshot when the WAL is over its limit.
      for _ in 0..<30 { try commit(writer) }
      try reader.read { _ in
        for _ in 0..<30 { try commit(writer) }
        #expect(eventually { attempts(database).count > before })
        #expect(database.statistics.walHeldOpenBy?.name == "reader")
      }
      #expect(eventually { database.statistics.walBytes == 0 })
    }
  }

  @Test func `without readers the WAL is cut when it is over its limit`() throws {
    try withDatabase(small) { database in
      let writer = try database.newConnection(name: "writer")
      for _ in 0..<400 { try commit(writer) }
      #expect(eventually { database.statistics.walBytes < 64 << 10 && database.statistics.walBacklogFrames == 0 })
      #expect(
        database.checkpoints().allSatisfy { $0.outcome == .complete || $0.outcome == .reset || $0.framesLeft > 0 }
      )
    }
  }

  @Test func `a limit of less than nothing is refused`() {
    var options = small
    options.aggressiveCheckpointAt = -1
    #expect(code { try withDatabase(options) { _ in } } == .invalidArgument)
  }

  // MARK: The WAL of an earlier run

  @Test(arguments: [300, 3_000])
  func `what a crash left is measured, copied beside commits and cut`(_ commits: Int) throws {
    try withTemporaryFolder { folder in
      var options = small
      options.pageSize = 512
      var unchecked = options
      unchecked.checkpointing = .every(nanoseconds: .max)
      let database = try YapDatabase(path: folder + "/run.sqlite", options: unchecked)
      #expect(database.recovery == nil)
      let writer = try database.newConnection(name: "writer")
      for _ in 0..<commits { try commit(writer) }
      // As a crash would leave the files: no process has them open. A child copies them, for this one must not open
      // the database file a second time.
      for suffix in ["", "-wal"] {
        let arguments = [folder + "/run.sqlite" + suffix, folder + "/left.sqlite" + suffix]
        let copying = try Process.run(URL(filePath: "/bin/cp"), arguments: arguments)
        copying.waitUntilExit()
        #expect(copying.terminationStatus == 0)
      }
      let left = database.statistics
      try database.close()

      let reopened = try YapDatabase(path: folder + "/left.sqlite", options: options)
      let recovery = try #require(reopened.recovery)
      #expect(recovery.walBytes == left.walBytes)
      #expect(recovery.frames == left.walFrames)
      #expect(recovery.nanoseconds > 0)
      let reader = try reopened.newConnection(name: "reader")
      try #expect(reader.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("\(commits)"))
      #expect(eventually { reopened.statistics.walBytes == 0 })
      let opening = try #require(reopened.checkpoints().first)
      #expect(opening.cause == "opening")
      // What takes long is not copied while writers wait.
      #expect(opening.isBesideCommits == (left.walFrames > 1_024))
      #expect(reopened.snapshot == UInt64(commits))
      try reopened.close()
    }
  }

  private func commit(_ writer: YapDatabaseConnection) throws {
    try writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }
  }

  private func attempts(_ database: YapDatabase) -> [YapDatabaseCheckpoint] {
    database.checkpoints().filter { $0.cause == "limit" }
  }

  private func resets(_ database: YapDatabase) -> [YapDatabaseCheckpoint] {
    attempts(database).filter { $0.outcome == .reset }
  }
}
