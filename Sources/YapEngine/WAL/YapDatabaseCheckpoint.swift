/// One line of the checkpoint ledger.
public struct YapDatabaseCheckpoint: Sendable {
  public enum Outcome: String, Sendable {
    /// Every frame of the WAL is in the database file.
    case complete
    /// A pinned snapshot forbade the rest.
    case partialPinned
    /// SQLite found a lock of somebody else in its way.
    case busy
    /// SQLite failed; `YapDatabaseStatistics.lastCheckpointFailure` has its words.
    case failed
  }

  /// Counts up from 1 over the life of the database object.
  public let number: Int
  /// As SQLite names it: "passive".
  public let mode: String
  /// Why it was made: "opening", "backlog", "rest" or "interval".
  public let cause: String
  /// Nanoseconds of CLOCK_MONOTONIC.
  public let startedAtNanoseconds: UInt64
  /// How long it waited for the write lane.
  public let waitNanoseconds: UInt64
  /// How long it took, syncs included; writers wait meanwhile.
  public let durationNanoseconds: UInt64
  /// Frames in the WAL.
  public let framesInWAL: Int
  /// Frames that this checkpoint copied.
  public let framesCopied: Int
  /// Frames left that are only in the WAL.
  public let framesLeft: Int
  public let outcome: Outcome
  /// Who pinned the oldest snapshot, if frames were left.
  public let pinnedBy: String?
}
