/// The durations of the parts of one transaction, in nanoseconds of CLOCK_MONOTONIC.
///
/// `laneWaitNanoseconds`, `writeLaneWaitNanoseconds`, `beginNanoseconds`, `blockNanoseconds`, `commitNanoseconds` and
/// `restNanoseconds` follow one another without a gap: their sum is the time from the call to its return. The others
/// are parts of these.
public struct YapDatabaseTransactionTimes: Sendable, Equatable {
  /// The wait for the connection's lane; 0 if it was free.
  public let laneWaitNanoseconds: UInt64
  /// The wait for the write lane, which all writers of the database pass; 0 if it was free, and for a read.
  public let writeLaneWaitNanoseconds: UInt64
  /// The part of `writeLaneWaitNanoseconds` during which a checkpoint held the write lane.
  public let checkpointWaitNanoseconds: UInt64
  /// From acquiring the lanes to the start of the block: SQLite's BEGIN, the snapshot, and following the commits of
  /// other connections.
  public let beginNanoseconds: UInt64
  /// The execution of the block.
  public let blockNanoseconds: UInt64
  /// The part of `blockNanoseconds` that SQLite spent in the block's statements.
  public let statementNanoseconds: UInt64
  /// `jointWaitNanoseconds`, and then SQLite's COMMIT, which appends to the WAL and, at `Synchronous.full`, syncs it. 0
  /// for a read, and for a transaction that is not committed, unless a joint commit was open when it began.
  public let commitNanoseconds: UInt64
  /// The part of `commitNanoseconds` spent waiting for transactions that are committed together with this one, and for
  /// their COMMIT if another thread makes it.
  public let jointWaitNanoseconds: UInt64
  /// From the end of the block to the return, without `commitNanoseconds`: the change set, views, announcing the
  /// commit, and releasing the lanes.
  public let restNanoseconds: UInt64

  /// From the call to its return.
  public var totalNanoseconds: UInt64 {
    laneWaitNanoseconds + writeLaneWaitNanoseconds + beginNanoseconds + blockNanoseconds + commitNanoseconds
      + restNanoseconds
  }
}

/// The times of a transaction, recorded while it runs.
struct TransactionTiming {
  /// The time of the call.
  let startedAt: UInt64
  let laneWait: UInt64
  var writeLaneWait: UInt64 = 0
  var checkpointWait: UInt64 = 0
  var blockBegan: UInt64 = 0
  var blockEnded: UInt64 = 0
  var statements: UInt64 = 0
  /// The duration of SQLite's COMMIT.
  var commit: UInt64 = 0
  var jointWait: UInt64 = 0

  init(startedAt: UInt64, laneWait: UInt64) {
    self.startedAt = startedAt
    self.laneWait = laneWait
  }

  /// Returns the durations of the parts. The waits for lanes came before the block, and the commit after it.
  func times(endedAt: UInt64) -> YapDatabaseTransactionTimes {
    YapDatabaseTransactionTimes(
      laneWaitNanoseconds: laneWait,
      writeLaneWaitNanoseconds: writeLaneWait,
      checkpointWaitNanoseconds: min(checkpointWait, writeLaneWait),
      beginNanoseconds: blockBegan - startedAt - laneWait - writeLaneWait,
      blockNanoseconds: blockEnded - blockBegan,
      statementNanoseconds: statements,
      commitNanoseconds: jointWait + commit,
      jointWaitNanoseconds: jointWait,
      restNanoseconds: endedAt - blockEnded - jointWait - commit
    )
  }
}
