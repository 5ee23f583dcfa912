internal import Synchronization
internal import ThreadingPrimitives

/// What the checkpointer needs of the database, so that each can be read without the other.
protocol CheckpointTarget: AnyObject, Sendable {
  /// The oldest pinned snapshot's place in the WAL, and the name of the connection that pins it.
  func oldestPin() -> (position: WALPosition, connection: String)?
  /// Makes one checkpoint on the writer's handle, with the write lane held.
  func performCheckpoint(_ cause: CheckpointPlanner.Cause)
  /// Brings idle connections up to date, so that commits that all have passed are let go.
  /// - Returns: whether every connection has followed every commit.
  func sweepIdleConnections() -> Bool
}

/// The one thread that makes checkpoints, and tidies up when nothing else is to do.
///
/// Checkpoints hold the write lane. SQLite up to 3.51.2 can lose commits when a checkpoint runs beside a commit that
/// writes the WAL from its beginning again; here the two never overlap, whatever the version.
final class Checkpointer: Sendable {
  private struct State {
    var account: WALAccount
    var planner: CheckpointPlanner
    var ledger = CheckpointLedger()
    /// The thread sleeps, and a commit wakes it only if it leaves at least so many frames to copy.
    var wakeAtBacklog = Int.max
    var isStopped = false
  }

  /// How often idle connections are swept while commits come in.
  private static let sweepNanoseconds: UInt64 = 100_000_000
  /// How long the thread sleeps when nothing is to do. It is woken; this only bounds how long a database that nobody
  /// closed outlives its last user.
  private static let longestSleepNanoseconds: UInt64 = 1_000_000_000

  private let state: Guarded<State>
  private let parker = Parker()
  /// A pinned snapshot stands in the way, and the thread has to be woken when it moves.
  private let isBlockedByPin = Atomic<Bool>(false)
  private let thread = Guarded<WorkerThread?>(nil)
  private let threadToken = Guarded(ThreadToken.none)

  init(framesAtOpen: Int, mode: YapDatabaseOptions.Checkpointing) {
    let planner = CheckpointPlanner(mode: mode, framesAtOpen: framesAtOpen)
    state = Guarded(State(account: WALAccount(frames: framesAtOpen), planner: planner))
  }

  var account: WALAccount { state.withLock { $0.account } }

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
      let wakes = state.account.backlog >= state.wakeAtBacklog
      if wakes { state.wakeAtBacklog = .max }
      return (position, wakes)
    }
    if wakes { parker.unpark() }
    return position
  }

  /// The oldest pinned snapshot is now a later one.
  func oldestPinMoved() {
    if isBlockedByPin.exchange(false, ordering: .acquiringAndReleasing) { parker.unpark() }
  }

  /// What a checkpoint did. Called with the write lane held.
  func checkpointed(_ attempt: CheckpointAttempt, at now: UInt64) {
    state.withLock { state in
      let copiedBefore = state.account.copied
      if let frames = attempt.framesInWAL, let copied = attempt.framesCopied {
        state.account.checkpointed(framesInWAL: frames, copied: copied)
      }
      state.planner.tried(at: now, expected: attempt.expectedFrame, copied: attempt.framesCopied)
      state.ledger.append(attempt, account: state.account, copiedBefore: copiedBefore)
    }
  }

  /// - Parameter target: gives the database; nil once it is gone. It is held for one round at a time only.
  private func run(for target: () -> (any CheckpointTarget)?) {
    while !state.withLock({ $0.isStopped }) {
      guard let deadline = target().map(round) else { return }
      parker.park(deadline: deadline)
    }
  }

  /// Does what is to be done now.
  /// - Returns: when to look again at the latest.
  private func round(_ target: any CheckpointTarget) -> UInt64 {
    // Raised before the pins are looked at, so that one that moves meanwhile is not missed.
    isBlockedByPin.store(true, ordering: .sequentiallyConsistent)
    let pin = target.oldestPin()
    let now = MonotonicClock.now
    let decision = state.withLock { state in
      let decision = state.planner.decide(at: now, account: state.account, oldestPin: pin?.position)
      let held = state.account.frames - state.account.copyableFrame(oldestPin: pin?.position)
      state.wakeAtBacklog = state.planner.backlogWorthWaking(decision, account: state.account, heldByPin: held)
      isBlockedByPin.store(held > 0, ordering: .relaxed)
      return decision
    }
    if case .checkpoint(let cause) = decision {
      target.performCheckpoint(cause)
      return now
    }
    let isEverythingFollowed = target.sweepIdleConnections()
    var deadline = isEverythingFollowed ? now + Self.longestSleepNanoseconds : now + Self.sweepNanoseconds
    if case .wait(let until) = decision { deadline = min(deadline, until) }
    return deadline
  }
}
