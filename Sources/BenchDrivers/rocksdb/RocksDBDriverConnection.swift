#if RocksDB
  internal import BenchResults
  internal import Foundation
  internal import ThreadingPrimitives

  /// A connection for one thread at a time. A bookmark holds a RocksDB snapshot until it moves or ends.
  // All mutable state is protected by the lock.
  final class RocksDBDriverConnection: SerialConnection, @unchecked Sendable {
    let name: String
    let lock = NSLock()
    private(set) var hasBookmark = false
    private let number: Int
    private let database: RocksDBDriverDatabase
    private let reader: RocksDBReader
    /// The transaction that every read reuses.
    private let reading: RocksDBTransaction
    /// The transaction that every write reuses.
    private let writing: RocksDBTransaction

    init(name: String, number: Int, _ database: RocksDBDriverDatabase) {
      self.name = name
      self.number = number
      self.database = database
      reader = RocksDBReader(of: database.store)
      reading = RocksDBTransaction(on: database.store, readOptions: reader.options)
      writing = RocksDBTransaction(writingTo: database.store)
    }

    deinit { database.pins.withLock { [number] in $0.removeConnection(number) } }

    var writeLock: WriteLock { database.writeLock }

    func read(_ body: DriverBlock) throws -> UInt64? {
      let laneWait = lock.acquire()
      defer { lock.unlock() }
      if hasBookmark {
        try body(reading)
      } else {
        reading.begin(snapshot: try reader.renew())
        defer { reader.reset() }
        try body(reading)
      }
      return laneWait
    }

    func write(_ block: DriverBlock, begun: UInt64, _ times: inout CommitTimes) throws {
      let commit = database.commit + 1
      writing.begin(snapshot: commit)
      try times.timeBlock(block, of: writing, begun: begun) { writing.callNanoseconds }
      guard writing.hasChanged else { return }
      try times.timeCommit { try writing.commit() }
      database.finishCommit(commit)
    }

    /// Returns no changes, because RocksDB does not report which rows a commit has changed.
    func advance(changesIn collection: String?) throws -> DriverAdvance {
      try lock.withLock {
        // The old snapshot is released first, so that RocksDB does not keep row versions for both.
        endBookmark()
        let snapshot = try reader.renew()
        reading.begin(snapshot: snapshot)
        hasBookmark = true
        database.recordPin(of: number, at: snapshot)
        return DriverAdvance(snapshot: snapshot, jumped: [])
      }
    }

    func endLongLivedRead() { lock.withLock { endBookmark() } }

    private func endBookmark() {
      guard hasBookmark else { return }
      hasBookmark = false
      reader.reset()
      database.pins.withLock { [number] in $0.unpin(number) }
    }

    func flushMemory() throws {
      throw RocksDBError("RocksDB's cache belongs to all connections; a connection has no memory to release")
    }
  }
#endif
