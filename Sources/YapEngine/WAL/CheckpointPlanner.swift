/// Decides when a checkpoint is worth trying. A pure state machine over commits, pins and results.
///
/// A try that finds a reader in its way is not free: SQLite sorts all frames of the WAL before it finds out. One try
/// per commit made a one-row write 660 times dearer at 1 GiB of WAL. Hence a checkpoint is tried only when the oldest
/// pinned snapshot lets frames be copied that are not copied yet, and then only when they are many, or when the
/// database has come to rest.
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
  }

  enum Decision: Equatable {
    /// Nothing can be copied. Look again when something was committed or the oldest snapshot has moved.
    case idle
    /// Something could be copied, or tried again, from this time on (nanoseconds of `MonotonicClock`).
    case wait(until: UInt64)
    case checkpoint(Cause)
  }

  /// 1 MiB of the usual pages: about 4 ms of copying, which is what a writer may have to wait.
  static let worthwhileFrames = 256
  static let restNanoseconds: UInt64 = 100_000_000
  static let shortestBackoffNanoseconds: UInt64 = 20_000_000
  static let longestBackoffNanoseconds: UInt64 = 1_000_000_000

  private let mode: YapDatabaseOptions.Checkpointing
  private var isOpening: Bool
  private var lastCommitAt: UInt64 = 0
  private var lastTryAt: UInt64 = 0
  /// After a try that copied less than the pins allowed: somebody is in the way whom the engine does not know.
  private var backoff: UInt64 = 0

  /// - Parameter framesAtOpen: frames in the WAL that was found.
  init(mode: YapDatabaseOptions.Checkpointing, framesAtOpen: Int) {
    self.mode = mode
    isOpening = framesAtOpen > 0
  }

  mutating func committed(at now: UInt64) {
    lastCommitAt = now
  }

  /// - Parameters:
  ///   - expected: the frame up to which the pins allowed to copy.
  ///   - copied: the frame up to which the checkpoint came; nil if SQLite did not say.
  mutating func tried(at now: UInt64, expected: Int, copied: Int?) {
    isOpening = false
    lastTryAt = now
    if let copied, copied >= expected {
      backoff = 0
    } else {
      backoff = min(max(backoff * 2, Self.shortestBackoffNanoseconds), Self.longestBackoffNanoseconds)
    }
  }

  /// - Parameter oldestPin: where the oldest pinned snapshot ends in the WAL; nil if none is pinned.
  func decide(at now: UInt64, account: WALAccount, oldestPin: WALPosition?) -> Decision {
    let gain = account.copyableFrame(oldestPin: oldestPin) - account.copied
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

  /// From how many uncopied frames on a commit should make the checkpointer look again before its time.
  /// - Parameter held: frames that a pinned snapshot keeps from being copied; further commits are held with them.
  func backlogWorthWaking(_ decision: Decision, account: WALAccount, heldByPin held: Int) -> Int {
    switch decision {
    case .checkpoint: .max
    case .idle: held > 0 ? .max : 1
    case .wait: held > 0 || backoff > 0 || mode != .automatic ? .max : Self.worthwhileFrames
    }
  }
}
