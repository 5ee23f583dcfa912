internal import SQLiteBinding
internal import ThreadingPrimitives

/// A checkpoint that a caller has requested. The caller waits for it on its own thread.
final class CheckpointRequest: Sendable {
  let mode: SQLiteCheckpointMode
  /// The longest time for which the checkpoint may wait for readers.
  let longestWaitNanoseconds: UInt64
  private let outcome = Guarded<Result<YapDatabaseCheckpoint, YapDatabaseError>?>(nil)
  private let waiting = Parker()

  init(_ mode: YapDatabaseCheckpoint.Mode, longestWaitNanoseconds: UInt64) {
    self.mode = mode.sqlite
    self.longestWaitNanoseconds = longestWaitNanoseconds
  }

  /// Ends the request with its result. Must be called once.
  func end(_ result: Result<YapDatabaseCheckpoint, YapDatabaseError>) {
    outcome.withLock { $0 = result }
    waiting.unpark()
  }

  /// Waits until the checkpoint has ended, and returns its result. Must be called once.
  func wait() throws(YapDatabaseError) -> YapDatabaseCheckpoint {
    waiting.park()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("a checkpoint ended without a result") }
    return try result.get()
  }
}

extension CheckpointExecution {
  /// Makes a checkpoint for a waiting caller.
  func perform(_ request: CheckpointRequest) {
    let last = state.withLedger { $0.count }
    if request.mode == .passive {
      performCheckpoint(.call)
    } else {
      resetWAL(request.mode, cause: .call) { _, _ in request.longestWaitNanoseconds }
    }
    let (made, failure) = state.withLedger { ($0.entries(after: last).last, $0.lastFailure) }
    guard let made else {
      return request.end(.failure(.closedBeforeCheckpoint(of: database.path)))
    }
    guard made.outcome == .failed else { return request.end(.success(made)) }
    let error = YapDatabaseError(
      .storage,
      "a checkpoint (\(made.mode)) of \(database.path) failed: \(failure ?? "SQLite did not say why"); nothing is "
        + "lost, since all of it is in the WAL still: look after the disk and try again"
    )
    request.end(.failure(database.damage ?? error))
  }
}

extension YapDatabaseError {
  static func closedBeforeCheckpoint(of path: String) -> YapDatabaseError {
    YapDatabaseError(.closed, "\(path) was closed before the checkpoint: open it again with a new YapDatabase")
  }
}

extension YapDatabaseCheckpoint.Mode {
  fileprivate var sqlite: SQLiteCheckpointMode {
    switch self {
    case .passive: .passive
    case .full: .full
    case .restart: .restart
    case .truncate: .truncate
    }
  }
}
