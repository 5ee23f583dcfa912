import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// A WAL over its limit, and the connections that read from it.
@Suite struct WALResetTests {
  private var small: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.aggressiveCheckpointAt = 64 << 10
    options.journalSizeLimit = 0
    return options
  }

  @Test(arguments: [0, nil, 8 << 20] as [Int?])
  func `bookmarks at the newest snapshot are pinned again, see the same rows and miss no commit`(
    _ journalSizeLimit: Int?
  ) throws {
    var options = small
    options.journalSizeLimit = journalSizeLimit
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let bookmarks = try (0..<6).map { try database.newConnection(name: "bookmark \($0)") }
      for bookmark in bookmarks { try bookmark.beginLongLivedReadTransaction() }
      for round in 1...5 {
        // No bookmark moves during the commits, so the WAL cannot restart before all have moved.
        for _ in 0..<30 { try commit(writer) }
        #expect(database.statistics.walFrames > 16)
        for bookmark in bookmarks {
          let told = try bookmark.beginLongLivedReadTransaction()
          #expect(told.map(\.snapshot) == (bookmark.snapshot - 30..<bookmark.snapshot).map { $0 + 1 })
        }
        // The WAL restarts with the next commit, if the file was not truncated.
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
        database.checkpoints().filter { $0.cause == .limit }.allSatisfy { $0.framesLeft == 0 || $0.outcome == .gaveUp }
      )
    }
  }

  @Test(arguments: [nil, Falsification.repeatsAfterReset])
  func `a reset is invisible to a client, and a repeated commit is detected`(_ falsification: Falsification?) throws {
    try withDatabase(small) { database in
      let writer = try database.newConnection(name: "writer")
      let bookmark = try database.newConnection(name: "bookmark")
      // A bookmark that reads only the database file does not limit checkpoints.
      repeat {
        try commit(writer)
        try bookmark.beginLongLivedReadTransaction()
      } while database.statistics.connections.first { $0.name == "bookmark" }?.readsWAL == false
      let first = bookmark.snapshot
      var told: [UInt64] = []
      func move() throws {
        let isRepeated = falsification == .repeatsAfterReset && !resets(database).isEmpty
        if isRepeated, let last = told.last { told.append(last) }
        told += try bookmark.beginLongLivedReadTransaction().map(\.snapshot)
      }
      func isToldAll() -> Bool { told == (first..<database.snapshot).map { $0 + 1 } }
      for _ in 0..<30 { try commit(writer) }
      // The bookmark is pinned again once it is not behind, which may take a while on a busy machine.
      let isReset = try eventually {
        try commit(writer)
        try move()
        return !resets(database).isEmpty
      }
      #expect(isReset)
      try commit(writer)
      try move()
      #expect(isToldAll() == (falsification == nil))
    }
  }

  @Test func `a bookmark that stays is reported once, and the WAL restarts when it moves`() throws {
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

  @Test func `a read at the newest snapshot that does not end is named, even if all frames are copied`() throws {
    try withDatabase(small) { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      var before = 0
      for _ in 0..<30 { try commit(writer) }
      try reader.read { _ in
        try commit(writer)
        before = attempts(database).count
      }
      // Now the reader is at the newest snapshot when the WAL is over its limit.
      for _ in 0..<30 { try commit(writer) }
      try reader.read { _ in
        for _ in 0..<30 { try commit(writer) }
        #expect(eventually { attempts(database).count > before })
        #expect(database.statistics.walHeldOpenBy?.name == "reader")
      }
      #expect(eventually { database.statistics.walBytes == 0 })
    }
  }

  @Test func `without readers the WAL is truncated when it is over its limit`() throws {
    try withDatabase(small) { database in
      let writer = try database.newConnection(name: "writer")
      for _ in 0..<400 { try commit(writer) }
      #expect(eventually { database.statistics.walBytes < 64 << 10 && database.statistics.walBacklogFrames == 0 })
      #expect(
        database.checkpoints().allSatisfy { $0.outcome == .complete || $0.outcome == .reset || $0.framesLeft > 0 }
      )
    }
  }

  @Test func `a negative limit is rejected`() {
    var options = small
    options.aggressiveCheckpointAt = -1
    #expect(code { try withDatabase(options) { _ in } } == .invalidArgument)
  }

  // MARK: The WAL of an earlier process

  @Test(arguments: [300, 3_000])
  func `the WAL that a crash left is measured, copied during commits and truncated`(_ commits: Int) throws {
    try withTemporaryFolder { folder in
      var options = small
      options.pageSize = 512
      var unchecked = options
      unchecked.checkpointing = .every(nanoseconds: .max)
      let database = try YapDatabase(path: folder + "/run.sqlite", options: unchecked)
      #expect(database.recovery == nil)
      let writer = try database.newConnection(name: "writer")
      for _ in 0..<commits { try commit(writer) }
      // Copies of the files that no process has open, as after a crash. A child process copies them, because this
      // process must not open the database file a second time.
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
      #expect(opening.cause == .opening)
      // A long copy is not made while writers wait.
      #expect(opening.isBesideCommits == (left.walFrames > 1_024))
      #expect(reopened.snapshot == UInt64(commits))
      try reopened.close()
    }
  }

  private func commit(_ writer: YapDatabaseConnection) throws {
    try writer.readWrite { try $0.setObject(bytes("\($0.snapshot)"), forKey: "k") }
  }

  private func attempts(_ database: YapDatabase) -> [YapDatabaseCheckpoint] {
    database.checkpoints().filter { $0.cause == .limit }
  }

  private func resets(_ database: YapDatabase) -> [YapDatabaseCheckpoint] {
    attempts(database).filter { $0.outcome == .reset }
  }
}
