/// For how long one kind of holder has had a lane, all times together.
///
/// Who waits for the lane asks before and after: the difference is what it has waited for that kind of holder. Nobody
/// has to ask who does not wait. The clock is read with the lock held, so that no answer is less than an earlier one.
public final class HoldAccount: Sendable {
  private struct State {
    var ended: UInt64 = 0
    var since: UInt64?
  }

  private let state = Guarded(State())

  public init() {}

  /// To be called by the holder, which has just got the lane.
  public func begin() {
    state.withLock { $0.since = MonotonicClock.now }
  }

  /// To be called by the holder before it gives the lane back, so that whoever gets it next finds all of it.
  public func end() {
    state.withLock { state in
      if let since = state.since { state.ended += MonotonicClock.now - since }
      state.since = nil
    }
  }

  /// Nanoseconds until now.
  public var nanoseconds: UInt64 {
    state.withLock { state in state.ended + (state.since.map { MonotonicClock.now - $0 } ?? 0) }
  }
}
