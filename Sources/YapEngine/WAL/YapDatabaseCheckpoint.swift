/// One entry of the checkpoint ledger.
public struct YapDatabaseCheckpoint: Sendable {
  /// The modes of a requested checkpoint, with SQLite's names.
  public enum Mode: String, Sendable, CaseIterable {
    /// Copies the frames that readers allow, beside commits if that is safe. Does not wait.
    case passive
    /// Waits until every reader is at the newest snapshot, and copies everything. Writers wait meanwhile.
    case full
    /// Does the same as `full`, after which the next commit restarts the WAL.
    case restart
    /// Does the same as `restart`, and truncates the WAL file to 0 bytes.
    case truncate
  }

  public enum Outcome: String, Sendable {
    /// Every frame of the WAL is in the database file.
    case complete
    /// A pinned snapshot prevented copying the remaining frames.
    case partialPinned
    /// SQLite needed a lock that another connection held.
    case busy
    /// Every frame is in the database file and no reader reads from the WAL, so the WAL restarts.
    case reset
    /// A reader did not reach the newest snapshot while writers waited for it.
    case gaveUp
    /// SQLite failed; `YapDatabaseStatistics.lastCheckpointFailure` contains its message.
    case failed
  }

  /// The checkpoint's number, counted from 1 for each database object.
  public internal(set) var number = 0
  /// SQLite's name of the mode: "passive", "full", "restart" or "truncate".
  public let mode: String
  /// The reason for the checkpoint: "opening", "backlog", "rest", "interval", "limit" or "call".
  public let cause: String
  /// The start, in nanoseconds of CLOCK_MONOTONIC.
  public let startedAtNanoseconds: UInt64
  /// The wait for the write lane; 0 if it was not needed.
  public let waitNanoseconds: UInt64
  /// The duration, including syncs.
  public internal(set) var durationNanoseconds: UInt64 = 0
  /// The time for which it held the write lane, so that writers waited; 0 if it ran beside commits.
  public internal(set) var laneNanoseconds: UInt64 = 0
  /// Frames in the WAL at the end; for a truncated WAL, before the truncation.
  public internal(set) var framesInWAL = 0
  /// Frames that this checkpoint copied.
  public internal(set) var framesCopied = 0
  /// Frames that are still only in the WAL.
  public internal(set) var framesLeft = 0
  /// Bytes written to files. A page that is in the WAL several times is copied once. nil if no VFS counts bytes.
  package internal(set) var bytesWritten: Int?
  /// Files synced; nil if no VFS counts them.
  package internal(set) var syncs: Int?
  public internal(set) var outcome = Outcome.failed
  /// The connection that blocked the checkpoint; nil if none did. For a copy it is the connection with the oldest
  /// pinned snapshot, if that was not the newest when the copy began. For a reset it is a connection that was not at
  /// the newest snapshot, or that read it from the WAL.
  public internal(set) var pinnedBy: String?
  /// Commits made while it ran; 0 if it held the write lane.
  public internal(set) var overlappingCommits = 0
  /// Read-write transactions that waited for the write lane just before the checkpoint released it. 0 if it ran beside
  /// commits.
  public internal(set) var stalledWriters = 0

  /// Whether commits could be made while the checkpoint ran.
  public var isBesideCommits: Bool { laneNanoseconds == 0 }
}
