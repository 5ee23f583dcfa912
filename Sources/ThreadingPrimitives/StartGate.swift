internal import Synchronization

/// Blocks threads until the gate opens, so that they start together and not in the order of their creation.
public final class StartGate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [Parker] = []
  }

  private let state = Guarded(State())

  public init() {}

  /// Waits until the gate is open.
  /// - Returns: Whether the gate was closed at the time of the call.
  @discardableResult
  public func wait() -> Bool {
    let parker: Parker? = state.withLock { state in
      if state.isOpen { return nil }
      let parker = Parker()
      state.waiting.append(parker)
      return parker
    }
    parker?.park()
    return parker != nil
  }

  /// Releases all waiting threads. Later calls of `wait` return immediately.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for parker in waiting { parker.unpark() }
  }
}
