#if RocksDB
  internal import BenchResults
  internal import BenchScenario
  internal import CRocksDB
  internal import Foundation
  internal import ThreadingPrimitives

  /// A connection, which one thread at a time uses. A bookmark is a snapshot that stays held.
  // All mutable state is protected by the lock.
  final class RocksDBDriverConnection: DriverConnection, @unchecked Sendable {
    let name: String
    private let number: Int
    private let database: RocksDBDriverDatabase
    private let store: RocksDBStore
    private let lock = NSLock()
    private var bookmark: RocksDBSnapshot?

    init(name: String, number: Int, _ database: RocksDBDriverDatabase) {
      self.name = name
      self.number = number
      self.database = database
      store = database.store
    }

    deinit { database.pins.withLock { [number] in $0.removeConnection(number) } }

    func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
      let laneWait = lock.acquire()
      defer { lock.unlock() }
      let snapshot = try bookmark ?? RocksDBSnapshot(of: store)
      // RocksDB must not release the snapshot while the block reads.
      try withExtendedLifetime(snapshot) {
        try body(RocksDBTransaction(snapshot: snapshot.commit, store, snapshot.readOptions))
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
      guard bookmark == nil else { throw RocksDBError("end the long-lived read of \"\(name)\" before writing") }
      times.writeLaneWait = database.writeLock.acquire()
      defer { database.writeLock.unlock() }
      let begun = MonotonicClock.now
      // No other transaction writes meanwhile, so reads need no snapshot.
      let readOptions = rocksdb_readoptions_create()
      defer { rocksdb_readoptions_destroy(readOptions) }
      // With one record for each key, so that the batch can be read. It is dropped unless it is written.
      let batch = rocksdb_writebatch_wi_create(0, 1)
      defer { rocksdb_writebatch_wi_destroy(batch) }
      guard let readOptions, let batch else { throw RocksDBError("a batch of changes cannot be created") }
      let commit = database.commit + 1
      let transaction = RocksDBTransaction(snapshot: commit, store, readOptions, batch: batch)
      let blockBegan = MonotonicClock.now
      times.begin = blockBegan - begun
      let result = Result { try body(transaction) }
      times.block = MonotonicClock.now - blockBegan
      times.statements = transaction.callNanoseconds
      try result.get()
      guard transaction.hasChanged else { return }
      let writeBegan = MonotonicClock.now
      try store.write(batch, commit: commit)
      times.commit = MonotonicClock.now - writeBegan
      database.finishCommit(commit)
    }

    func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }
    func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }

    private static let noAsynchronousCalls = RocksDBError("RocksDB has no asynchronous calls")

    /// Returns no changes, because RocksDB does not report which rows a commit has changed.
    func advance(changesIn collection: String?) throws -> DriverAdvance {
      try lock.withLock {
        // The old snapshot is released first: it would keep the new one's overwritten rows.
        endBookmark()
        let snapshot = try RocksDBSnapshot(of: store)
        bookmark = snapshot
        database.recordPin(of: number, at: snapshot.commit)
        return DriverAdvance(snapshot: snapshot.commit, jumped: [])
      }
    }

    func endLongLivedRead() { lock.withLock { endBookmark() } }

    private func endBookmark() {
      guard bookmark != nil else { return }
      bookmark = nil
      database.pins.withLock { [number] in $0.unpin(number) }
    }

    func flushMemory() throws {
      throw RocksDBError("RocksDB's cache belongs to all connections; a connection has no memory to release")
    }
  }
#endif
