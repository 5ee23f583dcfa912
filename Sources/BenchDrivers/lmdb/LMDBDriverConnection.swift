#if LMDB
  internal import BenchResults
  internal import Foundation
  internal import ThreadingPrimitives

  /// A connection with its own read transaction, which one thread at a time uses. A bookmark is its snapshot that stays
  /// open.
  // All mutable state is protected by the lock.
  final class LMDBDriverConnection: DriverConnection, @unchecked Sendable {
    let name: String
    private let number: Int
    private let reader: LMDBReader
    private let database: LMDBDriverDatabase
    private let lock = NSLock()
    private var bookmark: UInt64?

    init(name: String, number: Int, _ reader: LMDBReader, _ database: LMDBDriverDatabase) {
      self.name = name
      self.number = number
      self.reader = reader
      self.database = database
    }

    deinit { database.readers.removeConnection(number) }

    func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
      let laneWait = lock.acquire()
      defer { lock.unlock() }
      if let bookmark {
        try body(transaction(reader.pointer, at: bookmark, isWriting: false))
      } else {
        try reader.renew()
        defer { reader.reset() }
        try body(transaction(reader.pointer, at: try commit(in: reader.pointer), isWriting: false))
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
      guard bookmark == nil else { throw LMDBError("end the long-lived read of \"\(name)\" before writing") }
      times.writeLaneWait = database.writeLock.acquire()
      defer { database.writeLock.unlock() }
      let begun = MonotonicClock.now
      var commit: UInt64 = 0
      let hasChanged = try database.environment.write { pointer in
        commit = try self.commit(in: pointer) + 1
        let transaction = transaction(pointer, at: commit, isWriting: true)
        let blockBegan = MonotonicClock.now
        times.begin = blockBegan - begun
        let result = Result { try body(transaction) }
        times.statements = transaction.callNanoseconds
        times.block = MonotonicClock.now - blockBegan
        try result.get()
        guard transaction.hasChanged else { return false }
        try database.collections.setCommit(commit, in: pointer, of: database.environment)
        return true
      } ending: { end in
        let began = MonotonicClock.now
        try end()
        times.commit = MonotonicClock.now - began
      }
      if hasChanged { database.finishCommit(commit) } else { times.commit = 0 }
    }

    func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }
    func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws { throw Self.noAsynchronousCalls }

    private static let noAsynchronousCalls = LMDBError("LMDB has no asynchronous calls")

    /// Returns no changes, because a connection does not learn what another one has changed.
    func advance(changesIn collection: String?) throws -> DriverAdvance {
      try lock.withLock {
        endBookmark()
        try reader.renew()
        do {
          let snapshot = try commit(in: reader.pointer)
          bookmark = snapshot
          database.readers.recordPin(of: number, at: snapshot)
          return DriverAdvance(snapshot: snapshot, jumped: [])
        } catch {
          reader.reset()
          throw error
        }
      }
    }

    func endLongLivedRead() { lock.withLock { endBookmark() } }

    /// Has no effect, because LMDB's only cache is the system's cache of the file.
    func flushMemory() {}

    private func endBookmark() {
      guard bookmark != nil else { return }
      bookmark = nil
      database.readers.removePin(of: number)
      reader.reset()
    }

    private func commit(in transaction: OpaquePointer) throws -> UInt64 {
      try database.collections.commit(in: transaction, of: database.environment)
    }

    private func transaction(_ pointer: OpaquePointer, at snapshot: UInt64, isWriting: Bool) -> LMDBTransaction {
      LMDBTransaction(
        snapshot: snapshot,
        isWriting: isWriting,
        pointer,
        in: database.environment,
        of: database.collections
      )
    }
  }
#endif
