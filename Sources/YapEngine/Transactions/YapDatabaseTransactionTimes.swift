/// Where the time of one transaction went, in nanoseconds of CLOCK_MONOTONIC.
///
/// `laneWaitNanoseconds`, `writeLaneWaitNanoseconds`, `beginNanoseconds`, `blockNanoseconds`, `commitNanoseconds` and
/// `restNanoseconds` follow one another without a gap: their sum is the time from the call to its return. The others
/// are parts of these.
public struct YapDatabaseTransactionTimes: Sendable, Equatable {
  /// Waiting for the connection's turn; 0 if nobody used it.
  public let laneWaitNanoseconds: UInt64
  /// Waiting for the write lane, through which all writers of the database pass; 0 if it was free, and for a read.
  public let writeLaneWaitNanoseconds: UInt64
  /// Of `writeLaneWaitNanoseconds`, that for which a checkpoint had the write lane.
  public let checkpointWaitNanoseconds: UInt64
  /// From the lanes to the block: SQLite's BEGIN, the snapshot, and following what others have committed.
  public let beginNanoseconds: UInt64
  /// The block.
  public let blockNanoseconds: UInt64
  /// Of `blockNanoseconds`, that which SQLite has spent in the block's statements.
  public let statementNanoseconds: UInt64
  /// SQLite's COMMIT, which appends to the WAL and syncs it, and before it `jointWaitNanoseconds`. 0 for a read, and
  /// for what is not committed, unless it has seen what others were still to commit.
  public let commitNanoseconds: UInt64
  /// Of `commitNanoseconds`, waiting for transactions that are committed together with this one, and for their COMMIT
  /// if another makes it.
  public let jointWaitNanoseconds: UInt64
  /// From the block to the end without `commitNanoseconds`: the change set, views, the news of the commit, letting the
  /// lanes go.
  public let restNanoseconds: UInt64

  /// From the call to its return.
  public var totalNanoseconds: UInt64 {
    laneWaitNanoseconds + writeLaneWaitNanoseconds + beginNanoseconds + blockNanoseconds + commitNanoseconds
      + restNanoseconds
  }
}

/// What is noted of a transaction while it runs, for its times.
struct TransactionTiming {
  /// When it was called.
  let startedAt: UInt64
  let laneWait: UInt64
  var writeLaneWait: UInt64 = 0
  var checkpointWait: UInt64 = 0
  var blockBegan: UInt64 = 0
  var blockEnded: UInt64 = 0
  var statements: UInt64 = 0
  /// SQLite's COMMIT.
  var commit: UInt64 = 0
  var jointWait: UInt64 = 0

  init(startedAt: UInt64, laneWait: UInt64) {
    self.startedAt = startedAt
    self.laneWait = laneWait
  }

  /// The lanes were waited for before the block, and the commit was made after it.
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
