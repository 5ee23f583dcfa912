internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// The account of the WAL, the planner and the ledger, which change together.
///
/// Commits and checkpoints are recorded here, and the checkpointer's thread asks here which checkpoint is due. May be
/// used on any thread.
final class CheckpointState: Sendable {
  private struct Contents {
    var account: WALAccount
    var planner: CheckpointPlanner
    var ledger = CheckpointLedger()
    /// Thresholds that wake the sleeping thread after a commit: frames left to copy, and total frames in the WAL.
    var wakeAt = (backlog: Int.max, frames: Int.max)
    /// See `CheckpointState.blocker`.
    var blocker: PinnedSnapshot?
  }

  /// The value of `wholeSnapshot` that stands for no snapshot.
  private static let none = UInt64.max

  private let contents: Guarded<Contents>
  private let wholeSnapshot: Atomic<UInt64>

  /// - Parameter snapshot: The newest commit at open.
  init(framesAtOpen: Int, snapshot: UInt64, pageSize: Int, options: YapDatabaseOptions) {
    let planner = CheckpointPlanner(
      mode: options.checkpointing,
      framesAtOpen: framesAtOpen,
      limitFrames: max(WALFile.frames(inBytes: options.aggressiveCheckpointAt, pageSize: pageSize), 1),
      copiesRarely: options.synchronous != .normal
    )
    contents = Guarded(Contents(account: WALAccount(frames: framesAtOpen), planner: planner))
    wholeSnapshot = Atomic(framesAtOpen == 0 ? snapshot : Self.none)
  }

  var account: WALAccount { contents.withLock { $0.account } }

  /// The snapshot whose pin made the last automatic reset give up; nil if it did not give up or no reader is known.
  var blocker: PinnedSnapshot? { contents.withLock { $0.blocker } }

  /// The newest snapshot known to be completely in the database file; nil if none is known. A connection that pins it
  /// while no newer commit exists does not read from the WAL.
  var copiedSnapshot: UInt64? {
    let snapshot = wholeSnapshot.load(ordering: .acquiring)
    return snapshot == Self.none ? nil : snapshot
  }

  /// Passes the ledger to `body`. Returning a copy of the ledger would make the next `append` copy all entries.
  func withLedger<Result: Sendable>(_ body: (CheckpointLedger) -> Result) -> Result {
    contents.withLock { body($0.ledger) }
  }

  // MARK: Commits

  /// Records a written commit. Must be called with the write lane held.
  /// - Parameters:
  ///   - writer: The writer that has written it.
  ///   - wasCopied: Whether the whole WAL was known to be copied before the commit.
  /// - Returns: The position of the commit's end in the WAL, and whether the checkpointer must be woken.
  func recordCommit(by writer: Writer, wasCopied: Bool, at now: UInt64) -> (position: WALPosition, wakes: Bool) {
    let hasRestarted = detectRestart(by: writer, wasCopied: wasCopied)
    let frames = writer.framesInWAL
    return contents.withLock { state in
      state.planner.recordCommit(at: now)
      let position = state.account.recordCommit(framesInWAL: frames, hasRestarted: hasRestarted)
      let wakes = state.account.backlog >= state.wakeAt.backlog || frames >= state.wakeAt.frames
      if wakes { state.wakeAt = (.max, .max) }
      return (position, wakes)
    }
  }

  /// Records a marker frame that was written behind the newest commit. Must be called with the write lane held.
  /// - Parameters:
  ///   - writer: The writer that has written it.
  ///   - wasCopied: Whether the whole WAL was known to be copied before.
  func recordMarker(by writer: Writer, wasCopied: Bool) {
    let hasRestarted = detectRestart(by: writer, wasCopied: wasCopied)
    let frames = writer.framesInWAL
    wholeSnapshot.store(Self.none, ordering: .releasing)
    contents.withLock { _ = $0.account.recordCommit(framesInWAL: frames, hasRestarted: hasRestarted) }
  }

  /// Whether the WAL has restarted since the last look at its file. Only a completely copied WAL restarts, so the file
  /// is read only if everything was copied before the write or is copied now, after a checkpoint beside the write.
  private func detectRestart(by writer: Writer, wasCopied: Bool) -> Bool {
    (wasCopied || account.backlog == 0) && writer.detectWALRestart()
  }

  // MARK: Decisions

  /// Decides what is due, and sets the thresholds at which a commit wakes the thread.
  /// - Parameters:
  ///   - blocker: The state of the reader that made the last reset give up.
  /// - Returns: The decision, and whether a move of the oldest pinned snapshot could change it.
  func decide(
    at now: UInt64,
    oldestPin: WALPosition?,
    blocker: CheckpointPlanner.Blocker
  ) -> (decision: CheckpointPlanner.Decision, isBlockedByPin: Bool) {
    contents.withLock { state in
      let (planner, account) = (state.planner, state.account)
      let decision = planner.decide(at: now, account: account, oldestPin: oldestPin, blocker: blocker)
      let held = account.frames - account.copyableFrame(oldestPin: oldestPin)
      state.wakeAt = planner.wakeThresholds(decision, account: account, heldByPin: held)
      return (decision, held > 0 || planner.isOverLimit(account))
    }
  }

  /// Returns the longest time that a reset may wait for the reader that blocks it.
  /// - Parameters:
  ///   - frames: The number of frames in the WAL when the reset began.
  ///   - due: How long the reader's move had been due when the reset began; nil for an unknown reader.
  func readerWaitNanoseconds(frames: Int, due: UInt64?) -> UInt64 {
    contents.withLock { $0.planner.readerWaitNanoseconds(frames: frames, due: due) }
  }

  /// Whether a copy is worthwhile while a reset waits: the reset may wait long, and enough frames can be copied.
  /// - Parameter frames: The number of frames in the WAL when the reset began.
  func isWorthCopyingInReset(frames: Int, oldestPin: PinnedSnapshot?) -> Bool {
    contents.withLock { state in
      let gain = state.account.copyableFrame(oldestPin: oldestPin?.position) - state.account.copied
      return gain >= state.planner.worthwhileFrames && state.planner.mayHoldLong(frames: frames)
    }
  }

  // MARK: Checkpoints

  /// Records the result of a checkpoint. Must be called with the write lane held or, for a checkpoint beside commits
  /// that has not failed, with the guard held.
  /// - Parameter snapshot: The snapshot that is completely copied if the checkpoint copied all frames that it saw.
  func recordCheckpoint(_ attempt: CheckpointAttempt, snapshot: UInt64) {
    contents.withLock { state in
      let copiedBefore = state.account.copied
      count(attempt, snapshot: snapshot, in: &state.account)
      state.planner.recordTry(
        attempt.cause,
        at: attempt.endedAt,
        expected: attempt.expectedFrame,
        copied: attempt.result?.framesCopied
      )
      let left = state.account.backlog
      let outcome: YapDatabaseCheckpoint.Outcome =
        attempt.failure != nil
        ? .failed
        : attempt.result?.isBusy ?? true
          ? .busy : left == 0 ? .complete : attempt.isWhole ? .overtaken : .partialPinned
      state.ledger.append(
        attempt,
        outcome: outcome,
        framesInWAL: state.account.frames,
        copied: max(state.account.copied - copiedBefore, 0),
        left: left
      )
    }
  }

  /// Records a checkpoint that is part of a reset and therefore has no entry of its own in the ledger.
  func recordCopyInReset(_ attempt: CheckpointAttempt, snapshot: UInt64) {
    contents.withLock { count(attempt, snapshot: snapshot, in: &$0.account) }
  }

  /// Records the outcome of a reset or a full checkpoint. Must be called with the write lane held.
  /// - Parameters:
  ///   - before: The account at the start.
  ///   - waited: The time for which the reset waited for readers, including the copying during that time.
  func recordReset(_ attempt: CheckpointAttempt, before: WALAccount, waited: UInt64) {
    let isFull = attempt.mode == .full
    let isDone = attempt.failure == nil && (isFull ? attempt.isWhole : attempt.result?.isBusy == false)
    contents.withLock { state in
      let copied = isDone ? before.backlog : max(state.account.copied - before.copied, 0)
      let left = isDone ? 0 : state.account.backlog
      if isDone, !isFull { state.account.recordReset(isTruncated: attempt.mode == .truncate) }
      // A requested reset must not affect the time of the next automatic reset.
      if attempt.cause == .limit {
        state.blocker = isDone ? nil : attempt.pin
        let copying = attempt.endedAt - min(attempt.startedAt + waited, attempt.endedAt)
        state.planner.recordReset(
          began: attempt.startedAt,
          frames: before.frames,
          waited: waited,
          copied: copying,
          outcome: isDone ? .reset : .gaveUp(on: attempt.pin, began: attempt.startedAt)
        )
      }
      let done: YapDatabaseCheckpoint.Outcome = isFull ? .complete : .reset
      state.ledger.append(
        attempt,
        outcome: isDone ? done : attempt.failure != nil ? .failed : attempt.pin == nil ? .busy : .gaveUp,
        framesInWAL: before.frames,
        copied: copied,
        left: left
      )
    }
  }

  private func count(_ attempt: CheckpointAttempt, snapshot: UInt64, in account: inout WALAccount) {
    guard let frames = attempt.result?.framesInWAL, let copied = attempt.result?.framesCopied else { return }
    if attempt.holdsLane {
      account.recordCheckpoint(framesInWAL: frames, copied: copied)
    } else {
      account.recordCheckpointBesideCommits(framesInWAL: frames, copied: copied)
    }
    if attempt.isWhole { wholeSnapshot.store(snapshot, ordering: .releasing) }
  }
}
