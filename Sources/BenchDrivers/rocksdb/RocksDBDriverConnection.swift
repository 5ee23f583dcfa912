#if RocksDB
  internal import BenchResults
  internal import Foundation

  /// A connection with its own RocksDB snapshot, which one thread at a time uses.
  // All mutable state is protected by the lock.
  final class RocksDBDriverConnection: SnapshotConnection, @unchecked Sendable {
    let name: String
    let number: Int
    let lock = NSLock()
    var hasBookmark = false
    let reading: RocksDBTransaction
    private let reader: RocksDBReader
    private let database: RocksDBDriverDatabase
    /// The transaction of all writes.
    private let writing: RocksDBTransaction

    init(name: String, number: Int, _ database: RocksDBDriverDatabase) {
      self.name = name
      self.number = number
      self.database = database
      reader = RocksDBReader(of: database.store)
      reading = RocksDBTransaction(on: database.store, readOptions: reader.options)
      writing = RocksDBTransaction(writingTo: database.store)
    }

    deinit { pins.removeConnection(number) }

    var writeLock: WriteLock { database.writeLock }
    var pins: PinRecord { database.pins }

    func write(_ block: DriverBlock, begun: UInt64, _ times: inout CommitTimes) throws {
      let commit = database.commit + 1
      writing.begin(snapshot: commit)
      try times.timeBlock(block, of: writing, begun: begun) { writing.callNanoseconds }
      guard writing.hasChanged else { return }
      try times.timeCommit { try writing.commit() }
      pins.recordCommit(commit)
      database.commits.report(commit)
    }

    func flushMemory() throws {
      throw RocksDBError("RocksDB's cache belongs to all connections; a connection has no memory to release")
    }

    func takeSnapshot() throws { reading.begin(snapshot: try reader.renew()) }

    func releaseSnapshot() { reader.reset() }
  }
#endif
