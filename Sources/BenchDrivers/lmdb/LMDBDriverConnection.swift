#if LMDB
  internal import BenchResults
  internal import CLMDB
  internal import Foundation

  /// A connection with its own read transaction, which one thread at a time uses. A bookmark is its snapshot that stays
  /// open.
  // All mutable state is protected by the lock.
  final class LMDBDriverConnection: SerialConnection, @unchecked Sendable {
    let name: String
    let lock = NSLock()
    private(set) var hasBookmark = false
    private let number: Int
    private let reader: LMDBReader
    private let database: LMDBDriverDatabase
    /// The transaction of all reads.
    private let reading: LMDBTransaction
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

    deinit { database.readers.removeConnection(number) }

    var writeLock: WriteLock { database.writeLock }

    func read(_ body: DriverBlock) throws -> UInt64? {
      let laneWait = lock.acquire()
      defer { lock.unlock() }
      if hasBookmark {
        try body(reading)
      } else {
        try takeSnapshot()
        defer { reader.reset() }
        try body(reading)
      }
      return laneWait
    }

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
      database.finishCommit(commit)
    }

    /// Returns no changes, because a connection does not learn what another one has changed.
    func advance(changesIn collection: String?) throws -> DriverAdvance {
      try lock.withLock {
        endBookmark()
        try takeSnapshot()
        hasBookmark = true
        database.readers.recordPin(of: number, at: reading.snapshot)
        return DriverAdvance(snapshot: reading.snapshot, jumped: [])
      }
    }

    func endLongLivedRead() { lock.withLock { endBookmark() } }

    /// Has no effect, because LMDB's only cache is the system's cache of the file.
    func flushMemory() {}

    private func endBookmark() {
      guard hasBookmark else { return }
      hasBookmark = false
      database.readers.removePin(of: number)
      reader.reset()
    }

    private func takeSnapshot() throws {
      try reader.renew()
      do {
        let snapshot = try database.databases.commit(in: reader.pointer, of: database.environment)
        reading.begin(reader.pointer, snapshot: snapshot)
      } catch {
        reader.reset()
        throw error
      }
    }
  }
#endif
