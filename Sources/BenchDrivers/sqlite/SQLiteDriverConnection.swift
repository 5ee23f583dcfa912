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
      try body(transaction(at: bookmark, isWriting: false))
    } else {
      try runTransaction("BEGIN") {
        try body(transaction(at: try handle.commit(), isWriting: false))
        return true
      }
    }
    return laneWait
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let start = MonotonicClock.now
    var times = CommitTimes.zero
    try run(body, &times)
    let parts = times.total
    times.rest = MonotonicClock.now - start - parts
    return times
  }

  private func run(_ body: (any DriverTransaction) throws -> Void, _ times: inout CommitTimes) throws {
    times.laneWait = lock.acquire()
    defer { lock.unlock() }
    guard bookmark == nil else { throw SQLiteDriverError("end the long-lived read of \"\(name)\" before writing") }
    try database.writeLock.write { waited, behindCheckpoints in
      times.writeLaneWait = waited
      times.checkpointWait = behindCheckpoints
      let begun = MonotonicClock.now
      var commit: UInt64 = 0
      let hasChanged = try runTransaction("BEGIN IMMEDIATE") {
        commit = try handle.commit() + 1
        let transaction = transaction(at: commit, isWriting: true)
        let blockBegan = MonotonicClock.now
        times.begin = blockBegan - begun
        handle.sqlite.beginTimingStatements()
        let result = Result { try body(transaction) }
        times.statements = handle.sqlite.endTimingStatements()
        times.block = MonotonicClock.now - blockBegan
        try result.get()
        guard transaction.hasChanged else { return false }
        try handle.run("UPDATE commits SET number = number + 1")
        return true
      } ending: { end in
        let began = MonotonicClock.now
        try end()
        times.commit = MonotonicClock.now - began
      }
      // If the commit makes the automatic checkpoint, its time counts as the commit's, as with SQLite's own COMMIT.
      times.commit = hasChanged ? times.commit + (try database.finishCommit(commit, on: handle)) : 0
    }
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }

  private static let noAsynchronousCalls = SQLiteDriverError("SQLite has no asynchronous calls")

  /// Returns no changes, because a connection of SQLite does not learn what another one has changed.
  func advance(changesIn collection: String?) throws -> DriverAdvance {
    try lock.withLock {
      try endBookmark()
      try handle.run("BEGIN")
      do {
        let snapshot = try handle.commit()
        bookmark = snapshot
        database.walRecord.recordPin(of: number, at: snapshot)
        return DriverAdvance(snapshot: snapshot, jumped: [])
      } catch {
        try? handle.run("ROLLBACK")  // the first error is more informative
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
    try handle.run("COMMIT")
  }

  private func transaction(at snapshot: UInt64, isWriting: Bool) -> SQLiteTransaction {
    SQLiteTransaction(snapshot: snapshot, isWriting: isWriting, handle, database.collections)
  }

  /// Runs `body` in a transaction. Commits if it returns true; rolls back if it returns false or throws.
  /// - Parameter ending: Called after `body` has returned. It must call its argument, which commits or rolls back.
  @discardableResult
  private func runTransaction(
    _ begin: String,
    _ body: () throws -> Bool,
    ending: (_ end: () throws -> Void) throws -> Void = { try $0() }
  ) throws -> Bool {
    try handle.run(begin)
    do {
      let commits = try body()
      try ending { try handle.run(commits ? "COMMIT" : "ROLLBACK") }
      return commits
    } catch {
      if handle.sqlite.isInTransaction { try? handle.run("ROLLBACK") }  // the first error is more informative
      throw error
    }
  }
}
