internal import Dispatch
internal import ThreadingPrimitives

/// An asynchronous call of a client, which reports its outcome.
struct AsyncCall: Sendable {
  /// The name of the called function, such as "asyncReadWrite".
  let name: String
  /// The name of the connection.
  let connection: String
  let database: YapDatabase
  /// The queue on which the completion runs; nil for the database's notification queue.
  let completionQueue: DispatchQueue?

  /// Passes the outcome to the completion. Without a completion, a failure goes to the database's failure handler.
  /// - Parameters:
  ///   - outcome: passed to the completion.
  ///   - failure: the error that ended the call, if any.
  func end<Outcome: Sendable>(_ outcome: Outcome, failure: (any Error)?, _ completion: (@Sendable (Outcome) -> Void)?) {
    if let completion {
      (completionQueue ?? database.notificationQueue).async { completion(outcome) }
    } else {
      reportUnreceived(failure)
    }
  }

  /// Reports a failure to the database's failure handler, because no completion receives it.
  func reportUnreceived(_ failure: (any Error)?) {
    guard let failure else { return }
    let report = YapDatabaseAsyncFailure(call: name, connection: connection, error: failure)
    database.asyncFailures.report(report, on: database.notificationQueue)
  }

  /// Reports the end of a call whose completion receives only the error.
  func end(_ failure: (any Error)?, _ completion: (@Sendable ((any Error)?) -> Void)?) {
    end(failure, failure: failure, completion)
  }
}

/// A call that a task awaits. It is the executor of the task while the call runs: the task waits for the connection's
/// lane, and continues on one of the database's threads with the lane held. Therefore the block has the task's
/// cancellation, priority and task-local values. Cancelling the task cancels the call, unless the block has begun.
///
///     new ── enqueue ──▶ waiting ── take ──▶ running ── begin ──▶ begun
///      │                    │                   │
///      └───── refuse ───────┴───── refuse ──────┴──────────────▶ refused
///
/// The first of `begin` and `refuse` decides. A task that is refused while it waits continues at once on another
/// executor, and never waits for the lane.
final class AwaitedCall<Success: Sendable>: TaskExecutor {
  private enum State: Sendable {
    case new
    case waiting(UnownedJob)
    case running
    case begun
    case refused(YapDatabaseError)

    /// Whether the call can no longer be refused.
    var isFinal: Bool {
      switch self {
      case .new, .waiting, .running: false
      case .begun, .refused: true
      }
    }
  }

  private struct Progress: Sendable {
    var state = State.new
    var result: Result<Success, any Error>?
  }

  private let name: String
  private let connection: YapDatabaseConnection
  private let share: WorkerPool.Share
  private let state = Guarded(Progress())
  /// Happens when the call is refused, and ends its wait for the write lane; nil for calls that do not write.
  let refusal: LaneEvent?

  /// - Parameters:
  ///   - name: the name of the call in errors.
  ///   - writes: whether the call waits for the write lane.
  init(_ name: String, on connection: YapDatabaseConnection, writes: Bool) {
    self.name = name
    self.connection = connection
    share = writes ? .half : .all
    refusal = writes ? LaneEvent() : nil
  }

  /// The result of the call, after `perform` has returned. Stored under the lock, because the thread sanitizer does not
  /// see how a task orders memory.
  var result: Result<Success, any Error> {
    state.withLock { state in
      guard let result = state.result else {
        preconditionFailure("\(name) on connection \"\(connection.name)\" has ended without a result")
      }
      return result
    }
  }

  // MARK: The executor

  /// Queues the task's job, which calls `perform`, on the connection's lane.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mayWait = state.withLock { state in
      guard case .new = state.state else { return false }
      state.state = .waiting(job)
      return true
    }
    guard mayWait else { return globalConcurrentExecutor.enqueue(job) }
    connection.lane.enqueue(occupying: share) { [self] error in
      if let error { return refuse(YapDatabaseError(error)) }
      if let job = take() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  /// Returns the task's job, which is about to run; nil if the call has been refused.
  private func take() -> UnownedJob? {
    state.withLock { state in
      guard case .waiting(let job) = state.state else { return nil }
      state.state = .running
      return job
    }
  }

  // MARK: The call

  /// Runs the call and stores its result, or the error with which it was refused. Called by the task.
  /// - Parameter body: runs with the lane held, and calls `begin`.
  func perform(_ body: (AwaitedCall) throws -> Success) {
    let refused: YapDatabaseError? = state.withLock { state in
      switch state.state {
      case .refused(let error): return error
      case .running: return nil
      case .new, .waiting, .begun: preconditionFailure("\(name) on connection \"\(connection.name)\" runs out of turn")
      }
    }
    let result = Result {
      if let refused { throw refused }
      try connection.checkMayRun()
      return try body(self)
    }
    state.withLock { $0.result = result }
  }

  /// Marks the block as begun. Must be called right before the first effect that must not follow a cancellation.
  /// - Throws: `cancelled` if the call was cancelled before.
  func begin() throws(YapDatabaseError) {
    let refused: YapDatabaseError? = state.withLock { state in
      if case .refused(let error) = state.state { return error }
      state.state = .begun
      return nil
    }
    if let refused { throw refused }
  }

  /// Cancels the call, unless its block has begun.
  func cancel() { refuse(.cancelled(name, connection: connection.name)) }

  private func refuse(_ error: YapDatabaseError) {
    let (isRefused, job): (Bool, UnownedJob?) = state.withLock { state in
      defer { if !state.state.isFinal { state.state = .refused(error) } }
      if case .waiting(let job) = state.state { return (true, job) }
      return (!state.state.isFinal, nil)
    }
    if let job { globalConcurrentExecutor.enqueue(job) }
    if isRefused { refusal?.happen() }
  }
}
