/// Decides when a checkpoint is worth trying. A pure state machine over commits, pins and results.
///
/// A try that finds a reader in its way is not free: SQLite sorts all frames of the WAL before it finds out. One try
/// per commit made a one-row write 660 times dearer at 1 GiB of WAL. Hence a checkpoint is tried only when the oldest
/// pinned snapshot lets frames be copied that are not copied yet, and then only when they are many, or when the
/// database has come to rest.
///
/// Copying does not make the WAL shorter as long as anybody reads from it. Above a limit it is therefore *reset*: the
/// write lane is held until every reader has come to the newest snapshot, and the WAL begun anew. That keeps writers
/// waiting, so it has a budget: a twentieth of the time. Who made a reset give up has to move before the next.
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
  /// How long a reset may hold the write lane: for readers, and then for what is left to copy, with its syncs.
  static let holdNanoseconds: UInt64 = 50_000_000
  /// What readers get of that at least, and at most.
  static let readerWaits: ClosedRange<UInt64> = 20_000_000...40_000_000
  /// After a reset that waited, so many times its wait passes before the next one begins.
  static let resetRarity: UInt64 = 20
  /// After one that gave up: at first, and at most, if the same reader is in the way each time.
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
  private var resetPause: UInt64 = 0
  /// How long the last resets copied, and synced: the longest, which fades by an eighth with each.
  private var copyingTime: UInt64 = 0
  /// How often in a row the same reader made a reset give up.
  private var givenUp = 0

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

  /// A reset was made, or given up.
  /// - Parameters:
  ///   - began: when it got the write lane.
  ///   - waited: how long it waited for readers.
  ///   - copied: for how long it copied, and synced.
  ///   - metAgain: whether the reader in the way is the one that was in the way of the reset before.
  mutating func resetTried(began: UInt64, waited: UInt64, copied: UInt64, isReset: Bool, metAgain: Bool) {
    isOpening = false
    lastResetAt = began
    lastTryAt = began
    copiesForReset = 0
    givenUp = isReset ? 0 : metAgain ? givenUp + 1 : 1
    resetPause = waited * Self.resetRarity
    copyingTime = max(copied, copyingTime - copyingTime / 8)
    if givenUp > 0 {
      let doubled = Self.shortestResetPauseNanoseconds << UInt64(min(givenUp - 1, 10))
      resetPause = max(resetPause, min(doubled, Self.longestResetPauseNanoseconds))
    }
  }

  /// - Parameters:
  ///   - oldestPin: where the oldest pinned snapshot ends in the WAL; nil if none is pinned.
  ///   - blocker: what became of the reader that made the last reset give up.
  func decide(at now: UInt64, account: WALAccount, oldestPin: WALPosition?, blocker: Blocker = .gone) -> Decision {
    let gain = account.copyableFrame(oldestPin: oldestPin) - account.copied
    let reset = reset(at: now, account, gain, blocker)
    let copying = copying(at: now, gain)
    return switch (reset, copying) {
    case (.reset, _), (.checkpoint, _), (_, .idle): reset
    case (.wait(let first), .wait(let second)): .wait(until: min(first, second))
    default: copying
    }
  }

  /// How long a reset may wait for readers: less on a slow disk, where what comes after takes longer.
  var readerWaitNanoseconds: UInt64 {
    let left = Self.holdNanoseconds - min(copyingTime, Self.holdNanoseconds)
    return min(max(left, Self.readerWaits.lowerBound), Self.readerWaits.upperBound)
  }

  /// Whether the WAL is so long that it should be reset.
  func isOverLimit(_ account: WALAccount) -> Bool {
    account.frames >= limitFrames && !account.isRestartDue
  }

  private func reset(at now: UInt64, _ account: WALAccount, _ gain: Int, _ blocker: Blocker) -> Decision {
    let copiesOpeningFirst = isOpening && gain > 0
    guard isOverLimit(account), !copiesOpeningFirst, givenUp == 0 || blocker != .stays else { return .idle }
    var next = lastResetAt + (blocker == .gone ? min(resetPause, Self.shortestResetPauseNanoseconds) : resetPause)
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
    let frames = isOverLimit(account) ? .max : limitFrames
    switch decision {
    case .checkpoint, .reset: return (.max, .max)
    case .idle: return (held > 0 ? .max : 1, frames)
    case .wait: return (held > 0 || backoff > 0 || mode != .automatic ? .max : Self.worthwhileFrames, frames)
    }
  }
}
