internal import SQLiteBinding

/// A checkpoint as it was seen by the one who made it.
struct CheckpointAttempt {
  var mode = SQLiteCheckpointMode.passive
  let cause: CheckpointPlanner.Cause
  let startedAt: UInt64
  var waitNanoseconds: UInt64 = 0
  private(set) var endedAt: UInt64 = 0
  /// What its thread had written before; nil where nobody counts.
  var writesBefore: SQLiteThreadWrites?
  /// What it has written itself.
  private(set) var writes: SQLiteThreadWrites?
  /// Whether the write lane was held from its start to its end.
  var holdsLane = true
  /// The frame up to which the known pins allowed to copy.
  private(set) var expectedFrame = 0
  /// What SQLite told; nil if it failed.
  var result: SQLiteCheckpointResult?
  var failure: String?
  /// The pinned snapshot that is in the way.
  var pin: PinnedSnapshot?
  /// Commits that were made meanwhile.
  var overlappingCommits = 0
  /// Transactions that waited for the write lane when it was about to be given back.
  var stalledWriters = 0

  /// Takes the limits of a copy from the pins, just before it begins.
  /// - Parameters:
  ///   - oldest: the oldest pinned snapshot. It is in the way only if it is older than `snapshot`.
  ///   - snapshot: the one that the copy can reach if no reader is in its way.
  mutating func lookAt(_ oldest: PinnedSnapshot?, before snapshot: UInt64, _ account: WALAccount) {
    pin = oldest.flatMap { $0.snapshot < snapshot ? $0 : nil }
    expectedFrame = account.copyableFrame(oldestPin: oldest?.position)
  }

  /// - Parameter writes: what its thread has written by now.
  mutating func end(at now: UInt64, writes after: SQLiteThreadWrites?) {
    endedAt = now
    guard let before = writesBefore, let after else { return }
    writes = after - before
  }

  /// Whether SQLite told that every frame it saw is in the database file. Never from counts that it did not give.
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
  /// Where the snapshot ends in the WAL.
  let position: WALPosition
  /// Since when a move is due, in nanoseconds of `MonotonicClock`: when the next commit was made or, for the newest
  /// snapshot, when it was pinned.
  let dueSince: UInt64

  /// The time for which a move had been due at `now`.
  func nanosecondsDue(at now: UInt64) -> UInt64 { now > dueSince ? now - dueSince : 0 }
}

/// The checkpoints that were made, the last 10,000 of them.
struct CheckpointLedger {
  private static let capacity = 10_000

  private(set) var count = 0
  private(set) var lastFailure: String?
  private var entries: [YapDatabaseCheckpoint] = []

  /// Those after checkpoint `number`, oldest first. Always a new array: one that shared its memory with the ledger's
  /// would make the next entry copy all of them.
  func entries(after number: Int) -> [YapDatabaseCheckpoint] {
    entries[(entries.firstIndex { $0.number > number } ?? entries.endIndex)...].map { $0 }
  }

  /// - Parameters:
  ///   - copied: frames that it copied.
  ///   - left: frames that are only in the WAL afterwards.
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
    let duration = attempt.endedAt - min(attempt.startedAt, attempt.endedAt)
    let isInTheWay = left > 0 || outcome == .gaveUp || outcome == .busy
    entries.append(
      YapDatabaseCheckpoint(
        number: count,
        mode: "\(attempt.mode)",
        cause: attempt.cause.rawValue,
        startedAtNanoseconds: attempt.startedAt,
        waitNanoseconds: attempt.waitNanoseconds,
        durationNanoseconds: duration,
        laneNanoseconds: attempt.holdsLane ? max(duration, 1) : 0,
        framesInWAL: framesInWAL,
        framesCopied: copied,
        framesLeft: left,
        bytesWritten: attempt.writes?.bytes,
        syncs: attempt.writes?.syncs,
        outcome: outcome,
        pinnedBy: isInTheWay ? attempt.pin?.name : nil,
        overlappingCommits: attempt.overlappingCommits,
        stalledWriters: attempt.stalledWriters
      )
    )
  }
}
