/// One line of the checkpoint ledger.
public struct YapDatabaseCheckpoint: Sendable {
  /// What a checkpoint that a program asks for does, with SQLite's words.
  public enum Mode: String, Sendable, CaseIterable {
    /// Copies what readers allow, beside commits where that can be done safely, and waits for nobody.
    case passive
    /// Waits until every reader is at the newest snapshot, and copies everything. Writers wait meanwhile.
    case full
    /// The same, and then the next commit writes the WAL from its beginning.
    case restart
    /// The same, and the WAL's file is cut to nothing.
    case truncate
  }

  public enum Outcome: String, Sendable {
    /// Every frame of the WAL is in the database file.
    case complete
    /// A pinned snapshot forbade the rest.
    case partialPinned
    /// SQLite found a lock of somebody else in its way.
    case busy
    /// Every frame is in the database file and nobody reads from the WAL: it begins anew.
    case reset
    /// A reader did not come to the newest snapshot while writers were kept waiting for it.
    case gaveUp
    /// SQLite failed; `YapDatabaseStatistics.lastCheckpointFailure` has its words.
    case failed
  }

  /// Counts up from 1 over the life of the database object.
  public let number: Int
  /// As SQLite names it: "passive", "full", "restart" or "truncate".
  public let mode: String
  /// Why it was made: "opening", "backlog", "rest", "interval", "limit" or "call".
  public let cause: String
  /// Nanoseconds of CLOCK_MONOTONIC.
  public let startedAtNanoseconds: UInt64
  /// How long it waited for the write lane; 0 if it needed none.
  public let waitNanoseconds: UInt64
  /// How long it took, syncs included.
  public let durationNanoseconds: UInt64
  /// For how long of that it held the write lane, so that writers waited; 0 for one that ran beside commits.
  public let laneNanoseconds: UInt64
  /// Frames in the WAL when it ended; of one that was cut, before.
  public let framesInWAL: Int
  /// Frames that this checkpoint copied.
  public let framesCopied: Int
  /// Frames left that are only in the WAL.
  public let framesLeft: Int
  /// Bytes that it has written to files: a page that stands in the WAL several times is copied once. nil where no VFS
  /// counts them.
  package let bytesWritten: Int?
  /// Files that it has synced; nil where no VFS counts them.
  package let syncs: Int?
  public let outcome: Outcome
  /// The connection that was in the way; nil if none was. For a copy it is the one with the oldest pinned snapshot, if
  /// that was not the newest when the copy began; for a reset, one that was not at the newest snapshot, or read it from
  /// the WAL.
  public let pinnedBy: String?
  /// Commits that were made while it ran; 0 for one that held the write lane.
  public let overlappingCommits: Int
  /// Read-write transactions that waited for the write lane when it had ended and was about to give that back: whom it
  /// has stalled. 0 for one that ran beside commits.
  public let stalledWriters: Int

  /// Whether commits went on meanwhile.
  public var isBesideCommits: Bool { laneNanoseconds == 0 }
}
