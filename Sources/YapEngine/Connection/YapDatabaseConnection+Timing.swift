internal import SQLiteBinding
internal import ThreadingPrimitives

/// Transactions that measure their parts, for example for a log of slow transactions.
///
/// The cost is six readings of the clock, and two for each step of a statement. Other transactions do not pay for it.
extension YapDatabaseConnection {
  /// Runs `block` as `read` does, and measures the parts of the transaction.
  /// - Returns: the result of `block`, and the times.
  /// - Throws: the errors of `read`; then there are no times.
  public func timedRead<Result>(
    _ block: (YapDatabaseReadTransaction) throws -> Result
  ) throws -> (result: Result, times: YapDatabaseTransactionTimes) {
    try timed("timedRead", .syncRead) { laneWait in
      try runRead({ try timedBlock($0, on: handle, block) }, laneWait: laneWait)
    }
  }

  /// Runs `block` as `readWrite` does, and measures the parts of the transaction.
  /// - Returns: the result of `block`, and the times.
  /// - Throws: the errors of `readWrite`; then there are no times.
  public func timedReadWrite<Result>(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Result
  ) throws -> (result: Result, times: YapDatabaseTransactionTimes) {
    try timed("timedReadWrite", .syncReadWrite) { laneWait in
      try runReadWrite({ try timedBlock($0, on: database.writer.handle, block) }, laneWait: laneWait).result.get()
    }
  }

  private func timed<Result>(
    _ call: String,
    _ kind: YapDatabasePermittedTransactions,
    _ run: (_ laneWait: UInt64) throws -> Result
  ) throws -> (result: Result, times: YapDatabaseTransactionTimes) {
    let startedAt = MonotonicClock.now
    let laneWait = try enter(call, kind)
    var noted = TransactionTiming(startedAt: startedAt, laneWait: laneWait)
    func runWithLane() throws -> Result {
      timing = noted
      defer {
        if let timing { noted = timing }
        timing = nil
        lane.release()
      }
      return try run(laneWait)
    }
    let result = try runWithLane()
    return (result, noted.times(endedAt: MonotonicClock.now))
  }

  private func timedBlock<Transaction, Result>(
    _ transaction: Transaction,
    on handle: EngineHandle,
    _ block: (Transaction) throws -> Result
  ) rethrows -> Result {
    handle.sqlite.beginTimingStatements()
    timing?.blockBegan = MonotonicClock.now
    defer {
      timing?.blockEnded = MonotonicClock.now
      timing?.times.statementNanoseconds = handle.sqlite.endTimingStatements()
    }
    return try block(transaction)
  }
}
