/// Where the time of a read-write transaction went inside the engine, in nanoseconds.
///
/// `laneWait`, `writeLaneWait`, `begin`, `block`, `commit` and `rest` add up to the call.
public struct CommitTimes: Sendable, Equatable {
  /// Waiting for the connection's turn.
  public var laneWait: UInt64
  /// Waiting for the other writers.
  public var writeLaneWait: UInt64
  /// Of that, behind a checkpoint.
  public var checkpointWait: UInt64
  /// Until the block began.
  public var begin: UInt64
  public var block: UInt64
  /// Of the block, SQLite's statements.
  public var statements: UInt64
  /// COMMIT, with the WAL's sync, and what was waited for before it.
  public var commit: UInt64
  /// Of that, waiting for those that were committed with it.
  public var jointWait: UInt64
  public var rest: UInt64

  public init(
    laneWait: UInt64 = 0,
    writeLaneWait: UInt64 = 0,
    checkpointWait: UInt64 = 0,
    begin: UInt64 = 0,
    block: UInt64 = 0,
    statements: UInt64 = 0,
    commit: UInt64 = 0,
    jointWait: UInt64 = 0,
    rest: UInt64 = 0
  ) {
    self.laneWait = laneWait
    self.writeLaneWait = writeLaneWait
    self.checkpointWait = checkpointWait
    self.begin = begin
    self.block = block
    self.statements = statements
    self.commit = commit
    self.jointWait = jointWait
    self.rest = rest
  }

  public var total: UInt64 { laneWait + writeLaneWait + begin + block + commit + rest }
}

/// A commit that somebody is told of.
public struct CommitNews: Sendable, Equatable {
  /// Its number.
  public let commit: UInt64
  /// Nanoseconds of the monotonic clock at which it had been written; nil where the engine does not tell.
  public let writtenAt: UInt64?

  public init(_ commit: UInt64, writtenAt: UInt64? = nil) {
    self.commit = commit
    self.writtenAt = writtenAt
  }
}
