internal import Foundation
internal import Synchronization
internal import ThreadingPrimitives

/// The lock of a database's writers. It is acquired before the engine's own lock, so that the wait can be measured.
///
/// Checkpoints of SQLite also run under it: some versions of SQLite can lose commits that run beside a checkpoint.
final class WriteLock: Sendable {
  private let lock = NSLock()
  private let waiting = Atomic<Int>(0)
  private let checkpoints = HoldAccount()

  /// The number of writers that are waiting for the lock.
  var waitingWriters: Int { waiting.load(ordering: .relaxed) }

  /// Runs `body` under the lock.
  /// - Parameter body: Called with the time waited for the lock, and the part of it spent waiting for checkpoints, in
  ///   nanoseconds.
  func write<Result>(_ body: (_ waited: UInt64, _ behindCheckpoints: UInt64) throws -> Result) rethrows -> Result {
    let (waited, behindCheckpoints) = acquire()
    defer { lock.unlock() }
    return try body(waited, behindCheckpoints)
  }

  private func acquire() -> (waited: UInt64, behindCheckpoints: UInt64) {
    if lock.try() { return (0, 0) }
    let before = checkpoints.nanoseconds
    let began = MonotonicClock.now
    waiting.add(1, ordering: .relaxed)
    lock.lock()
    waiting.subtract(1, ordering: .relaxed)
    let waited = MonotonicClock.now - began
    return (waited, min(checkpoints.nanoseconds - before, waited))
  }

  /// Runs `body`, which makes a checkpoint, under the lock.
  func checkpoint<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try checkpointInside(body)
  }

  /// Runs `body`, which makes a checkpoint. Must be called with the lock held.
  func checkpointInside<Result>(_ body: () throws -> Result) rethrows -> Result {
    checkpoints.begin()
    defer { checkpoints.end() }
    return try body()
  }
}
