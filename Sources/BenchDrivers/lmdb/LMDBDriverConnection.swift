#if LMDB
  internal import BenchResults
  internal import CLMDB
  internal import Foundation

  /// A connection with its own read transaction, which one thread at a time uses.
  // All mutable state is protected by the lock.
  final class LMDBDriverConnection: SnapshotConnection, @unchecked Sendable {
    let name: String
    let number: Int
    let lock = NSLock()
    var hasBookmark = false
    let reading: LMDBTransaction
    private let reader: LMDBReader
    private let database: LMDBDriverDatabase
    /// The transaction of all writes.
    private let writing: LMDBTransaction

    init(name: String, number: Int, _ reader: LMDBReader, _ database: LMDBDriverDatabase) {
      self.name = name
      self.number = number
      self.reader = reader
      self.database = database
      reading = LMDBTransaction(in: database, isWriting: false)
      writing = LMDBTransaction(in: database, isWriting: true)
    }

    deinit { pins.removeConnection(number) }

    var writeLock: WriteLock { database.writeLock }
    var pins: PinRecord { database.pins }

    func write(_ block: DriverBlock, begun: UInt64, _ times: inout CommitTimes) throws {
      let (environment, databases) = (database.environment, database.databases)
      let transaction = try environment.beginWriting()
      let commit: UInt64
      do {
        commit = try databases.commit(in: transaction, of: environment) + 1
        writing.begin(transaction, snapshot: commit)
        try times.timeBlock(block, of: writing, begun: begun) { writing.callNanoseconds }
        guard writing.hasChanged else { return mdb_txn_abort(transaction) }
        try databases.setCommit(commit, in: transaction, of: environment)
      } catch {
        mdb_txn_abort(transaction)
        throw error
      }
      try times.timeCommit { try environment.commit(transaction) }
      pins.recordCommit(commit)
      database.commits.report(commit)
    }

    /// Has no effect, because LMDB's only cache is the system's cache of the file.
    func flushMemory() {}

    func takeSnapshot() throws {
      try reader.renew()
      do {
        let snapshot = try database.databases.commit(in: reader.pointer, of: database.environment)
        reading.begin(reader.pointer, snapshot: snapshot)
      } catch {
        reader.reset()
        throw error
      }
    }

    func releaseSnapshot() { reader.reset() }
  }
#endif
