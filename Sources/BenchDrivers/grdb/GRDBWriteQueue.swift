#if GRDB
  internal import GRDB
  internal import SQLiteBinding
  internal import Synchronization
  internal import ThreadingPrimitives

  /// The pool's serial queue of writes, with the waits for it. Checkpoints run in the same queue, so none runs beside a
  /// commit.
  // The handle is used only in the queue.
  final class GRDBWriteQueue: @unchecked Sendable {
    /// The pool's writing connection. Must be used only in the queue.
    let writer: SQLiteHandle
    private let pool: DatabasePool
    /// The calls that wait for the queue or run in it.
    private let calls = Atomic<Int>(0)
    private let waiting = Atomic<Int>(0)
    private let checkpoints = HoldAccount()

    init(_ pool: DatabasePool) throws {
      self.pool = pool
      writer = try pool.writeWithoutTransaction { connection in
        guard let handle = connection.sqliteConnection else {
          throw SQLiteDriverError("GRDB has closed the connection for writes; expected an open one")
        }
        return SQLiteHandle(ofOtherLibrary: handle)
      }
    }

    /// The number of writers that are waiting for the queue.
    var waitingWriters: Int { waiting.load(ordering: .relaxed) }

    /// Runs `body` in the queue, outside any transaction.
    /// - Parameter body: Called with the time waited for other calls, and the part of it spent waiting for checkpoints,
    ///   in nanoseconds. The cost of an idle queue is not a wait.
    func write<Result>(
      _ body: (Database, _ waited: UInt64, _ behindCheckpoints: UInt64) throws -> Result
    ) throws -> Result {
      let isIdle = calls.add(1, ordering: .relaxed).oldValue == 0
      defer { calls.subtract(1, ordering: .relaxed) }
      let before = checkpoints.nanoseconds
      let began = MonotonicClock.now
      waiting.add(1, ordering: .relaxed)
      return try pool.writeWithoutTransaction { connection in
        waiting.subtract(1, ordering: .relaxed)
        guard !isIdle else { return try body(connection, 0, 0) }
        let waited = MonotonicClock.now - began
        return try body(connection, waited, min(checkpoints.nanoseconds - before, waited))
      }
    }

    /// Runs `body`, which makes a checkpoint, in the queue.
    func checkpoint<Result>(_ body: () throws -> Result) throws -> Result {
      calls.add(1, ordering: .relaxed)
      defer { calls.subtract(1, ordering: .relaxed) }
      return try pool.writeWithoutTransaction { _ in try checkpointInside(body) }
    }

    /// Runs `body`, which makes a checkpoint. Must be called in the queue.
    func checkpointInside<Result>(_ body: () throws -> Result) rethrows -> Result {
      checkpoints.begin()
      defer { checkpoints.end() }
      return try body()
    }
  }
#endif
