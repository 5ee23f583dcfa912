/// How long the steps of a handle's statements take, while somebody wants to know.
///
/// Its statements hold it too, since they may outlive their handle.
final class StatementClock {
  struct State {
    var isRunning = false
    var nanoseconds: UInt64 = 0
  }

  // A pointer, because the access to a class's property would be checked for exclusivity at each step.
  let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }
}

extension SQLiteHandle {
  /// From now on each step is timed, which takes two readings of the clock.
  public func beginTimingStatements() {
    clock.state.pointee = StatementClock.State(isRunning: true)
  }

  /// - Returns: nanoseconds that steps have taken since `beginTimingStatements`; what was done with a row from one step
  ///   to the next is not in them.
  public func endTimingStatements() -> UInt64 {
    clock.state.pointee.isRunning = false
    return clock.state.pointee.nanoseconds
  }
}
