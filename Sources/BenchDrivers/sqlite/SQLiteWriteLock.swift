internal import Foundation
internal import Synchronization
internal import ThreadingPrimitives

/// Who writes, or makes a checkpoint, holds it: so no checkpoint runs beside a commit, which some versions of SQLite do
/// not survive, and nobody sleeps in a busy handler.
final class SQLiteWriteLock: Sendable {
  private let lock = NSLock()
  private let waiting = Atomic<Int>(0)
  private let checkpoints = HoldAccount()

  /// Writers that wait for it.
  var waitingWriters: Int { waiting.load(ordering: .relaxed) }

  /// Runs `body` with the lock held.
  /// - Parameter body: gets how long was waited for it, in nanoseconds, and how much of that for checkpoints.
  func write<Result>(_ body: (_ waited: UInt64, _ behindCheckpoints: UInt64) throws -> Result) rethrows -> Result {
    let (waited, behindCheckpoints) = acquire()
    defer { lock.unlock() }
    return try body(waited, behindCheckpoints)
  }

  private func acquire() -> (waited: UInt64, behindCheckpoints: UInt64) {
    if lock.try() { return (0, 0) }
    let before = checkpoints.nanoseconds
    let began = SQLiteClock.now
    waiting.add(1, ordering: .relaxed)
    lock.lock()
    waiting.subtract(1, ordering: .relaxed)
    let waited = SQLiteClock.now - began
    return (waited, min(checkpoints.nanoseconds - before, waited))
  }

  /// Runs `body`, which makes a checkpoint, with the lock held.
  func checkpoint<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try checkpointInside(body)
  }

  /// Runs `body`, which makes a checkpoint, for whoever holds the lock already.
  func checkpointInside<Result>(_ body: () throws -> Result) rethrows -> Result {
    checkpoints.begin()
    defer { checkpoints.end() }
    return try body()
  }
}
