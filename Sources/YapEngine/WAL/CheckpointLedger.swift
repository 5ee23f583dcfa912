/// A checkpoint as it was seen by the one who made it.
struct CheckpointAttempt {
  let cause: CheckpointPlanner.Cause
  let startedAt: UInt64
  let waitNanoseconds: UInt64
  let durationNanoseconds: UInt64
  /// The frame up to which the known pins allowed to copy.
  let expectedFrame: Int
  let isBusy: Bool
  /// nil when SQLite did not say, or failed.
  let framesInWAL: Int?
  let framesCopied: Int?
  let failure: String?
  let pinnedBy: String?
}

/// The checkpoints that were made, the last 10,000 of them.
struct CheckpointLedger {
  private static let capacity = 10_000

  private(set) var count = 0
  private(set) var lastFailure: String?
  private var entries: [YapDatabaseCheckpoint] = []

  /// Those after checkpoint `number`, oldest first.
  func entries(after number: Int) -> [YapDatabaseCheckpoint] {
    Array(entries[(entries.firstIndex { $0.number > number } ?? entries.endIndex)...])
  }

  /// - Parameter account: the WAL after the attempt.
  mutating func append(_ attempt: CheckpointAttempt, account: WALAccount, copiedBefore: Int) {
    count += 1
    lastFailure = attempt.failure ?? lastFailure
    if entries.count == Self.capacity { entries.removeFirst(Self.capacity / 10) }
    entries.append(
      YapDatabaseCheckpoint(
        number: count,
        mode: "passive",
        cause: attempt.cause.rawValue,
        startedAtNanoseconds: attempt.startedAt,
        waitNanoseconds: attempt.waitNanoseconds,
        durationNanoseconds: attempt.durationNanoseconds,
        framesInWAL: account.frames,
        framesCopied: max(account.copied - copiedBefore, 0),
        framesLeft: account.backlog,
        outcome: outcome(of: attempt, account),
        pinnedBy: account.backlog > 0 ? attempt.pinnedBy : nil
      )
    )
  }

  private func outcome(of attempt: CheckpointAttempt, _ account: WALAccount) -> YapDatabaseCheckpoint.Outcome {
    if attempt.failure != nil { return .failed }
    if attempt.isBusy { return .busy }
    return account.backlog == 0 ? .complete : .partialPinned
  }
}
