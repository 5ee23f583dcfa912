internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// What the checkpointer needs of the database, so that each can be read without the other.
protocol CheckpointTarget: AnyObject, Sendable {
  /// Lets go of snapshots that idle connections keep and that are not the newest any more.
  func letOldSnapshotsGo()
  /// The oldest pinned snapshot.
  func oldestPin() -> PinnedSnapshot?
  /// The snapshot that a connection has pinned; nil if it has none, or is gone.
  func pinnedSnapshot(of connection: ConnectionID) -> UInt64?
  /// Makes one checkpoint that copies what the pins allow.
  func performCheckpoint(_ cause: CheckpointPlanner.Cause)
  /// Makes the WAL begin anew, or gives up.
  func resetWAL()
  /// Makes a checkpoint that somebody waits for.
  func perform(_ request: CheckpointRequest)
  /// No checkpoint is made any more.
  func refuse(_ request: CheckpointRequest)
  /// Brings idle connections up to date, so that commits that all have passed are let go.
  /// - Returns: whether every connection has followed every commit.
  func sweepIdleConnections() -> Bool
}

/// The one thread that makes checkpoints, and tidies up when nothing else is to do.
///
/// It is the only one in the process: the proof that a checkpoint beside commits is safe (`GuardReader`) rests on it.
final class Checkpointer: Sendable {
  private struct State {
    var account: WALAccount
    var planner: CheckpointPlanner
    var ledger = CheckpointLedger()
    /// The thread sleeps, and a commit wakes it only if it leaves at least so many frames to copy, or in all.
    var wakeAt = (backlog: Int.max, frames: Int.max)
    /// Who made the last reset give up.
    var blocker: PinnedSnapshot?
    /// What callers wait for, the oldest first.
    var requests: [CheckpointRequest] = []
    var isStopped = false
  }

  /// How often idle connections are swept while commits come in.
  private static let sweepNanoseconds: UInt64 = 100_000_000
  /// How long the thread sleeps when nothing is to do. It is woken; this only bounds how long a database that nobody
  /// closed outlives its last user.
  private static let longestSleepNanoseconds: UInt64 = 1_000_000_000
  /// Stands for no snapshot.
  private static let none = UInt64.max

  private let state: Guarded<State>
  private let parker = Parker()
  /// A pinned snapshot stands in the way, and the thread has to be woken when it moves.
  private let isBlockedByPin = Atomic<Bool>(false)
  private let wholeSnapshot: Atomic<UInt64>
  private let neverRests: Bool
  private let hooks: TestHooks
  private let sleeps = Atomic<Bool>(false)
  private let thread = Guarded<WorkerThread?>(nil)
  private let threadToken = Guarded(ThreadToken.none)

  /// - Parameter snapshot: the newest commit at open.
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

  /// Whether the thread has nothing to do for now, and holds no guard.
  var isAsleep: Bool { sleeps.load(ordering: .acquiring) }

  var account: WALAccount { state.withLock { $0.account } }

  /// The snapshot of which all is in the database file, as long as it is the newest: who pins it then does not read
  /// from the WAL. nil for none.
  var copiedSnapshot: UInt64? {
    let snapshot = wholeSnapshot.load(ordering: .acquiring)
    return snapshot == Self.none ? nil : snapshot
  }

  /// The ledger is looked at in its place: a copy taken out would make the next entry copy all of them.
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

  /// Has a checkpoint made in its turn.
  /// - Returns: false if no further one is made.
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

  /// Whether nobody should be waited for any more.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// No further round begins.
  func askToStop() {
    state.withLock { $0.isStopped = true }
    parker.unpark()
  }

  /// Ends the thread and waits for its end, unless it is the thread itself that calls.
  func stop() {
    askToStop()
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if threadToken.withLock({ $0 }) == .current { running?.detach() } else { running?.join() }
  }

  /// A commit was written. Called with the write lane held.
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

  /// A frame that is no commit was written behind the newest commit. Called with the write lane held.
  func marked(framesInWAL frames: Int, hasRestarted: Bool) {
    wholeSnapshot.store(Self.none, ordering: .releasing)
    state.withLock { _ = $0.account.committed(framesInWAL: frames, hasRestarted: hasRestarted) }
  }

  /// The oldest pinned snapshot is now a later one.
  func oldestPinMoved() {
    if isBlockedByPin.exchange(false, ordering: .acquiringAndReleasing) { parker.unpark() }
  }

  /// From now on the thread is woken when the oldest pinned snapshot moves. To be called before it is looked at, so
  /// that none that moves meanwhile is missed.
  func watchPins() {
    isBlockedByPin.store(true, ordering: .sequentiallyConsistent)
  }

  /// Sleeps until the oldest pinned snapshot moves. Called on the checkpointer's thread.
  func waitForPin(until deadline: UInt64) {
    parker.park(deadline: deadline)
  }

  /// What a checkpoint did. One with the write lane held is told before it is free again, one beside commits as long
  /// as its guard is held.
  /// - Parameter snapshot: the newest that it can have copied whole.
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

  /// A checkpoint that is a part of a reset.
  func copied(_ attempt: CheckpointAttempt, snapshot: UInt64) {
    state.withLock { count(attempt, snapshot: snapshot, in: &$0.account) }
  }

  /// The longest time that a reset may wait for the reader in its way.
  /// - Parameters:
  ///   - frames: frames in the WAL when the reset began.
  ///   - due: how long the reader's move had been due by then; nil for an unknown reader.
  func readerWaitNanoseconds(frames: Int, due: UInt64?) -> UInt64 {
    state.withLock { $0.planner.readerWaitNanoseconds(frames: frames, due: due) }
  }

  /// Whether enough frames can be copied to do so while a long reset waits for readers.
  func isWorthCopyingInReset(frames: Int, oldestPin: PinnedSnapshot?) -> Bool {
    state.withLock { state in
      let gain = state.account.copyableFrame(oldestPin: oldestPin?.position) - state.account.copied
      return gain >= CheckpointPlanner.worthwhileFrames && state.planner.mayHoldLong(frames: frames)
    }
  }

  /// Records the outcome of a reset or a full checkpoint. Called with the write lane held.
  /// - Parameters:
  ///   - before: the account when it began.
  ///   - waited: how long it waited for readers, with what it copied meanwhile.
  func resetEnded(_ attempt: CheckpointAttempt, before: WALAccount, waited: UInt64) {
    let isFull = attempt.mode == .full
    let isDone = attempt.failure == nil && (isFull ? attempt.isWhole : attempt.result?.isBusy == false)
    state.withLock { state in
      let backlog = hooks.has(.tellsAllCopiedFrames) ? before.frames : before.backlog
      let copied = isDone ? backlog : max(state.account.copied - before.copied, 0)
      let left = isDone ? 0 : state.account.backlog
      if isDone, !isFull { state.account.reset(isTruncated: attempt.mode == .truncate) }
      // One that was asked for says nothing about when the next should be.
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

  /// What the ledger is told.
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

  /// - Parameter target: gives the database; nil once it is gone. It is held for one round at a time only.
  private func run(for target: () -> (any CheckpointTarget)?) {
    // Who asks holds the database, so that it is there to be told.
    defer { while let request = nextRequest() { target()?.refuse(request) } }
    while !isStopped {
      guard let deadline = target().map(round) else { return }
      sleeps.store(true, ordering: .releasing)
      parker.park(deadline: deadline)
      sleeps.store(false, ordering: .releasing)
    }
  }

  /// Does what is to be done now.
  /// - Returns: when to look again at the latest.
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
