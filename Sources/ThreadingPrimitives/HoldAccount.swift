/// The total time for which one kind of holder has held a lane.
///
/// A thread that waits for the lane reads the total before and after: the difference is its wait for that kind of
/// holder. A thread that acquires the lane without waiting need not read the total. The clock is read under the
/// account's lock, so the total never decreases.
public final class HoldAccount: Sendable {
  private struct State {
    var ended: UInt64 = 0
    var since: UInt64?
  }

  private let state = Guarded(State())

  public init() {}

  /// Must be called by the holder after it has acquired the lane.
  public func begin() {
    state.withLock { $0.since = MonotonicClock.now }
  }

  /// Must be called by the holder before it releases the lane, so that the next holder reads the complete time.
  public func end() {
    state.withLock { state in
      if let since = state.since { state.ended += MonotonicClock.now - since }
      state.since = nil
    }
  }

  /// The total in nanoseconds, up to now.
  public var nanoseconds: UInt64 {
    state.withLock { state in state.ended + (state.since.map { MonotonicClock.now - $0 } ?? 0) }
  }
}
