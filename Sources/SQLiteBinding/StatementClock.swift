/// Measures the duration of the steps of a handle's statements while timing is switched on.
///
/// The statements retain it too, since they may outlive their handle.
final class StatementClock {
  struct State {
    var isRunning = false
    var nanoseconds: UInt64 = 0
  }

  // A pointer, because access to a class's property would be checked for exclusivity at each step.
  let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }
}

extension SQLiteHandle {
  /// Begins timing each step, which takes two clock readings per step.
  public func beginTimingStatements() {
    clock.state.pointee = StatementClock.State(isRunning: true)
  }

  /// - Returns: The nanoseconds that steps have taken since `beginTimingStatements`. The time between steps, in which
  ///   rows are processed, is not included.
  public func endTimingStatements() -> UInt64 {
    clock.state.pointee.isRunning = false
    return clock.state.pointee.nanoseconds
  }
}
