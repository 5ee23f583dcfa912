/// Decides when a checkpoint or a reset is worth trying. A pure state machine over commits, pins and results.
///
/// A try that a reader blocks is not free: before SQLite detects a reader of the database file, it sorts all frames
/// that are not copied. With one try per commit, a one-row write took 660 times as long at 1 GiB of WAL. Therefore a
/// checkpoint is tried only if the oldest pinned snapshot allows copying at least one frame. In automatic mode there
/// must be many such frames, unless the database is at rest or has just been opened.
///
/// Copying does not shorten the WAL while a reader reads from it. From a limit on the WAL is therefore *reset*: the
/// checkpointer holds the write lane until every reader is at the newest snapshot, and the next commit restarts the
/// WAL. Writers wait during a hold, so `ResetBudget` limits the length of a hold and the share of the time. A reader
/// that made a reset give up has to move or to end before the next reset.
struct CheckpointPlanner {
  enum Decision: Equatable {
    /// Nothing can be done before the next commit or the release of a snapshot.
    case idle
    /// A checkpoint may be possible, or may be retried, from this time on (nanoseconds of `MonotonicClock`).
    case wait(until: UInt64)
    case checkpoint(YapDatabaseCheckpoint.Cause)
    case reset
  }

  /// The outcome of a reset.
  enum ResetOutcome: Equatable {
    /// The WAL was truncated, or restarts with the next commit.
    case reset
    /// The blocking reader's move had been due for less than the longest hold, so it may move during a longer hold.
    case gaveUpOnMoving
    /// The blocking reader's move had been due for at least the longest hold, or no blocking reader is known.
    case gaveUpOnStanding

    /// - Parameters:
    ///   - reader: The blocking reader; nil if none is known.
    ///   - began: The time at which the reset acquired the write lane.
    static func gaveUp(on reader: PinnedSnapshot?, began: UInt64) -> Self {
      let due = reader?.nanosecondsDue(at: began) ?? ResetBudget.longestHoldNanoseconds
      return due < ResetBudget.longestHoldNanoseconds ? .gaveUpOnMoving : .gaveUpOnStanding
    }
  }

  /// The state of the reader that made the last reset give up.
  enum Blocker {
    /// It still pins the snapshot that blocked the reset.
    case stays
    /// It has pinned another snapshot since.
    case moved
    /// It pins no snapshot, the reader is unknown, or the last reset did not give up.
    case gone
  }

  /// The number of frames that are worth a copy at any time: 1 MiB at the default page size, about 4 ms of copying.
  static let worthwhileFrames = 256
  /// The same if copies are to be rare. At `Synchronous.full` each copy syncs the WAL, and delays the syncs of the
  /// commits beside it, although its frames are synced already. At `off` there are no syncs that have to be spread over
  /// time, and a commit that wakes the checkpointer takes longer than others.
  static let worthwhileFramesIfRare = 1024
  static let restNanoseconds: UInt64 = 100_000_000
  static let shortestBackoffNanoseconds: UInt64 = 20_000_000
  static let longestBackoffNanoseconds: UInt64 = 1_000_000_000
  /// The limits of the pause after the second and each further reset that a longer hold would not have helped, until a
  /// reset succeeds. While a snapshot is pinned, each further such reset doubles the pause.
  static let shortestResetPauseNanoseconds: UInt64 = 1_000_000_000
  static let longestResetPauseNanoseconds: UInt64 = 16_000_000_000
  /// The number of frames that are worth copying beside commits before a reset, and the largest number of copies before
  /// one reset. Each copy leaves less to be copied and synced while writers wait.
  static let framesWorthCopyingFirst = 32
  private static let copiesBeforeReset = 2

  private let mode: YapDatabaseOptions.Checkpointing
  private let limitFrames: Int
  let worthwhileFrames: Int
  private var isOpening: Bool
  private var lastCommitAt: UInt64 = 0
  private var lastTryAt: UInt64 = 0
  /// The pause after a try that copied less than the pins allowed, or failed; 0 after any other try.
  private var backoff: UInt64 = 0
  private var copiesForReset = 0
  private var lastResetAt: UInt64 = 0
  /// The time for which the last reset waited for readers, plus the waits of earlier resets without a full pause since.
  private var lastWait: UInt64 = 0
  /// The longest time that recent resets spent copying and syncing. Decays by an eighth with each reset.
  private var copyingTime: UInt64 = 0
  /// The hold that readers are expected to need. While a reader is behind, only the last step of the budget allows a
  /// shorter hold. A success replaces it by its half or by that reset's wait, whichever is longer.
  private var expectedWait: UInt64 = 0
  /// The number of resets since the last success.
  private var givenUp = 0
  /// The number of resets among them that a longer hold would not have helped.
  private var unavoidableGiveUps = 0

  /// - Parameters:
  ///   - framesAtOpen: The number of frames in the WAL at open.
  ///   - limitFrames: The number of frames from which the WAL is reset.
  ///   - copiesRarely: Whether there are fewer and larger copies.
  init(mode: YapDatabaseOptions.Checkpointing, framesAtOpen: Int, limitFrames: Int, copiesRarely: Bool = false) {
    self.mode = mode
    self.limitFrames = limitFrames
    worthwhileFrames = copiesRarely ? Self.worthwhileFramesIfRare : Self.worthwhileFrames
    isOpening = framesAtOpen > 0
  }

  mutating func recordCommit(at now: UInt64) {
    lastCommitAt = now
  }

  /// Records the result of a checkpoint.
  /// - Parameters:
  ///   - expected: The frame up to which the pins allowed copying.
  ///   - copied: The frame up to which the checkpoint copied; nil if SQLite did not report it.
  mutating func recordTry(_ cause: YapDatabaseCheckpoint.Cause, at now: UInt64, expected: Int, copied: Int?) {
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
  ///   - began: The time at which the reset acquired the write lane.
  ///   - frames: The number of frames in the WAL at that time.
  ///   - waited: The time for which the reset waited for readers, including the copying during that time.
  ///   - copied: The rest of the reset's duration. Most of it is spent copying and syncing.
  ///   - outcome: Whether the reset succeeded and, if not, whether the blocking reader had moved recently.
  mutating func recordReset(began: UInt64, frames: Int, waited: UInt64, copied: UInt64, outcome: ResetOutcome) {
    let budget = budget(frames: frames)
    isOpening = false
    lastTryAt = began
    copiesForReset = 0
    // A reset that begins before the shortest pause is over shares one pause with the last reset, so the waits add up.
    let wasPaid = began >= lastResetAt + lastWait * ResetBudget.Steps.last.rarity
    lastWait = waited + (wasPaid ? 0 : lastWait)
    lastResetAt = began
    copyingTime = max(copied, copyingTime - copyingTime / 8)
    switch outcome {
    case .reset:
      // Nothing is left to copy. A pause would otherwise begin again with each reset, and a WAL that reaches its limit
      // within the pause would never be copied beside commits.
      backoff = 0
      givenUp = 0
      unavoidableGiveUps = 0
      expectedWait = max(waited, expectedWait / 2)
    case .gaveUpOnMoving where budget.holdNanoseconds < ResetBudget.longestHoldNanoseconds:
      givenUp += 1
      expectedWait = max(expectedWait, readerWaitNanoseconds(budget) + 1)
    case .gaveUpOnMoving, .gaveUpOnStanding:
      givenUp += 1
      unavoidableGiveUps += 1
    }
  }

  /// - Parameters:
  ///   - oldestPin: The position in the WAL at which the oldest pinned snapshot ends; nil if none is pinned.
  ///   - blocker: The state of the reader that made the last reset give up.
  func decide(at now: UInt64, account: WALAccount, oldestPin: WALPosition?, blocker: Blocker = .gone) -> Decision {
    let gain = account.copyableFrame(oldestPin: oldestPin) - account.copied
    let isBehind = account.copyableFrame(oldestPin: oldestPin) < account.frames
    let isPinned = oldestPin != nil
    let reset = reset(at: now, account: account, gain: gain, blocker: blocker, isPinned: isPinned, isBehind: isBehind)
    let copying = copying(at: now, gain: gain)
    // A WAL at its limit comes first, and a reset copies as well. A wait for the next reset must not delay a copy.
    return switch (reset, copying) {
    case (.reset, _), (.checkpoint, _), (_, .idle): reset
    case (.wait(let first), .wait(let second)): .wait(until: min(first, second))
    default: copying
    }
  }

  /// Returns the longest time that a reset may wait for the reader that blocks it.
  ///
  /// Long holds are for readers that move. The hold of the first step applies to an unknown reader. A reset does not
  /// wait for a reader whose move had been due for at least the hold of its step when the reset began: it is slower
  /// than the readers that this hold catches.
  /// - Parameters:
  ///   - frames: The number of frames in the WAL when the reset began.
  ///   - due: How long the reader's move had been due when the reset began; nil for an unknown reader.
  func readerWaitNanoseconds(frames: Int, due: UInt64?) -> UInt64 {
    guard let due else { return readerWaitNanoseconds(ResetBudget.Steps.first) }
    let budget = budget(frames: frames)
    return due >= budget.holdNanoseconds ? 0 : readerWaitNanoseconds(budget)
  }

  /// Whether a reset of a WAL with this many frames may wait for longer than the hold of the first step.
  func mayHoldLong(frames: Int) -> Bool { budget(frames: frames) != ResetBudget.Steps.first }

  private func readerWaitNanoseconds(_ budget: ResetBudget) -> UInt64 {
    guard budget == ResetBudget.Steps.first else { return budget.holdNanoseconds }
    // On a slow disk the copying after the wait takes longer, so the wait for readers is shorter.
    let left = ResetBudget.shortHoldNanoseconds - min(copyingTime, ResetBudget.shortHoldNanoseconds)
    return min(max(left, ResetBudget.shortestWaitNanoseconds), budget.holdNanoseconds)
  }

  private func budget(frames: Int) -> ResetBudget { ResetBudget.of(frames: frames, limit: limitFrames) }

  /// Whether the WAL has reached the limit and does not restart with the next commit anyway.
  func isOverLimit(_ account: WALAccount) -> Bool {
    account.frames >= limitFrames && !account.isRestartDue
  }

  private func reset(
    at now: UInt64,
    account: WALAccount,
    gain: Int,
    blocker: Blocker,
    isPinned: Bool,
    isBehind: Bool
  ) -> Decision {
    let copiesOpeningFirst = isOpening && gain > 0
    guard isOverLimit(account), !copiesOpeningFirst, givenUp == 0 || blocker != .stays else { return .idle }
    let budget = budget(frames: account.frames)
    let isLongEnough = budget == ResetBudget.Steps.last || readerWaitNanoseconds(budget) >= expectedWait
    // If no reader keeps frames from being copied, no hold is needed.
    guard !isBehind || isLongEnough else { return .idle }
    var next = lastResetAt + resetPause(budget, blocker: blocker, isPinned: isPinned)
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

  /// Returns the shortest time from the start of the last reset to the start of the next.
  private func resetPause(_ budget: ResetBudget, blocker: Blocker, isPinned: Bool) -> UInt64 {
    if givenUp == 1, blocker == .gone { return 0 }
    let share = lastWait * budget.rarity
    guard unavoidableGiveUps > 1 else { return share }
    let doubled = Self.shortestResetPauseNanoseconds << UInt64(min(unavoidableGiveUps - 2, 10))
    return max(share, isPinned ? min(doubled, Self.longestResetPauseNanoseconds) : Self.shortestResetPauseNanoseconds)
  }

  private func copying(at now: UInt64, gain: Int) -> Decision {
    guard gain > 0 else { return .idle }
    if backoff > 0, now < lastTryAt + backoff { return .wait(until: lastTryAt + backoff) }
    if isOpening { return .checkpoint(.opening) }
    switch mode {
    case .every(let interval):
      // An interval so long that the sum overflows is allowed, and turns checkpoints off.
      let (next, isNever) = lastTryAt.addingReportingOverflow(interval)
      if isNever { return .wait(until: .max) }
      return now >= next ? .checkpoint(.interval) : .wait(until: next)
    case .automatic:
      if gain >= worthwhileFrames { return .checkpoint(.backlog) }
      let rest = lastCommitAt + Self.restNanoseconds
      return now >= rest ? .checkpoint(.rest) : .wait(until: rest)
    }
  }

  /// Returns the thresholds at which a commit wakes the checkpointer early: a number of uncopied frames, and a number
  /// of frames in the WAL. `Int.max` stands for never.
  /// - Parameter held: The number of frames that a pinned snapshot keeps from being copied. Later commits are held with
  ///   them.
  func wakeThresholds(_ decision: Decision, account: WALAccount, heldByPin held: Int) -> (backlog: Int, frames: Int) {
    let frames = isOverLimit(account) ? ResetBudget.nextStep(after: account.frames, limit: limitFrames) : limitFrames
    switch decision {
    case .checkpoint, .reset: return (.max, .max)
    case .idle: return (held > 0 ? .max : 1, frames)
    case .wait: return (held > 0 || backoff > 0 || mode != .automatic ? .max : worthwhileFrames, frames)
    }
  }
}
