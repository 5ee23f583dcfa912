internal import ThreadingPrimitives

/// The thread that makes checkpoints, and sweeps idle connections when no checkpoint is due.
///
/// It must be the only checkpointer of the file: the proof that a checkpoint beside commits is safe (`GuardReader`)
/// depends on it.
final class Checkpointer: Sendable {
  /// The interval at which idle connections are swept while a connection has commits left to follow.
  private static let sweepNanoseconds: UInt64 = 100_000_000
  /// The longest sleep of the thread. It bounds the time until the next sweep of idle connections if no event wakes the
  /// thread.
  private static let longestSleepNanoseconds: UInt64 = 1_000_000_000

  let state: CheckpointState
  let signals = CheckpointerSignals()
  let pacing = WriterPacing()
  private let guardReader: GuardReader?
  private let path: String
  private let checkpointsAlways: Bool
  private let thread = Guarded<WorkerThread?>(nil)
  private let threadToken = Guarded(ThreadToken.none)

  /// - Parameters:
  ///   - file: The file in its state at open; nothing has been committed since.
  ///   - framesAtOpen: The number of frames in the WAL at open.
  init(file: OpenedFile, framesAtOpen: Int, options: YapDatabaseOptions) throws {
    path = file.owned.path
    state = CheckpointState(
      framesAtOpen: framesAtOpen,
      snapshot: file.snapshot,
      pageSize: file.pageSize,
      options: options
    )
    guardReader = options.isReadOnly ? nil : try GuardReader(file: file, options: options)
    checkpointsAlways = TestHooks.areBuiltIn && options.testHooks.checkpointsAlways
  }

  /// Starts the thread, unless the database is only read. The thread retains the database for one round at a time.
  /// - Throws: `noThread`.
  func start(for database: YapDatabase) throws(YapDatabaseError) {
    guard guardReader != nil else { return }
    let started: WorkerThread
    do {
      started = try WorkerThread(name: "yap-checkpoint") { [weak database] in
        self.threadToken.withLock { $0 = .current }
        self.run { database }
      }
    } catch { throw YapDatabaseError(error) }
    thread.withLock { $0 = started }
  }

  /// Ends the thread and waits for its end. If called on the thread itself, it does not wait.
  func stop() {
    signals.askToStop()
    let running = thread.withLock { $0.take() }
    if threadToken.withLock({ $0 }) == .current { running?.detach() } else { running?.join() }
  }

  /// Closes the guard's handles. Must be called after `stop()`.
  func closeHandles() throws { try guardReader?.close() }

  /// Makes a checkpoint for the caller, and returns when it has ended. Must not be called inside a transaction.
  func make(_ request: CheckpointRequest) throws(YapDatabaseError) -> YapDatabaseCheckpoint {
    guard signals.enqueue(request) else { throw .closedBeforeCheckpoint(of: path) }
    return try request.wait()
  }

  /// Records a written commit, and wakes the thread if the backlog or the length of the WAL has reached its threshold.
  /// Must be called with the write lane held.
  /// - Parameters:
  ///   - writer: The writer that has written it.
  ///   - wasCopied: Whether the whole WAL was known to be copied before the commit.
  /// - Returns: The position of the commit's end in the WAL.
  func recordCommit(by writer: Writer, wasCopied: Bool, at now: UInt64) -> WALPosition {
    let (position, wakes) = state.recordCommit(by: writer, wasCopied: wasCopied, at: now)
    if wakes { signals.wake() }
    return position
  }

  /// - Parameter database: Returns the database; nil if it no longer exists.
  private func run(for database: () -> YapDatabase?) {
    defer { while let request = signals.nextRequest() { request.end(.failure(.closedBeforeCheckpoint(of: path))) } }
    while !signals.isStopped {
      guard let deadline = database().map(round) else { return }
      signals.sleep(until: deadline)
    }
  }

  /// Makes the requested checkpoints, then the checkpoint or reset that is due; if none is, sweeps idle connections.
  /// - Returns: The latest time at which the next round must begin.
  private func round(_ database: YapDatabase) -> UInt64 {
    guard let guardReader else { preconditionFailure("\(path) is only read, and has no checkpointer") }
    let execution = CheckpointExecution(database: database, state: state, signals: signals, guardReader: guardReader)
    while let request = signals.nextRequest() { execution.perform(request) }
    signals.watchPins()
    execution.releaseOldSnapshots()
    let pin = execution.oldestPin()
    let blocker = execution.condition(of: state.blocker)
    let now = MonotonicClock.now
    let (decision, isBlockedByPin) = state.decide(at: now, oldestPin: pin?.position, blocker: blocker)
    signals.watchPins(if: isBlockedByPin)
    switch decision {
    case .checkpoint(let cause):
      execution.performCheckpoint(cause)
      return now
    case .reset:
      execution.resetWAL()
      return now
    case .idle, .wait:
      if checkpointsAlways {
        execution.performCheckpoint(.interval)
        return now
      }
    }
    let isEverythingFollowed = database.sweepIdleConnections()
    var deadline = isEverythingFollowed ? now + Self.longestSleepNanoseconds : now + Self.sweepNanoseconds
    if case .wait(let until) = decision { deadline = min(deadline, until) }
    return deadline
  }
}
