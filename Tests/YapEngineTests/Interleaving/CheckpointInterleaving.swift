import SQLiteBinding
import TestSupport
import ThreadingPrimitives

@testable import YapEngine

/// Checkpoints and resets of the WAL interleaved with the steps of reads and commits, of which each is held while the
/// others run.
struct CheckpointInterleaving: Sendable, CustomStringConvertible {
  enum Held: Sendable {
    /// The checkpointer, while others read, open connections, move bookmarks and, if there is a guard, commit.
    case checkpointer(TestPoint)
    /// A reader, while commits, checkpoints and an attempted reset run completely.
    case reader(TestPoint)
    /// A writer, while checkpoints run.
    case writer(TestPoint)
  }

  let held: Held
  /// Whether the reader is already in a long-lived read.
  let isBookmarked: Bool

  var description: String { "\(held)\(isBookmarked ? ", bookmarked" : "")" }

  static let checkpointerPoints: [TestPoint] = [.checkpointBegun, .checkpointGuarded, .checkpointInside, .resetBegun]

  static let all: [CheckpointInterleaving] = [false, true].flatMap { isBookmarked in
    let held =
      checkpointerPoints.map { Held.checkpointer($0) } + Interleaving.readerPoints.map { Held.reader($0) }
      + Interleaving.writerPoints.map { Held.writer($0) }
    return held.map { CheckpointInterleaving(held: $0, isBookmarked: isBookmarked) }
  }

  /// - Returns: The first violation.
  func play() -> Discrepancy? {
    Discrepancy.first {
      try withTemporaryFolder { folder in
        let script = PointScript()
        var options = script.options
        options.testHooks.checkpointsAlways = true
        if case .writer = held {
          // A reset would wait for the held writer.
          options.aggressiveCheckpointAt = .max
        } else {
          options.aggressiveCheckpointAt = 16 << 10
        }
        let path = folder + "/test.sqlite"
        let database = try YapDatabase(path: path, options: options)
        let play = try CheckpointPlay(database: database, script: script, isBookmarked: isBookmarked)
        switch held {
        case .checkpointer(let point): try play.hold(checkpointerAt: point)
        case .reader(let point): try play.hold(readerAt: point)
        case .writer(let point): try play.hold(writerAt: point)
        }
        try script.finish()
        try play.checkAftermath()
        let newest = database.snapshot
        try database.close()
        let handle = try SQLiteHandle(path: path)
        try Discrepancy.check(try handle.text("PRAGMA integrity_check"), "ok", "integrity of the file")
        try Discrepancy.check(try handle.integer("SELECT number FROM snapshot"), Int64(newest), "commit in the file")
        try handle.close()
      }
    }
  }
}

private final class CheckpointPlay: Sendable {
  private let database: YapDatabase
  private let script: PointScript
  private let isBookmarked: Bool
  private let writer: YapDatabaseConnection
  private let inner: YapDatabaseConnection
  private let reader: YapDatabaseConnection
  private let told = SharedList<UInt64>()
  private let isDone = SharedList<Bool>()
  /// A lock that orders moves of the bookmark with the check of what they return.
  private let moves = Guarded(())

  init(database: YapDatabase, script: PointScript, isBookmarked: Bool) throws {
    self.database = database
    self.script = script
    self.isBookmarked = isBookmarked
    writer = try database.newConnection(name: "writer")
    inner = try database.newConnection(name: "inner")
    reader = try database.newConnection(name: "reader")
    for _ in 0..<3 { try commit(writer) }
    if isBookmarked {
      try reader.beginLongLivedReadTransaction()
      told.append(reader.snapshot)
    }
  }

  private func commit(_ connection: YapDatabaseConnection) throws {
    try connection.readWrite { try NumberedState.write($0) }
  }

  private func check(_ connection: YapDatabaseConnection, notBefore least: UInt64 = 0) throws {
    try connection.read { transaction in
      guard transaction.snapshot >= least else { throw Discrepancy("saw \(transaction.snapshot), not \(least)") }
      try NumberedState.check(transaction)
    }
  }

  /// Reads as the reader does, or moves its bookmark.
  private func readOnce() throws {
    let least = database.snapshot
    if isBookmarked {
      try moves.withLock { _ in
        for commit in try reader.beginLongLivedReadTransaction() { told.append(commit.snapshot) }
      }
    }
    try check(reader, notBefore: isBookmarked ? reader.snapshot : least)
  }

  private func checkpoints(_ cause: YapDatabaseCheckpoint.Cause?) -> Int {
    database.checkpoints().count { cause == nil || $0.cause == cause }
  }

  //  checkpointer                        the same thread, for others
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      reads, begins and moves; with a guard
  //                                      commits, otherwise queues a commit
  //  continues
  func hold(checkpointerAt point: TestPoint) throws {
    let isGuarded = point == .checkpointGuarded || point == .checkpointInside
    script.at(point, of: "checkpointer") { [self] in
      defer { isDone.append(true) }
      try readOnce()
      if isGuarded {
        for _ in 0..<3 { try commit(inner) }
      } else {
        inner.asyncReadWrite({ try NumberedState.write($0) })
      }
      try check(try database.newConnection(name: "passer-by"), notBefore: database.snapshot)
      try readOnce()
    }
    let isReached = try eventually {
      try commit(writer)
      // A bookmark that stays leaves frames to copy and so a guard, and no checkpoint would need the lane.
      if isBookmarked { try readOnce() }
      return !isDone.all.isEmpty
    }
    if !isReached { throw Discrepancy("the point was not reached") }
  }

  //  reader                              writer and checkpointer
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      commits; a checkpoint and an attempted
  //                                      reset
  //  continues, must see one snapshot
  func hold(readerAt point: TestPoint) throws {
    for _ in 0..<3 { try commit(writer) }
    script.at(point, of: "reader") { [self] in
      // A reset that the bookmark made give up is not attempted again before the bookmark moves.
      let before = (all: checkpoints(nil), resets: isBookmarked ? 0 : checkpoints(.limit))
      for _ in 0..<5 { try commit(writer) }
      guard eventually({ checkpoints(nil) > before.all && checkpoints(.limit) > before.resets }) else {
        throw Discrepancy("no checkpoint or no try of a reset came")
      }
    }
    try readOnce()
  }

  //  writer                              checkpointer
  //  ──────────────────────────────────  ──────────────────────────────────
  //  reaches the point
  //                                      copies twice
  //  continues
  func hold(writerAt point: TestPoint) throws {
    // A bookmark leaves frames to copy, and so a guard.
    let bookmark = try database.newConnection(name: "bookmark")
    try bookmark.beginLongLivedReadTransaction()
    // A copy of all frames that was already running may end after a commit; a guard needs a later commit.
    try copyTwice { [self] in try commit(writer) }
    script.at(point, of: "writer") { [self] in
      try copyTwice()
      try readOnce()
      try copyTwice()
    }
    try commit(writer)
    try bookmark.endLongLivedReadTransaction()
  }

  /// - Parameter meanwhile: Is called repeatedly until both copies are made.
  private func copyTwice(meanwhile: () throws -> Void = {}) throws {
    let before = database.statistics.checkpointCount
    let isCopied = try eventually {
      try meanwhile()
      return database.checkpoints(after: before).count { $0.isBesideCommits } >= 2
    }
    if !isCopied { throw Discrepancy("no checkpoint ran beside the commit") }
  }

  /// Checks that all connections reach the newest snapshot, and that each commit was returned once.
  func checkAftermath() throws {
    guard eventually({ inner.pendingTransactionCount == 0 }) else { throw Discrepancy("the queued commit stays") }
    for _ in 0..<2 {
      try readOnce()
      for connection in [writer, inner] { try check(connection, notBefore: database.snapshot) }
      try commit(writer)
    }
    try readOnce()
    if isBookmarked {
      let all = told.all
      try Discrepancy.check(all, Array((all.first ?? 0)...database.snapshot), "commits told to the bookmark")
      try reader.endLongLivedReadTransaction()
    }
    try commit(writer)
    guard eventually({ database.statistics.walBacklogFrames == 0 }) else { throw Discrepancy("the WAL stays") }
  }
}
