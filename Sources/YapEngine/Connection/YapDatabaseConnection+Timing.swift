internal import SQLiteBinding
internal import ThreadingPrimitives

/// The durations of the parts of one transaction, in nanoseconds of CLOCK_MONOTONIC.
///
/// `laneWaitNanoseconds`, `writeLaneWaitNanoseconds`, `beginNanoseconds`, `blockNanoseconds`, `commitNanoseconds` and
/// `restNanoseconds` follow one another without a gap: their sum is the time from the call to its return. The others
/// are parts of these.
public struct YapDatabaseTransactionTimes: Sendable, Equatable {
  /// The wait for the connection's lane; 0 if it was free.
  public internal(set) var laneWaitNanoseconds: UInt64 = 0
  /// The wait for the write lane, which all writers of the database pass; 0 for a read, and if the lane was free and no
  /// checkpoint slowed writers down.
  public internal(set) var writeLaneWaitNanoseconds: UInt64 = 0
  /// The part of `writeLaneWaitNanoseconds` during which a checkpoint held the write lane, or slowed writers down.
  public internal(set) var checkpointWaitNanoseconds: UInt64 = 0
  /// From acquiring the lanes to the start of the block: SQLite's BEGIN, the snapshot, and following the commits of
  /// other connections.
  public internal(set) var beginNanoseconds: UInt64 = 0
  /// The execution of the block.
  public internal(set) var blockNanoseconds: UInt64 = 0
  /// The part of `blockNanoseconds` that SQLite spent in the block's statements.
  public internal(set) var statementNanoseconds: UInt64 = 0
  /// `jointWaitNanoseconds` and, if the calling thread makes it, SQLite's COMMIT, which appends to the WAL and, at
  /// `Synchronous.full`, syncs it. 0 for a read. Also 0 for a transaction that is not committed, unless it began during
  /// an open joint commit, for which it then waits.
  public internal(set) var commitNanoseconds: UInt64 = 0
  /// The part of `commitNanoseconds` spent waiting for other transactions of a joint commit, and for its COMMIT if
  /// another thread makes it.
  public internal(set) var jointWaitNanoseconds: UInt64 = 0
  /// From the end of the block to the return, without `commitNanoseconds`: the change set, views, announcing the
  /// commit, and releasing the lanes.
  public internal(set) var restNanoseconds: UInt64 = 0

  /// From the call to its return.
  public var totalNanoseconds: UInt64 {
    laneWaitNanoseconds + writeLaneWaitNanoseconds + beginNanoseconds + blockNanoseconds + commitNanoseconds
      + restNanoseconds
  }
}

/// The durations measured so far in a running transaction, and the moments from which the others are computed.
struct TransactionTiming {
  /// The time of the call.
  let startedAt: UInt64
  var blockBegan: UInt64 = 0
  var blockEnded: UInt64 = 0
  /// The parts that are measured as durations. `commitNanoseconds` is SQLite's COMMIT alone until the transaction ends.
  var times = YapDatabaseTransactionTimes()

  init(startedAt: UInt64, laneWait: UInt64) {
    self.startedAt = startedAt
    times.laneWaitNanoseconds = laneWait
  }

  /// Returns all times. The times of the beginning, the block and the rest are computed from the moments: the waits for
  /// lanes lie before the block, the commit lies after it.
  func times(endedAt: UInt64) -> YapDatabaseTransactionTimes {
    var times = times
    times.checkpointWaitNanoseconds = min(times.checkpointWaitNanoseconds, times.writeLaneWaitNanoseconds)
    times.beginNanoseconds = blockBegan - startedAt - times.laneWaitNanoseconds - times.writeLaneWaitNanoseconds
    times.blockNanoseconds = blockEnded - blockBegan
    times.commitNanoseconds += times.jointWaitNanoseconds
    times.restNanoseconds = endedAt - blockEnded - times.commitNanoseconds
    return times
  }
}

/// Transactions that measure their parts, for example for a log of slow transactions.
///
/// The cost is four readings of the clock for a read and six for a write, two more for a wait for a joint commit, and
/// two for each step of a statement. Other transactions do not pay for it.
extension YapDatabaseConnection {
  /// Runs `block` as `read` does, and measures the parts of the transaction.
  /// - Returns: the result of `block`, and the times.
  /// - Throws: the errors of `read`; then there are no times.
  @inlinable
  public func timedRead<Result>(
    _ block: (YapDatabaseReadTransaction) throws -> Result
  ) throws -> (result: Result, times: YapDatabaseTransactionTimes) {
    var result: Result?
    let times = try performTimedRead { result = try block($0) }
    return (Self.completed(result), times)
  }

  /// Runs `block` as `readWrite` does, and measures the parts of the transaction.
  /// - Returns: the result of `block`, and the times.
  /// - Throws: the errors of `readWrite`; then there are no times.
  @inlinable
  public func timedReadWrite<Result>(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Result
  ) throws -> (result: Result, times: YapDatabaseTransactionTimes) {
    var result: Result?
    let times = try performTimedReadWrite { result = try block($0) }
    return (Self.completed(result), times)
  }

  @usableFromInline
  func performTimedRead(_ block: (YapDatabaseReadTransaction) throws -> Void) throws -> YapDatabaseTransactionTimes {
    try measure("timedRead", .syncRead) { laneWait in
      try runRead({ transaction in try measureBlock(on: handle) { try block(transaction) } }, laneWait: laneWait)
    }
  }

  @usableFromInline
  func performTimedReadWrite(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Void
  ) throws -> YapDatabaseTransactionTimes {
    try measure("timedReadWrite", .syncReadWrite) { laneWait in
      let writer = database.writer.handle
      try runReadWrite({ transaction in try measureBlock(on: writer) { try block(transaction) } }, laneWait: laneWait)
    }
  }

  private func measure(
    _ call: String,
    _ kind: YapDatabasePermittedTransactions,
    run: (_ laneWait: UInt64) throws -> Void
  ) throws -> YapDatabaseTransactionTimes {
    let startedAt = MonotonicClock.now
    let laneWait = try enter(call, kind)
    var noted = TransactionTiming(startedAt: startedAt, laneWait: laneWait)
    func runWithLane() throws {
      timing = noted
      defer {
        if let timing { noted = timing }
        timing = nil
        lane.release()
      }
      try run(laneWait)
    }
    try runWithLane()
    return noted.times(endedAt: MonotonicClock.now)
  }

  private func measureBlock(on handle: EngineHandle, _ block: () throws -> Void) rethrows {
    handle.sqlite.beginTimingStatements()
    timing?.blockBegan = MonotonicClock.now
    defer {
      timing?.blockEnded = MonotonicClock.now
      timing?.times.statementNanoseconds = handle.sqlite.endTimingStatements()
    }
    try block()
  }
}
