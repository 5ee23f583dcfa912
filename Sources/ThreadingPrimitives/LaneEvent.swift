/// Something that happens once, and that ends waits for a lane before their turn.
public final class LaneEvent: Sendable {
  private struct State {
    var hasHappened = false
    var waiting: [Parker] = []
  }

  private let state = Guarded(State())

  public init() {}

  public var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// What was done before is seen by everybody who finds that it has happened.
  public func happen() {
    let waiting = state.withLock { state in
      state.hasHappened = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for parker in waiting { parker.unpark() }
  }

  /// From now on `parker` is woken when it happens.
  /// - Returns: false if it has happened before.
  func wakes(_ parker: Parker) -> Bool {
    state.withLock { state in
      if !state.hasHappened { state.waiting.append(parker) }
      return !state.hasHappened
    }
  }
}
