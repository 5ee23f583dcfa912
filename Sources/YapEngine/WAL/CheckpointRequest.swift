internal import SQLiteBinding
internal import ThreadingPrimitives

/// A checkpoint that somebody asked for, and waits for on a thread of his own.
final class CheckpointRequest: Sendable {
  let mode: SQLiteCheckpointMode
  /// How long it may wait for readers.
  let longestWaitNanoseconds: UInt64
  private let outcome = Guarded<Result<YapDatabaseCheckpoint, YapDatabaseError>?>(nil)
  private let waiting = Parker()

  init(_ mode: SQLiteCheckpointMode, longestWaitNanoseconds: UInt64) {
    self.mode = mode
    self.longestWaitNanoseconds = longestWaitNanoseconds
  }

  /// To be called once.
  func end(_ result: Result<YapDatabaseCheckpoint, YapDatabaseError>) {
    outcome.withLock { $0 = result }
    waiting.unpark()
  }

  /// Returns when it has ended. To be called once.
  func wait() throws(YapDatabaseError) -> YapDatabaseCheckpoint {
    waiting.park()
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("a checkpoint ended without a result") }
    return try result.get()
  }
}
