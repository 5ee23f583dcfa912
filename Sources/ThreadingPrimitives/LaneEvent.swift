/// An event that happens once and that ends waits for a lane before their turn.
public final class LaneEvent: Sendable {
  private struct State {
    var hasHappened = false
    var waiting: [Parker] = []
  }

  private let state = Guarded(State())

  public init() {}

  public var hasHappened: Bool { state.withLock { $0.hasHappened } }

  /// Makes the event happen. Writes before this call are visible to every thread that observes `hasHappened`.
  public func happen() {
    let waiting = state.withLock { state in
      state.hasHappened = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for parker in waiting { parker.unpark() }
  }

  /// Registers `parker`, which is woken when the event happens.
  /// - Returns: false if the event has already happened.
  func wakes(_ parker: Parker) -> Bool {
    state.withLock { state in
      if !state.hasHappened { state.waiting.append(parker) }
      return !state.hasHappened
    }
  }
}
