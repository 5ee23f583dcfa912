/// Decides when a checkpoint is worth trying. A pure state machine over commits, pins and results.
///
/// A try that finds a reader in its way is not free: SQLite sorts all frames of the WAL before it finds out. One try
/// per commit made a one-row write 660 times dearer at 1 GiB of WAL. Hence a checkpoint is tried only when the oldest
/// pinned snapshot lets frames be copied that are not copied yet, and then only when they are many, or when the
/// database has come to rest.
///
/// Copying does not make the WAL shorter while a reader reads from it. Above a limit the WAL is therefore *reset*: the
/// checkpointer holds the write lane until every reader is at the newest snapshot, and the next commit restarts the
/// WAL. Writers wait meanwhile, so `ResetBudget` limits the length of a hold and the share of the time. A reader that
/// made a reset give up has to move before the next reset.
struct CheckpointPlanner {
  /// Why a checkpoint is made.
  enum Cause: String, Sendable {
    /// The WAL of an earlier run, or a crash.
    case opening
    /// Enough frames can be copied.
    case backlog
    /// Nothing was committed for a while.
    case rest
    /// The options ask for it at fixed intervals.
    case interval
    /// The WAL is longer than the options allow.
    case limit
    /// A program asks for it.
    case call
  }

  enum Decision: Equatable {
    /// Nothing can be done. Look again when something was committed or a snapshot was let go.
    case idle
    /// Something could be done, or tried again, from this time on (nanoseconds of `MonotonicClock`).
    case wait(until: UInt64)
    case checkpoint(Cause)
    case reset
  }

  /// The outcome of a reset.
  enum ResetOutcome: Equatable {
    /// The WAL restarts with the next commit.
    case reset
    /// The reader in the way had moved lately: a longer hold may see it move.
    case gaveUpOnMoving
    /// The reader in the way had not moved for longer than the longest hold, or is unknown.
    case gaveUpOnStanding

    /// - Parameters:
    ///   - reader: the one in the way; nil if the engine does not know it.
    ///   - began: when the reset acquired the write lane.
    static func gaveUp(on reader: PinnedSnapshot?, began: UInt64) -> Self {
      let due = reader?.nanosecondsDue(at: began) ?? ResetBudget.longestHoldNanoseconds
      return due < ResetBudget.longestHoldNanoseconds ? .gaveUpOnMoving : .gaveUpOnStanding
    }
  }

  /// What became of the reader that made a reset give up.
  enum Blocker {
    /// It has the very snapshot pinned that was in the way.
    case stays
    /// It has pinned another since.
    case moved
    /// It has pinned none, or nobody knows who it was.
    case gone
  }

  /// 1 MiB of the usual pages: about 4 ms of copying.
  static let worthwhileFrames = 256
  static let restNanoseconds: UInt64 = 100_000_000
  static let shortestBackoffNanoseconds: UInt64 = 20_000_000
  static let longestBackoffNanoseconds: UInt64 = 1_000_000_000
  /// Pauses after resets that gave up, if no longer hold would have helped: after the second in a row, and at most.
  static let shortestResetPauseNanoseconds: UInt64 = 1_000_000_000
  static let longestResetPauseNanoseconds: UInt64 = 16_000_000_000
  /// Before a reset so many frames are worth copying beside commits, and so often at most: each time leaves less to be
  /// copied, and synced, while writers wait.
  private static let framesWorthCopyingFirst = 32
  private static let copiesBeforeReset = 3

  private let mode: YapDatabaseOptions.Checkpointing
  private let limitFrames: Int
  private var isOpening: Bool
  private var lastCommitAt: UInt64 = 0
  private var lastTryAt: UInt64 = 0
  /// After a try that copied less than the pins allowed: somebody is in the way whom the engine does not know.
  private var backoff: UInt64 = 0
  private var copiesForReset = 0
  private var lastResetAt: UInt64 = 0
  /// The time that the last reset waited for readers, with the one before if no pause separated them.
  private var lastWait: UInt64 = 0
  /// The longest time that recent resets spent copying and syncing; decays by an eighth with each reset.
  private var copyingTime: UInt64 = 0
  /// The hold that readers are expected to need: a shorter one is not worth trying. Decays by half with each success.
  private var expectedWait: UInt64 = 0
  /// Resets in a row that gave up.
  private var givenUp = 0
  /// Those among them that a longer hold would not have helped.
  private var givenUpWithoutHope = 0

  /// - Parameters:
  ///   - framesAtOpen: frames in the WAL that was found.
  ///   - limitFrames: from how many frames on the WAL is reset.
  init(mode: YapDatabaseOptions.Checkpointing, framesAtOpen: Int, limitFrames: Int) {
    self.mode = mode
    self.limitFrames = limitFrames
    isOpening = framesAtOpen > 0
  }

  mutating func committed(at now: UInt64) {
    lastCommitAt = now
  }

  /// - Parameters:
  ///   - expected: the frame up to which the pins allowed to copy.
  ///   - copied: the frame up to which the checkpoint came; nil if SQLite did not say.
  mutating func tried(_ cause: Cause, at now: UInt64, expected: Int, copied: Int?) {
    isOpening = false
    lastTryAt = now
    if cause == .limit { copiesForReset += 1 }
    if let copied, copied >= expected {
      backoff = 0
    } else {
      backoff = min(max(backoff * 2, Self.shortestBackoffNanoseconds), Self.longestBackoffNanoseconds)
    }
  }

  /// Records the outcome of a reset.
  /// - Parameters:
  ///   - began: when it acquired the write lane.
  ///   - frames: frames in the WAL when it began.
  ///   - waited: how long it waited for readers.
  ///   - copied: how long it copied and synced.
  ///   - outcome: whether it succeeded; if not, whether the reader in the way had moved lately.
  mutating func resetTried(began: UInt64, frames: Int, waited: UInt64, copied: UInt64, outcome: ResetOutcome) {
    let budget = budget(frames: frames)
    isOpening = false
    lastTryAt = began
    copiesForReset = 0
    // A reset that followed without a pause is paid for together with the one before.
    let wasPaid = began >= lastResetAt + lastWait * ResetBudget.Steps.last.rarity
    lastWait = waited + (wasPaid ? 0 : lastWait)
    lastResetAt = began
    copyingTime = max(copied, copyingTime - copyingTime / 8)
    switch outcome {
    case .reset:
      givenUp = 0
      givenUpWithoutHope = 0
      expectedWait = max(waited, expectedWait / 2)
    case .gaveUpOnMoving where budget.holdNanoseconds < ResetBudget.longestHoldNanoseconds:
      givenUp += 1
      expectedWait = max(expectedWait, readerWaitNanoseconds(budget) + 1)
    case .gaveUpOnMoving, .gaveUpOnStanding:
      givenUp += 1
      givenUpWithoutHope += 1
    }
  }

  /// - Parameters:
  ///   - oldestPin: where the oldest pinned snapshot ends in the WAL; nil if none is pinned.
  ///   - blocker: what became of the reader that made the last reset give up.
  func decide(at now: UInt64, account: WALAccount, oldestPin: WALPosition?, blocker: Blocker = .gone) -> Decision {
    let gain = account.copyableFrame(oldestPin: oldestPin) - account.copied
    let isBehind = account.copyableFrame(oldestPin: oldestPin) < account.frames
    let reset = reset(at: now, account, gain, blocker, isPinned: oldestPin != nil, isBehind: isBehind)
    let copying = copying(at: now, gain)
    return switch (reset, copying) {
    case (.reset, _), (.checkpoint, _), (_, .idle): reset
    case (.wait(let first), .wait(let second)): .wait(until: min(first, second))
    default: copying
    }
  }

  /// The longest time that a reset may wait for the reader that is in its way.
  ///
  /// The long holds are for readers that move. A reader whose move had been due for longer than the longest hold when
  /// the reset began gets the shortest one, as does a reader that the engine does not know.
  /// - Parameters:
  ///   - frames: frames in the WAL when the reset began.
  ///   - due: how long the reader's move had been due when the reset began; nil for an unknown reader.
  func readerWaitNanoseconds(frames: Int, due: UInt64?) -> UInt64 {
    let isStanding = due.map { $0 >= ResetBudget.longestHoldNanoseconds } ?? true
    return readerWaitNanoseconds(isStanding ? ResetBudget.Steps.first : budget(frames: frames))
  }

  /// Whether a reset of so many frames may take longer than the shortest hold.
  func mayHoldLong(frames: Int) -> Bool { budget(frames: frames) != ResetBudget.Steps.first }

  private func readerWaitNanoseconds(_ budget: ResetBudget) -> UInt64 {
    guard budget == ResetBudget.Steps.first else { return budget.holdNanoseconds }
    // On a slow disk the copying after the wait takes longer, so readers get less.
    let left = ResetBudget.shortHoldNanoseconds - min(copyingTime, ResetBudget.shortHoldNanoseconds)
    return min(max(left, ResetBudget.shortestWaitNanoseconds), budget.holdNanoseconds)
  }

  private func budget(frames: Int) -> ResetBudget { ResetBudget.of(frames: frames, limit: limitFrames) }

  /// Whether the WAL is so long that it should be reset.
  func isOverLimit(_ account: WALAccount) -> Bool {
    account.frames >= limitFrames && !account.isRestartDue
  }

  private func reset(
    at now: UInt64,
    _ account: WALAccount,
    _ gain: Int,
    _ blocker: Blocker,
    isPinned: Bool,
    isBehind: Bool
  ) -> Decision {
    let copiesOpeningFirst = isOpening && gain > 0
    guard isOverLimit(account), !copiesOpeningFirst, givenUp == 0 || blocker != .stays else { return .idle }
    let budget = budget(frames: account.frames)
    let isLongEnough = budget == ResetBudget.Steps.last || readerWaitNanoseconds(budget) >= expectedWait
    // Where every reader is at the newest commit, no hold is needed.
    guard !isBehind || isLongEnough else { return .idle }
    var next = lastResetAt + resetPause(budget, blocker, isPinned: isPinned)
    if case .every(let interval) = mode {
      let (allowed, isNever) = lastTryAt.addingReportingOverflow(interval)
      if isNever { return .idle }
      next = max(next, allowed)
    }
    if now < next { return .wait(until: next) }
    let copiesFirst =
      gain >= Self.framesWorthCopyingFirst && backoff == 0 && copiesForReset < Self.copiesBeforeReset
    return copiesFirst ? .checkpoint(.limit) : .reset
  }

  /// The time from the begin of the last reset to that of the next.
  private func resetPause(_ budget: ResetBudget, _ blocker: Blocker, isPinned: Bool) -> UInt64 {
    if givenUp == 1, blocker == .gone { return 0 }
    let share = lastWait * budget.rarity
    guard givenUpWithoutHope > 1 else { return share }
    let doubled = Self.shortestResetPauseNanoseconds << UInt64(min(givenUpWithoutHope - 2, 10))
    return max(share, isPinned ? min(doubled, Self.longestResetPauseNanoseconds) : Self.shortestResetPauseNanoseconds)
  }

  private func copying(at now: UInt64, _ gain: Int) -> Decision {
    guard gain > 0 else { return .idle }
    if backoff > 0, now < lastTryAt + backoff { return .wait(until: lastTryAt + backoff) }
    if isOpening { return .checkpoint(.opening) }
    switch mode {
    case .every(let interval):
      // An interval for ever is allowed, and turns checkpoints off.
      let (next, isNever) = lastTryAt.addingReportingOverflow(interval)
      if isNever { return .wait(until: .max) }
      return now >= next ? .checkpoint(.interval) : .wait(until: next)
    case .automatic:
      if gain >= Self.worthwhileFrames { return .checkpoint(.backlog) }
      let rest = lastCommitAt + Self.restNanoseconds
      return now >= rest ? .checkpoint(.rest) : .wait(until: rest)
    }
  }

  /// At how many uncopied frames, and at how many in all, a commit should make the checkpointer look again before its
  /// time.
  /// - Parameter held: frames that a pinned snapshot keeps from being copied; further commits are held with them.
  func worthWaking(
    _ decision: Decision,
    account: WALAccount,
    heldByPin held: Int
  ) -> (backlog: Int, frames: Int) {
    let frames = isOverLimit(account) ? ResetBudget.nextStep(after: account.frames, limit: limitFrames) : limitFrames
    switch decision {
    case .checkpoint, .reset: return (.max, .max)
    case .idle: return (held > 0 ? .max : 1, frames)
    case .wait: return (held > 0 || backoff > 0 || mode != .automatic ? .max : Self.worthwhileFrames, frames)
    }
  }
}
