import SQLiteBinding

@testable import YapEngine

/// A WAL, one reader and a clock, in which a planner's decisions are executed at once. Its rules are so simple that
/// they are evidently right.
struct PlannedWorld {
  /// The reader's behaviour while writers wait for it.
  enum Reader: CaseIterable, Sendable {
    /// It moves to the newest snapshot after 16 ms.
    case follows
    /// It does not move.
    case isLate
  }

  private static let readerStep: UInt64 = 16_000_000

  let reader: Reader
  let limit: Int
  /// The duration of a reset's copying.
  var copyingTime: UInt64 = 0
  var now: UInt64 = 1_000_000_000
  private(set) var account = WALAccount(frames: 0)
  private(set) var commits = 0
  private(set) var resets = 0
  private(set) var waited: UInt64 = 0
  private(set) var longestHold: UInt64 = 0
  private(set) var ledger = CheckpointLedger()
  private var planner: CheckpointPlanner
  private var pinned: PinnedSnapshot?
  private var blocker: PinnedSnapshot?
  private var lastGivenUpAt: UInt64?
  private var lastWait: UInt64 = 0

  init(reader: Reader, limit: Int) {
    self.reader = reader
    self.limit = limit
    planner = CheckpointPlanner(mode: .automatic, framesAtOpen: 0, limitFrames: limit)
  }

  mutating func commit(frames: Int) {
    commits += 1
    let restarts = account.isRestartDue
    _ = account.recordCommit(framesInWAL: (restarts ? 0 : account.frames) + frames, hasRestarted: restarts)
    planner.recordCommit(at: now)
  }

  /// Pins the newest snapshot for the reader, or moves the reader to it.
  mutating func pin() {
    let connection = ConnectionID(number: 1)
    pinned = PinnedSnapshot(
      connection: connection,
      name: "reader",
      snapshot: UInt64(commits),
      position: account.end,
      dueSince: now
    )
  }

  mutating func unpin() { pinned = nil }

  /// Executes the planner's decisions until it decides to wait.
  mutating func settle() throws(Discrepancy) {
    for _ in 0..<12 {
      let gain = account.copyableFrame(oldestPin: pinned?.position) - account.copied
      let whereabouts: CheckpointPlanner.Blocker =
        blocker == nil || pinned == nil ? .gone : blocker?.snapshot == pinned?.snapshot ? .stays : .moved
      switch planner.decide(at: now, account: account, oldestPin: pinned?.position, blocker: whereabouts) {
      case .idle:
        // The WAL may be over the limit only because of a reader for which a reset has given up, or one that needs a
        // longer hold than this size allows.
        let isBehind = account.copyableFrame(oldestPin: pinned?.position) < account.frames
        let takesLonger = lastGivenUpAt != nil && isBehind && account.frames < 8 * limit
        let isExcused = account.frames < limit || whereabouts == .stays || takesLonger
        guard gain == 0, isExcused else { throw Discrepancy("idle with \(gain) to copy of \(account)") }
        return
      case .wait(let until):
        let isBounded = until > now && until <= now + CheckpointPlanner.longestResetPauseNanoseconds
        guard isBounded, gain > 0 || account.frames >= limit else { throw Discrepancy("waits until \(until)") }
        return
      case .checkpoint(let cause):
        guard gain > 0 else { throw Discrepancy("a checkpoint with nothing to copy") }
        copy(cause)
      case .reset:
        guard account.frames >= limit, whereabouts != .stays else { throw Discrepancy("a reset of \(account)") }
        try reset()
      }
    }
    throw Discrepancy("does not come to rest: \(account)")
  }

  private mutating func copy(_ cause: YapDatabaseCheckpoint.Cause) {
    let copyable = account.copyableFrame(oldestPin: pinned?.position)
    account.recordCheckpoint(framesInWAL: account.frames, copied: copyable)
    planner.recordTry(cause, at: now, expected: copyable, copied: copyable)
  }

  private mutating func reset() throws(Discrepancy) {
    var attempt = CheckpointAttempt(mode: .truncate, cause: .limit, startedAt: now)
    let isBehind = pinned.map { $0.snapshot < UInt64(commits) } ?? false
    let frames = account.frames
    let longestWait = planner.readerWaitNanoseconds(frames: frames, due: pinned?.nanosecondsDue(at: now))
    let succeeds = !isBehind || (reader == .follows && Self.readerStep <= longestWait)
    let wait = !isBehind ? 0 : succeeds ? Self.readerStep : longestWait
    let copying = succeeds ? copyingTime : 0
    now += wait + copying
    waited += wait
    longestHold = max(longestHold, wait + copying)
    attempt.end(at: now, writes: nil)
    if succeeds {
      resets += 1
      if pinned != nil { pin() }
      account.recordCheckpoint(framesInWAL: frames, copied: frames)
      account.recordReset(isTruncated: true)
    } else {
      attempt.pin = pinned
      // A reset does not wait again for a reader that stays, so this reader has moved, or is another one.
      if let last = lastGivenUpAt, attempt.startedAt < last + 4 * lastWait {
        throw Discrepancy("gave up twice without a pause between")
      }
      lastGivenUpAt = attempt.startedAt
      lastWait = wait
    }
    blocker = succeeds ? nil : attempt.pin
    planner.recordReset(
      began: attempt.startedAt,
      frames: frames,
      waited: wait,
      copied: copying,
      outcome: succeeds ? .reset : .gaveUp(on: attempt.pin, began: attempt.startedAt)
    )
    ledger.append(
      attempt,
      outcome: succeeds ? .reset : .gaveUp,
      framesInWAL: frames,
      copied: frames - account.backlog,
      left: account.backlog
    )
  }
}
