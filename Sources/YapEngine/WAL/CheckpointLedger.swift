internal import SQLiteBinding

/// A checkpoint while it is made: its entry of the ledger, as far as it is known, and the state that decides the rest.
struct CheckpointAttempt {
  let mode: SQLiteCheckpointMode
  let cause: CheckpointPlanner.Cause
  var entry: YapDatabaseCheckpoint
  /// The writes of the checkpoint's thread before it began; nil if no VFS counts them.
  private let writesBefore: SQLiteThreadWrites?
  /// Whether the write lane is held from the start to the end.
  let holdsLane: Bool
  /// The frame up to which the known pins allowed copying.
  private(set) var expectedFrame = 0
  /// SQLite's result; nil if the checkpoint failed.
  var result: SQLiteCheckpointResult?
  var failure: String?
  /// The pinned snapshot that blocks the checkpoint.
  var pin: PinnedSnapshot?

  init(
    mode: SQLiteCheckpointMode = .passive,
    cause: CheckpointPlanner.Cause,
    startedAt: UInt64,
    waitNanoseconds: UInt64 = 0,
    holdsLane: Bool = true,
    writesBefore: SQLiteThreadWrites? = nil
  ) {
    self.mode = mode
    self.cause = cause
    self.holdsLane = holdsLane
    self.writesBefore = writesBefore
    entry = YapDatabaseCheckpoint(
      mode: "\(mode)",
      cause: cause.rawValue,
      startedAtNanoseconds: startedAt,
      waitNanoseconds: waitNanoseconds
    )
  }

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

  /// Adds a checkpoint with the next number. The blocking connection is recorded only if the checkpoint left frames or
  /// waited for a reader or a lock without success.
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
