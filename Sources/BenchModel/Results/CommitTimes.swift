/// Where the time of a read-write transaction went inside the engine, or of several of them together, in nanoseconds.
///
/// `laneWait`, `writeLaneWait`, `begin`, `block`, `commit` and `rest` add up to the call.
public struct CommitTimes: Codable, Sendable, Equatable {
  /// Waiting for the connection's turn.
  public var laneWait: UInt64
  /// Waiting for the other writers.
  public var writeLaneWait: UInt64
  /// Of that, behind a checkpoint.
  public var checkpointWait: UInt64
  /// Until the block began: BEGIN, the snapshot, and what others have changed.
  public var begin: UInt64
  public var block: UInt64
  /// Of the block, SQLite's statements.
  public var statements: UInt64
  /// COMMIT, with the WAL's sync, and what was waited for before it.
  public var commit: UInt64
  /// Of that, waiting for those that were committed with it.
  public var jointWait: UInt64
  /// The engine's bookkeeping.
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

  public static func += (left: inout Self, right: Self) {
    for part in parts { left[keyPath: part] += right[keyPath: part] }
  }

  /// The parts, in the order of their declaration.
  public static let parts: [any WritableKeyPath<Self, UInt64> & Sendable] = [
    \.laneWait, \.writeLaneWait, \.checkpointWait, \.begin, \.block, \.statements, \.commit, \.jointWait, \.rest,
  ]
}
