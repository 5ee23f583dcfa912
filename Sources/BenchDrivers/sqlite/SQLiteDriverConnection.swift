internal import BenchResults
internal import Foundation
internal import SQLiteBinding

/// A connection with its own handle, which one thread at a time uses. A bookmark is a read transaction that stays open.
// All mutable state is protected by the lock.
final class SQLiteDriverConnection: SerialConnection, @unchecked Sendable {
  let name: String
  let lock = NSLock()
  private let number: Int
  private let handle: SQLiteConnectionHandle
  private let database: SQLiteDriverDatabase
  private var bookmark: UInt64?

  init(name: String, number: Int, _ handle: SQLiteConnectionHandle, _ database: SQLiteDriverDatabase) {
    self.name = name
    self.number = number
    self.handle = handle
    self.database = database
  }

  deinit { database.walRecord.removeConnection(number) }

  var hasBookmark: Bool { bookmark != nil }
  var writeLock: WriteLock { database.writeLock }

  func read(_ body: DriverBlock) throws -> UInt64? {
    let laneWait = lock.acquire()
    defer { lock.unlock() }
    if let bookmark {
      try body(SQLiteTransaction(snapshot: bookmark, isWriting: false, handle: handle))
      return laneWait
    }
    try handle.begin.run()
    do {
      try body(SQLiteTransaction(snapshot: handle.newestCommit(), isWriting: false, handle: handle))
      try handle.commit.run()
    } catch {
      handle.rollBackAfterError()
      throw error
    }
    return laneWait
  }

  func write(_ block: DriverBlock, begun: UInt64, _ times: inout CommitTimes) throws {
    try handle.beginImmediate.run()
    do {
      let commit = try handle.newestCommit() + 1
      let transaction = SQLiteTransaction(snapshot: commit, isWriting: true, handle: handle)
      let changesBefore = handle.sqlite.totalChanges
      handle.sqlite.beginTimingStatements()
      try times.timeBlock(block, of: transaction, begun: begun) { handle.sqlite.endTimingStatements() }
      guard handle.sqlite.totalChanges != changesBefore else { return try handle.rollback.run() }
      try handle.countCommit.run()
      try times.timeCommit { try handle.commit.run() }
      // If the commit makes the automatic checkpoint, its time counts as the commit's, as with SQLite's own COMMIT.
      times.commit += try database.finishCommit(commit, on: handle.sqlite)
    } catch {
      handle.rollBackAfterError()
      throw error
    }
  }

  /// Returns no changes, because a connection of SQLite does not learn what another one has changed.
  func advance(changesIn collection: String?) throws -> DriverAdvance {
    try lock.withLock {
      try endBookmark()
      try handle.begin.run()
      do {
        let snapshot = try handle.newestCommit()
        bookmark = snapshot
        database.walRecord.recordPin(of: number, at: snapshot)
        return DriverAdvance(snapshot: snapshot, jumped: [])
      } catch {
        handle.rollBackAfterError()
        throw error
      }
    }
  }

  func endLongLivedRead() throws {
    try lock.withLock { try endBookmark() }
  }

  func flushMemory() { lock.withLock { handle.sqlite.releaseMemory() } }

  private func endBookmark() throws {
    guard bookmark != nil else { return }
    bookmark = nil
    database.walRecord.removePin(of: number)
    try handle.commit.run()
  }
}
