/// Where the time of an actor's commits went in one phase: sums over all of them, in nanoseconds.
///
/// Sums, because means add up and percentiles do not. `laneWait`, `writeLaneWait`, `begin`, `block`, `commit`, `rest`
/// and `around` add up to `service`; the others are parts of these.
public struct CommitTimesResult: Codable, Sendable, Equatable {
  public var phase: String
  public var actor: String
  /// Commits that were timed.
  public var count: Int
  /// From their start to their end, as the actor has seen it.
  public var service: UInt64
  /// Waiting for the connection's turn.
  public var laneWait: UInt64
  /// Waiting for other writers.
  public var writeLaneWait: UInt64
  /// Of `writeLaneWait`, behind checkpoints.
  public var checkpointWait: UInt64
  /// Until the block began: BEGIN, the snapshot, and what others have changed.
  public var begin: UInt64
  public var block: UInt64
  /// Of `block`, SQLite's statements.
  public var statements: UInt64
  /// COMMIT: the WAL's append and sync.
  public var commit: UInt64
  /// Of `commit`, waiting for those that were committed together.
  public var jointWait: UInt64
  /// The engine's bookkeeping.
  public var rest: UInt64

  /// Outside of the engine's call: the harness itself, a connection that is opened for one transaction, and messages
  /// to an engine in a process of its own.
  public var around: UInt64 {
    let inside = laneWait + writeLaneWait + begin + block + commit + rest
    return service - min(inside, service)
  }

  public init(
    phase: String,
    actor: String,
    count: Int,
    service: UInt64,
    laneWait: UInt64,
    writeLaneWait: UInt64,
    checkpointWait: UInt64,
    begin: UInt64,
    block: UInt64,
    statements: UInt64,
    commit: UInt64,
    jointWait: UInt64,
    rest: UInt64
  ) {
    self.phase = phase
    self.actor = actor
    self.count = count
    self.service = service
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
}
