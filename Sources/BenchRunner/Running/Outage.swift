internal import ThreadingPrimitives

/// Keeps the workers out of the engine while its process is away, and tells when nobody is inside any more.
///
/// Only a run that ends the engine's process has one: who comes and goes is counted with a lock.
final class Outage: Sendable {
  private struct State {
    var isAway = false
    var inside = 0
    /// How often the engine has come back.
    var returns = 0
  }

  private static let pollNanoseconds: UInt64 = 200_000

  private let state = Guarded(State())

  var isAway: Bool { state.withLock { $0.isAway } }
  /// How often the engine has come back. Who has a bookmark asks, because it is lost then.
  var returns: Int { state.withLock { $0.returns } }

  // MARK: Workers

  /// Waits while the engine is away. Who has come in leaves again.
  /// - Parameter isOver: ends the wait.
  /// - Returns: whether the worker is in.
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

  // MARK: Who ends the process

  /// From now on nobody comes in.
  func begin() { state.withLock { $0.isAway = true } }

  func waitUntilEmpty() {
    while state.withLock({ $0.inside > 0 }) { Self.rest() }
  }

  func end() {
    state.withLock { state in
      state.isAway = false
      state.returns += 1
    }
  }

  private static func rest() { MonotonicClock.sleep(until: MonotonicClock.now + pollNanoseconds) }
}
