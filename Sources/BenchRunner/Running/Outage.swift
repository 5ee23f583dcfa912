internal import ThreadingPrimitives

/// Keeps the workers out of the engine while its process is away, and waits until the last worker has left it.
///
/// Only a run that ends the engine's process has an `Outage`, because counting the workers takes a lock.
final class Outage: Sendable {
  private struct State {
    var isAway = false
    var inside = 0
    var restarts = 0
  }

  private static let pollNanoseconds: UInt64 = 200_000

  private let state = Guarded(State())

  var isAway: Bool { state.withLock { $0.isAway } }
  /// The number of restarts of the engine's process. Each one loses all bookmarks.
  var restarts: Int { state.withLock { $0.restarts } }

  // MARK: Workers

  /// Waits while the engine is away. A worker that has entered must call `leave()`.
  /// - Parameter isOver: ends the wait if it returns true.
  /// - Returns: whether the worker has entered.
  func enter(unless isOver: () -> Bool) -> Bool {
    while true {
      let isIn = state.withLock { state in
        if !state.isAway { state.inside += 1 }
        return !state.isAway
      }
      if isIn { return true }
      if isOver() { return false }
      Self.rest()
    }
  }

  func leave() { state.withLock { $0.inside -= 1 } }

  /// Waits while the engine is away.
  func waitForReturn(unless isOver: () -> Bool) {
    while isAway, !isOver() { Self.rest() }
  }

  // MARK: The thread that ends the process

  /// Keeps workers from entering from now on.
  func begin() { state.withLock { $0.isAway = true } }

  func waitUntilEmpty() {
    while state.withLock({ $0.inside > 0 }) { Self.rest() }
  }

  func end() {
    state.withLock { state in
      state.isAway = false
      state.restarts += 1
    }
  }

  private static func rest() { MonotonicClock.sleep(until: MonotonicClock.now + pollNanoseconds) }
}
