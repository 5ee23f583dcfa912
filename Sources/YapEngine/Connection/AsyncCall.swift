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

/// A call that a task awaits. Cancelling the task cancels the call, unless the call has begun.
///
///     new ── wait ──▶ waiting ── begin ──▶ running ── end ──▶ ended
///      └─── cancel ──────┴───────────────────────────────────▶ ended
///
/// The first of `begin` and `cancel` decides: a call that has begun runs to its end, and its result is returned.
final class AwaitedCall<Success: Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Void, Never>

  private enum State: Sendable {
    case new
    case waiting(Continuation)
    case running(Continuation)
    case ended(Swift.Result<Success, any Error>)
  }

  private let name: String
  private let connection: String
  private let state = Guarded(State.new)

  /// - Parameters:
  ///   - name: the name of the call in errors.
  ///   - connection: the name of the connection.
  init(_ name: String, connection: String) {
    self.name = name
    self.connection = connection
  }

  /// The result of a call that has ended. The task reads it under the lock of `state`, because the thread sanitizer
  /// does not see how a continuation orders memory.
  var result: Swift.Result<Success, any Error> {
    state.withLock { state in
      guard case .ended(let result) = state else {
        preconditionFailure("a task resumed before its call on connection \"\(connection)\" ended")
      }
      return result
    }
  }

  /// Whether the task waits, and the call has neither begun nor been cancelled.
  var isWaiting: Bool {
    state.withLock { state in
      if case .waiting = state { return true }
      return false
    }
  }

  /// Stores the continuation that resumes the task. Must be called once.
  /// - Returns: false if the call was already cancelled; the continuation has then been resumed.
  func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    let isCancelled = state.withLock { state in
      if case .ended = state { return true }
      state = .waiting(continuation)
      return false
    }
    if isCancelled { continuation.resume() }
    return !isCancelled
  }

  /// Marks the call as running. Must be called right before the first effect that must not follow a cancellation.
  /// - Throws: `cancelled` if the call was cancelled before.
  func begin() throws(YapDatabaseError) {
    let hasBegun = state.withLock { state in
      guard case .waiting(let continuation) = state else { return false }
      state = .running(continuation)
      return true
    }
    if !hasBegun { throw cancelled }
  }

  /// Resumes the task with this result, unless `cancel` has resumed it. May be called before `begin`, for an error.
  func end(with result: Swift.Result<Success, any Error>) {
    let continuation = state.withLock { state -> Continuation? in
      switch state {
      case .waiting(let continuation), .running(let continuation):
        state = .ended(result)
        return continuation
      case .new, .ended: return nil
      }
    }
    continuation?.resume()
  }

  /// Cancels the call and resumes the task immediately, unless the call has begun.
  func cancel() {
    let continuation = state.withLock { state -> Continuation? in
      switch state {
      case .new:
        state = .ended(.failure(cancelled))
        return nil
      case .waiting(let continuation):
        state = .ended(.failure(cancelled))
        return continuation
      case .running, .ended: return nil
      }
    }
    continuation?.resume()
  }

  private var cancelled: YapDatabaseError {
    YapDatabaseError(
      .cancelled,
      "\(name) on connection \"\(connection)\" was cancelled with its task before it began; nothing was stored"
    )
  }
}
