#if GRDB
  internal import BenchResults
  internal import Foundation
  internal import GRDB
  internal import ThreadingPrimitives

  /// A serial lane in front of the pool, which chooses one of its SQLite connections for each read. A bookmark is a
  /// `DatabaseSnapshot`, which has a SQLite connection of its own with a read transaction that stays open.
  // All mutable state is protected by the lock.
  final class GRDBDriverConnection: SerialConnection, @unchecked Sendable {
    let name: String
    let lock = NSLock()
    private let number: Int
    private let database: GRDBDriverDatabase
    private var bookmark: (reader: DatabaseSnapshot, commit: UInt64)?

    init(name: String, number: Int, _ database: GRDBDriverDatabase) {
      self.name = name
      self.number = number
      self.database = database
    }

    deinit { database.walRecord.removeConnection(number) }

    var hasBookmark: Bool { bookmark != nil }
    var writeLock: WriteLock { database.writeLock }

    func read(_ body: DriverBlock) throws -> UInt64? {
      let laneWait = lock.acquire()
      defer { lock.unlock() }
      if let bookmark {
        try bookmark.reader.read { try body(transaction(at: bookmark.commit, isWriting: false, $0)) }
      } else {
        try database.pool.read { try body(transaction(at: try $0.newestCommit(), isWriting: false, $0)) }
      }
      return laneWait
    }

    func write(_ block: DriverBlock, begun: UInt64, _ times: inout CommitTimes) throws {
      try database.pool.writeWithoutTransaction { connection in
        var commitBegan: UInt64?
        var commit: UInt64 = 0
        try connection.inTransaction(.immediate) {
          commit = try connection.newestCommit() + 1
          let transaction = transaction(at: commit, isWriting: true, connection)
          try times.timeBlock(block, of: transaction, begun: begun) { transaction.statementNanoseconds }
          guard transaction.hasChanged else { return .rollback }
          try transaction.incrementCommit()
          commitBegan = MonotonicClock.now
          return .commit
        }
        guard let commitBegan else { return }
        times.commit = MonotonicClock.now - commitBegan
        // If the commit makes the automatic checkpoint, its time counts as the commit's, as with SQLite's own COMMIT.
        times.commit += try database.finishCommit(commit, on: database.writer)
      }
    }

    /// Returns no changes, because a snapshot of GRDB does not learn what later commits have changed. A snapshot cannot
    /// be moved, so each call opens a new one.
    func advance(changesIn collection: String?) throws -> DriverAdvance {
      try lock.withLock {
        endBookmark()
        let reader = try database.pool.makeSnapshot()
        let commit = try reader.read { try $0.newestCommit() }
        bookmark = (reader, commit)
        database.walRecord.recordPin(of: number, at: commit)
        return DriverAdvance(snapshot: commit, jumped: [])
      }
    }

    func endLongLivedRead() { lock.withLock { endBookmark() } }

    /// Releases the memory of the whole pool.
    func flushMemory() { lock.withLock { database.pool.releaseMemory() } }

    /// Releases the snapshot, which ends its transaction and closes its SQLite connection.
    private func endBookmark() {
      guard bookmark != nil else { return }
      database.walRecord.removePin(of: number)
      bookmark = nil
    }

    private func transaction(at snapshot: UInt64, isWriting: Bool, _ connection: Database) -> GRDBTransaction {
      GRDBTransaction(snapshot: snapshot, isWriting: isWriting, connection, database.collections)
    }
  }
#endif
