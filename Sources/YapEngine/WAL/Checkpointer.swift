internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// The part of the database that the checkpointer uses, so that each can be read without the other.
protocol CheckpointTarget: AnyObject, Sendable {
  /// Releases snapshots that idle connections keep and that are no longer the newest.
  func letOldSnapshotsGo()
  /// The oldest pinned snapshot.
  func oldestPin() -> PinnedSnapshot?
  /// The snapshot that a connection has pinned; nil if it pins none or no longer exists.
  func pinnedSnapshot(of connection: ConnectionID) -> UInt64?
  /// Makes one checkpoint that copies the frames that the pins allow.
  func performCheckpoint(_ cause: CheckpointPlanner.Cause)
  /// Resets the WAL, or gives up.
  func resetWAL()
  /// Makes a checkpoint for a waiting caller.
  func perform(_ request: CheckpointRequest)
  /// Ends the request with an error, because no further checkpoint is made.
  func refuse(_ request: CheckpointRequest)
  /// Makes idle connections follow, so that commits that all have passed are freed.
  /// - Returns: Whether every connection has followed every commit.
  func sweepIdleConnections() -> Bool
}

/// The thread that makes checkpoints, and sweeps idle connections when no checkpoint is due.
///
/// It must be the only checkpointer of the file: the proof that a checkpoint beside commits is safe (`GuardReader`)
/// depends on it.
final class Checkpointer: Sendable {
  private struct State {
    var account: WALAccount
    var planner: CheckpointPlanner
    var ledger = CheckpointLedger()
    /// Thresholds that wake the sleeping thread after a commit: frames left to copy, and total frames in the WAL.
    var wakeAt = (backlog: Int.max, frames: Int.max)
    /// The snapshot whose pin made the last reset give up.
    var blocker: PinnedSnapshot?
    /// The checkpoints that callers wait for, oldest first.
    var requests: [CheckpointRequest] = []
    var isStopped = false
  }

  /// The interval at which idle connections are swept while commits are made.
  private static let sweepNanoseconds: UInt64 = 100_000_000
  /// The longest sleep of the thread. It is woken when there is work; this only bounds how long a database that was not
  /// closed outlives its last user.
  private static let longestSleepNanoseconds: UInt64 = 1_000_000_000
  /// Represents the absence of a snapshot.
  private static let none = UInt64.max

  private let state: Guarded<State>
  private let parker = Parker()
  /// Whether a pinned snapshot blocks copying, so that the thread must be woken when it moves.
  private let isBlockedByPin = Atomic<Bool>(false)
  private let wholeSnapshot: Atomic<UInt64>
  private let neverRests: Bool
  private let hooks: TestHooks
  private let sleeps = Atomic<Bool>(false)
  private let thread = Guarded<WorkerThread?>(nil)
  private let threadToken = Guarded(ThreadToken.none)

  /// - Parameter snapshot: The newest commit at open.
  init(framesAtOpen: Int, snapshot: UInt64, pageSize: Int, _ options: YapDatabaseOptions) {
    let planner = CheckpointPlanner(
      mode: options.checkpointing,
      framesAtOpen: framesAtOpen,
      limitFrames: max(WALFile.frames(inBytes: options.aggressiveCheckpointAt, pageSize: pageSize), 1)
    )
    state = Guarded(State(account: WALAccount(frames: framesAtOpen), planner: planner))
    wholeSnapshot = Atomic(framesAtOpen == 0 ? snapshot : Self.none)
    neverRests = TestHooks.areBuiltIn && options.testHooks.checkpointsAlways
    hooks = options.testHooks
  }

  /// Whether the thread sleeps, and holds no guard.
  var isAsleep: Bool { sleeps.load(ordering: .acquiring) }

  var account: WALAccount { state.withLock { $0.account } }

  /// The snapshot that is completely in the database file, or nil. A connection that pins it while it is the newest
  /// does not read from the WAL.
  var copiedSnapshot: UInt64? {
    let snapshot = wholeSnapshot.load(ordering: .acquiring)
    return snapshot == Self.none ? nil : snapshot
  }

  /// Passes the ledger to `body` without a copy, which would make the next entry copy all entries.
  func withLedger<Result: Sendable>(_ body: (CheckpointLedger) -> Result) -> Result {
    state.withLock { body($0.ledger) }
  }

  func start(for target: any CheckpointTarget) throws(ThreadError) {
    let started = try WorkerThread(name: "yap-checkpoint") { [weak target] in
      self.threadToken.withLock { $0 = .current }
      self.run(for: { target })
    }
    thread.withLock { $0 = started }
  }

  /// Enqueues a request for a checkpoint.
  /// - Returns: false if the checkpointer is stopped.
  func ask(_ request: CheckpointRequest) -> Bool {
    let isTaken = state.withLock { state in
      if !state.isStopped { state.requests.append(request) }
      return !state.isStopped
    }
    if isTaken { parker.unpark() }
    return isTaken
  }

  private func nextRequest() -> CheckpointRequest? {
    state.withLock { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
  }

  /// Whether the checkpointer was asked to stop. Waits for readers then end.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Makes the thread end after its current round.
  func askToStop() {
    state.withLock { $0.isStopped = true }
    parker.unpark()
  }

  /// Ends the thread and waits for its end. If called on the thread itself, it does not wait.
  func stop() {
    askToStop()
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if threadToken.withLock({ $0 }) == .current { running?.detach() } else { running?.join() }
  }

  /// Records a written commit. Must be called with the write lane held.
  func committed(framesInWAL frames: Int, hasRestarted: Bool, at now: UInt64) -> WALPosition {
    let (position, wakes) = state.withLock { state in
      state.planner.committed(at: now)
      let position = state.account.committed(framesInWAL: frames, hasRestarted: hasRestarted)
      let wakes = state.account.backlog >= state.wakeAt.backlog || frames >= state.wakeAt.frames
      if wakes { state.wakeAt = (.max, .max) }
      return (position, wakes)
    }
    if wakes { parker.unpark() }
    return position
  }

  /// Records a marker frame that was written behind the newest commit. Must be called with the write lane held.
  func marked(framesInWAL frames: Int, hasRestarted: Bool) {
    wholeSnapshot.store(Self.none, ordering: .releasing)
    state.withLock { _ = $0.account.committed(framesInWAL: frames, hasRestarted: hasRestarted) }
  }

  /// Wakes the thread if it waits for the oldest pinned snapshot to move.
  func oldestPinMoved() {
    if isBlockedByPin.exchange(false, ordering: .acquiringAndReleasing) { parker.unpark() }
  }

  /// Makes the thread wake when the oldest pinned snapshot moves. Must be called before the snapshot is read, so that
  /// no move is missed.
  func watchPins() {
    isBlockedByPin.store(true, ordering: .sequentiallyConsistent)
  }

  /// Sleeps until the oldest pinned snapshot moves or the deadline passes. Must be called on the checkpointer's thread.
  func waitForPin(until deadline: UInt64) {
    parker.park(deadline: deadline)
  }

  /// Records the result of a checkpoint. Must be called while the write lane is held or, for a checkpoint beside
  /// commits, while the guard is held.
  /// - Parameter snapshot: The newest snapshot that the checkpoint can have copied completely.
  func checkpointed(_ attempt: CheckpointAttempt, snapshot: UInt64) {
    state.withLock { state in
      let copiedBefore = state.account.copied
      count(attempt, snapshot: snapshot, in: &state.account)
      state.planner.tried(
        attempt.cause,
        at: attempt.endedAt,
        expected: attempt.expectedFrame,
        copied: attempt.result?.framesCopied
      )
      let left = state.account.backlog
      let outcome: YapDatabaseCheckpoint.Outcome =
        attempt.failure != nil
        ? .failed : attempt.result?.isBusy ?? true ? .busy : left == 0 ? .complete : .partialPinned
      let isTotal = hooks.has(.tellsAllCopiedFrames)
      state.ledger.append(
        told(attempt),
        outcome: outcome,
        framesInWAL: state.account.frames,
        copied: isTotal ? state.account.copied : max(state.account.copied - copiedBefore, 0),
        left: left
      )
    }
  }

  /// Records a checkpoint that is part of a reset.
  func copied(_ attempt: CheckpointAttempt, snapshot: UInt64) {
    state.withLock { count(attempt, snapshot: snapshot, in: &$0.account) }
  }

  /// Returns the longest time that a reset may wait for the reader that blocks it.
  /// - Parameters:
  ///   - frames: The number of frames in the WAL when the reset began.
  ///   - due: How long the reader's move had been due when the reset began; nil for an unknown reader.
  func readerWaitNanoseconds(frames: Int, due: UInt64?) -> UInt64 {
    state.withLock { $0.planner.readerWaitNanoseconds(frames: frames, due: due) }
  }

  /// Whether enough frames can be copied to be worth a copy while a long reset waits for readers.
  func isWorthCopyingInReset(frames: Int, oldestPin: PinnedSnapshot?) -> Bool {
    state.withLock { state in
      let gain = state.account.copyableFrame(oldestPin: oldestPin?.position) - state.account.copied
      return gain >= CheckpointPlanner.worthwhileFrames && state.planner.mayHoldLong(frames: frames)
    }
  }

  /// Records the outcome of a reset or a full checkpoint. Must be called with the write lane held.
  /// - Parameters:
  ///   - before: The account at the start.
  ///   - waited: The time for which it waited for readers, including the copying meanwhile.
  func resetEnded(_ attempt: CheckpointAttempt, before: WALAccount, waited: UInt64) {
    let isFull = attempt.mode == .full
    let isDone = attempt.failure == nil && (isFull ? attempt.isWhole : attempt.result?.isBusy == false)
    state.withLock { state in
      let backlog = hooks.has(.tellsAllCopiedFrames) ? before.frames : before.backlog
      let copied = isDone ? backlog : max(state.account.copied - before.copied, 0)
      let left = isDone ? 0 : state.account.backlog
      if isDone, !isFull { state.account.reset(isTruncated: attempt.mode == .truncate) }
      // A requested reset must not affect when the next is due.
      if attempt.cause == .limit {
        state.blocker = isDone ? nil : attempt.pin
        let copying = attempt.endedAt - min(attempt.startedAt + waited, attempt.endedAt)
        state.planner.resetTried(
          began: attempt.startedAt,
          frames: before.frames,
          waited: waited,
          copied: copying,
          outcome: isDone ? .reset : .gaveUp(on: attempt.pin, began: attempt.startedAt)
        )
      }
      let done: YapDatabaseCheckpoint.Outcome = isFull ? .complete : .reset
      state.ledger.append(
        told(attempt),
        outcome: isDone ? done : attempt.failure != nil ? .failed : attempt.pin == nil ? .busy : .gaveUp,
        framesInWAL: before.frames,
        copied: copied,
        left: left
      )
    }
  }

  /// The attempt as it is recorded in the ledger. It differs only if a planted bug is switched on.
  private func told(_ attempt: CheckpointAttempt) -> CheckpointAttempt {
    #if TestPoints
      attempt.mistaken(hooks)
    #else
      attempt
    #endif
  }

  private func count(_ attempt: CheckpointAttempt, snapshot: UInt64, in account: inout WALAccount) {
    guard let frames = attempt.result?.framesInWAL, let copied = attempt.result?.framesCopied else { return }
    if attempt.holdsLane {
      account.checkpointed(framesInWAL: frames, copied: copied)
    } else {
      account.checkpointedBesideCommits(framesInWAL: frames, copied: copied)
    }
    if attempt.isWhole { wholeSnapshot.store(snapshot, ordering: .releasing) }
  }

  /// - Parameter target: Returns the database; nil if it no longer exists. The database is retained for one round at a
  ///   time.
  private func run(for target: () -> (any CheckpointTarget)?) {
    // The callers of the remaining requests retain the database, so it can still refuse them.
    defer { while let request = nextRequest() { target()?.refuse(request) } }
    while !isStopped {
      guard let deadline = target().map(round) else { return }
      sleeps.store(true, ordering: .releasing)
      parker.park(deadline: deadline)
      sleeps.store(false, ordering: .releasing)
    }
  }

  /// Makes the checkpoint that is due, or sweeps idle connections.
  /// - Returns: The latest time at which the next round must begin.
  private func round(_ target: any CheckpointTarget) -> UInt64 {
    while let request = nextRequest() { target.perform(request) }
    watchPins()
    target.letOldSnapshotsGo()
    let pin = target.oldestPin()
    let blocker = whereabouts(of: state.withLock { $0.blocker }, target)
    let now = MonotonicClock.now
    let decision = state.withLock { state in
      let (planner, account) = (state.planner, state.account)
      let decision = planner.decide(at: now, account: account, oldestPin: pin?.position, blocker: blocker)
      let held = account.frames - account.copyableFrame(oldestPin: pin?.position)
      state.wakeAt = planner.worthWaking(decision, account: account, heldByPin: held)
      isBlockedByPin.store(held > 0 || planner.isOverLimit(account), ordering: .relaxed)
      return decision
    }
    switch decision {
    case .checkpoint(let cause):
      target.performCheckpoint(cause)
      return now
    case .reset:
      target.resetWAL()
      return now
    case .idle, .wait:
      if neverRests {
        target.performCheckpoint(.interval)
        return now
      }
    }
    let isEverythingFollowed = target.sweepIdleConnections()
    var deadline = isEverythingFollowed ? now + Self.longestSleepNanoseconds : now + Self.sweepNanoseconds
    if case .wait(let until) = decision { deadline = min(deadline, until) }
    return deadline
  }

  private func whereabouts(
    of blocker: PinnedSnapshot?,
    _ target: any CheckpointTarget
  ) -> CheckpointPlanner.Blocker {
    guard let blocker, let pinned = target.pinnedSnapshot(of: blocker.connection) else { return .gone }
    return pinned == blocker.snapshot ? .stays : .moved
  }
}
