internal import SQLiteBinding
internal import ThreadingPrimitives

/// One entry of the checkpoint ledger.
public struct YapDatabaseCheckpoint: Sendable {
  /// The modes of checkpoints, with SQLite's names.
  public enum Mode: String, Sendable, CaseIterable {
    /// Copies the frames that readers allow, beside commits if that is safe. Does not wait for readers.
    case passive
    /// Waits until every reader is at the newest snapshot, and copies everything. Writers wait for both.
    case full
    /// Does the same as `full`, and waits until no reader reads from the WAL. The next commit then restarts the WAL.
    case restart
    /// Does the same as `restart`, and truncates the WAL file to 0 bytes.
    case truncate
  }

  /// The reason for a checkpoint.
  public enum Cause: String, Sendable, CaseIterable {
    /// An earlier run, possibly after a crash, left a WAL.
    case opening
    /// Enough frames can be copied.
    case backlog
    /// Nothing was committed for a while.
    case rest
    /// The options request checkpoints at fixed intervals.
    case interval
    /// The WAL has reached the limit of the options.
    case limit
    /// A call of `YapDatabase.checkpoint(_:timeout:)`.
    case call
  }

  public enum Outcome: String, Sendable {
    /// Every frame of the WAL is in the database file.
    case complete
    /// All frames that the WAL had at the start are in the database file. The others were committed during the
    /// checkpoint.
    case overtaken
    /// A reader prevented copying the remaining frames.
    case partialPinned
    /// SQLite needed a lock that another connection held.
    case busy
    /// Every frame is in the database file and no reader reads from the WAL, so the WAL restarts.
    case reset
    /// At the end of the wait, a reader was still at an older snapshot, or read the newest snapshot from the WAL.
    case gaveUp
    /// SQLite failed. `YapDatabaseStatistics.lastCheckpointFailure` contains the message of the last failure.
    case failed
  }

  /// The checkpoint's number, counted from 1 for each database object.
  public internal(set) var number = 0
  public let mode: Mode
  public let cause: Cause
  /// The start, after any wait for the write lane, in nanoseconds of CLOCK_MONOTONIC.
  public let startedAtNanoseconds: UInt64
  /// The wait for the write lane, including the end of an open joint commit; 0 if the lane was not needed.
  public let waitNanoseconds: UInt64
  /// The duration, including syncs and the wait for readers.
  public internal(set) var durationNanoseconds: UInt64 = 0
  /// The time for which the checkpoint held the write lane, so that writers waited; 0 if it ran beside commits.
  public internal(set) var laneNanoseconds: UInt64 = 0
  /// Frames in the WAL at the end or, for the modes other than passive, at the start.
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
  /// The connection that blocked the checkpoint; nil if none did or it is unknown. In passive mode it is the connection
  /// with the oldest pinned snapshot, if that was not the newest when the copy began. In the other modes it is a
  /// connection that was not at the newest snapshot, or that read it from the WAL.
  public internal(set) var pinnedBy: String?
  /// Commits made while the checkpoint ran; 0 if it held the write lane.
  public internal(set) var overlappingCommits = 0
  /// Read-write transactions that waited for the write lane just before the checkpoint released the lane. 0 if the
  /// checkpoint ran beside commits.
  public internal(set) var stalledWriters = 0

  /// Whether commits could be made while the checkpoint ran.
  public var isBesideCommits: Bool { laneNanoseconds == 0 }
}

extension YapDatabase {
  /// Makes a checkpoint now, and returns when it has ended. The engine makes checkpoints by itself as well.
  ///
  /// In every mode except passive, writers wait, first for readers and then for the copying. A reader that does not
  /// move in time is not an error: the returned entry, whose cause is `call`, has the outcome `gaveUp` and names the
  /// reader, or has the outcome `busy` if the engine does not know the reader.
  ///
  ///     let checkpoint = try database.checkpoint(.truncate)
  ///     if checkpoint.outcome != .reset { print("\(checkpoint.pinnedBy ?? "a reader") blocked the reset") }
  ///
  /// - Parameters:
  ///   - mode: The extent of the checkpoint, and the readers for which it waits.
  ///   - timeout: The longest wait for readers.
  /// - Throws: `readOnly`; `nestedTransaction` inside any transaction; `closed`; if SQLite failed, `storage` or the
  ///   known `damage`.
  @discardableResult
  public func checkpoint(
    _ mode: YapDatabaseCheckpoint.Mode = .passive,
    timeout: Duration = .seconds(5)
  ) throws -> YapDatabaseCheckpoint {
    try checkMayWrite("a checkpoint")
    guard !Lane.isAnyHeldByCurrentThread else {
      throw YapDatabaseError(
        .nestedTransaction,
        "a checkpoint of \(path) was called inside a transaction, for which it could wait forever; call it outside"
      )
    }
    try checkIsOpen()
    return try checkpointer.make(CheckpointRequest(mode, longestWaitNanoseconds: timeout.waitNanoseconds))
  }

  /// Returns the kept checkpoints after the given number, oldest first. The last 9,000 to 10,000 are kept.
  public func checkpoints(after number: Int = 0) -> [YapDatabaseCheckpoint] {
    checkpointer.state.withLedger { $0.entries(after: number) }
  }
}

/// A checkpoint while it is made: its entry of the ledger, as far as it is known, and the data that completes it.
struct CheckpointAttempt {
  var entry: YapDatabaseCheckpoint
  /// The writes of the checkpoint's thread before it began; nil if no VFS counts them.
  private let writesBefore: SQLiteThreadWrites?
  /// Whether the write lane is held from the start to the end.
  let holdsLane: Bool
  /// The frame up to which the known pins allowed copying.
  private(set) var expectedFrame = 0
  /// SQLite's last result; nil before the first and after a failure.
  var result: SQLiteCheckpointResult?
  var failure: String?
  /// The pinned snapshot that blocks the checkpoint; nil if none is known.
  var pin: PinnedSnapshot?

  init(
    mode: YapDatabaseCheckpoint.Mode = .passive,
    cause: YapDatabaseCheckpoint.Cause,
    startedAt: UInt64,
    waitNanoseconds: UInt64 = 0,
    holdsLane: Bool = true,
    writesBefore: SQLiteThreadWrites? = nil
  ) {
    self.holdsLane = holdsLane
    self.writesBefore = writesBefore
    entry = YapDatabaseCheckpoint(
      mode: mode,
      cause: cause,
      startedAtNanoseconds: startedAt,
      waitNanoseconds: waitNanoseconds
    )
  }

  var mode: YapDatabaseCheckpoint.Mode { entry.mode }
  var cause: YapDatabaseCheckpoint.Cause { entry.cause }
  var startedAt: UInt64 { entry.startedAtNanoseconds }
  var endedAt: UInt64 { entry.startedAtNanoseconds + entry.durationNanoseconds }

  /// Determines the limits of a copy from the pins. Must be called just before the copy begins.
  /// - Parameters:
  ///   - oldestPin: The oldest pinned snapshot. It blocks the copy only if it is older than `snapshot`.
  ///   - snapshot: The snapshot up to which everything can be copied if no reader blocks it.
  mutating func determineLimits(oldestPin oldest: PinnedSnapshot?, before snapshot: UInt64, account: WALAccount) {
    pin = oldest.flatMap { $0.snapshot < snapshot ? $0 : nil }
    expectedFrame = account.copyableFrame(oldestPin: oldest?.position)
  }

  /// - Parameter after: The writes of the checkpoint's thread by now.
  mutating func end(at now: UInt64, writes after: SQLiteThreadWrites?) {
    entry.durationNanoseconds = now - min(startedAt, now)
    entry.laneNanoseconds = holdsLane ? max(entry.durationNanoseconds, 1) : 0
    guard let writesBefore, let after else { return }
    let writes = after - writesBefore
    entry.bytesWritten = writes.bytes
    entry.syncs = writes.syncs
  }

  /// Ends a checkpoint that holds the write lane.
  mutating func end(at now: UInt64, onLaneOf writer: Writer) {
    end(at: now, writes: writer.writesOfThread)
    entry.stalledWriters = writer.waitingCount
  }

  /// Whether SQLite reported that every frame it saw is in the database file. False if SQLite reported no counts.
  var isWhole: Bool {
    guard let result, let frames = result.framesInWAL, let copied = result.framesCopied else { return false }
    return copied == frames
  }
}

/// A connection and the snapshot that it has pinned.
struct PinnedSnapshot: Equatable, Sendable {
  let connection: ConnectionID
  let name: String
  let snapshot: UInt64
  /// The position in the WAL at which the snapshot ends.
  let position: WALPosition
  /// The time from which a move has been due, in nanoseconds of `MonotonicClock`: the time of the next commit or, for
  /// the newest snapshot, the time of the pin.
  let dueSince: UInt64

  /// Returns how long a move had been due at `now`.
  func nanosecondsDue(at now: UInt64) -> UInt64 { now > dueSince ? now - dueSince : 0 }
}

/// The last checkpoints, 10,000 at most.
struct CheckpointLedger {
  private static let capacity = 10_000

  private(set) var count = 0
  private(set) var lastFailure: String?
  private var entries: [YapDatabaseCheckpoint] = []

  /// Returns the checkpoints after `number`, oldest first. Always a new array: if it shared memory with the ledger, the
  /// next `append` would copy all entries.
  func entries(after number: Int) -> [YapDatabaseCheckpoint] {
    entries[(entries.firstIndex { $0.number > number } ?? entries.endIndex)...].map { $0 }
  }

  /// Adds a checkpoint with the next number. The blocking connection is recorded only if the checkpoint left frames, or
  /// if a reader or a lock blocked it.
  /// - Parameters:
  ///   - copied: The number of frames that the checkpoint copied.
  ///   - left: The number of frames that are still only in the WAL.
  mutating func append(
    _ attempt: CheckpointAttempt,
    outcome: YapDatabaseCheckpoint.Outcome,
    framesInWAL: Int,
    copied: Int,
    left: Int
  ) {
    count += 1
    lastFailure = attempt.failure ?? lastFailure
    if entries.count == Self.capacity { entries.removeFirst(Self.capacity / 10) }
    let isBlocked = left > 0 || outcome == .gaveUp || outcome == .busy
    var entry = attempt.entry
    entry.number = count
    entry.outcome = outcome
    entry.framesInWAL = framesInWAL
    entry.framesCopied = copied
    entry.framesLeft = left
    entry.pinnedBy = isBlocked ? attempt.pin?.name : nil
    entries.append(entry)
  }
}
