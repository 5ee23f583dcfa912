internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import SQLiteBinding
internal import ThreadingPrimitives

/// A connection with its own handle, which one thread at a time uses. A bookmark is a read transaction that stays open.
// All mutable state is protected by the lock.
final class SQLiteDriverConnection: DriverConnection, @unchecked Sendable {
  let name: String
  private let number: Int
  private let handle: SQLiteConnectionHandle
  private let database: SQLiteDriverDatabase
  private let lock = NSLock()
  private var bookmark: UInt64?

  init(name: String, number: Int, _ handle: SQLiteConnectionHandle, _ database: SQLiteDriverDatabase) {
    self.name = name
    self.number = number
    self.handle = handle
    self.database = database
  }

  deinit { database.walRecord.removeConnection(number) }

  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
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

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let start = MonotonicClock.now
    var times = CommitTimes.zero
    times.laneWait = lock.acquire()
    defer { lock.unlock() }
    guard bookmark == nil else { throw SQLiteDriverError("end the long-lived read of \"\(name)\" before writing") }
    try database.writeLock.write { waited, behindCheckpoints in
      times.writeLaneWait = waited
      times.checkpointWait = behindCheckpoints
      try handle.beginImmediate.run()
      do {
        try runTransaction(body, begun: start + times.laneWait + waited, &times)
      } catch {
        handle.rollBackAfterError()
        throw error
      }
    }
    let parts = times.total
    times.rest = MonotonicClock.now - start - parts
    return times
  }

  /// Runs `body` in the transaction that has begun. Commits if it has changed a row; otherwise rolls back.
  /// - Parameter begun: The time when the writers' lock was acquired.
  private func runTransaction(
    _ body: (any DriverTransaction) throws -> Void,
    begun: UInt64,
    _ times: inout CommitTimes
  ) throws {
    let commit = try handle.newestCommit() + 1
    let transaction = SQLiteTransaction(snapshot: commit, isWriting: true, handle: handle)
    let changesBefore = handle.sqlite.totalChanges
    let blockBegan = MonotonicClock.now
    times.begin = blockBegan - begun
    handle.sqlite.beginTimingStatements()
    let result = Result { try body(transaction) }
    times.statements = handle.sqlite.endTimingStatements()
    times.block = MonotonicClock.now - blockBegan
    try result.get()
    guard handle.sqlite.totalChanges != changesBefore else { return try handle.rollback.run() }
    try handle.countCommit.run()
    let commitBegan = MonotonicClock.now
    try handle.commit.run()
    times.commit = MonotonicClock.now - commitBegan
    // If the commit makes the automatic checkpoint, its time counts as the commit's, as with SQLite's own COMMIT.
    times.commit += try database.finishCommit(commit, on: handle)
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }

  private static let noAsynchronousCalls = SQLiteDriverError("SQLite has no asynchronous calls")

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
