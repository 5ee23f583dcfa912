internal import SQLiteBinding
internal import ThreadingPrimitives

/// A checkpoint that a caller has requested. The caller waits for it on its own thread.
final class CheckpointRequest: Sendable {
  let mode: SQLiteCheckpointMode
  /// The longest time for which the checkpoint may wait for readers.
  let longestWaitNanoseconds: UInt64
  private let outcome = Guarded<Result<YapDatabaseCheckpoint, YapDatabaseError>?>(nil)
  private let waiting = Parker()

  init(_ mode: SQLiteCheckpointMode, longestWaitNanoseconds: UInt64) {
    self.mode = mode
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
