internal import BenchDrivers
internal import BenchResults
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The time from the write of a commit to the delivery of its notification: for each phase, and for each of its
/// seconds.
final class NotificationLag: Sendable {
  private struct State {
    /// The beginning of the phase: `begunAt` in nanoseconds of the monotonic clock, `start` since the run began.
    var begunAt: UInt64 = 0
    var start: UInt64 = 0
    /// The lags of the phase.
    var lags: LatencyHistogram
    /// The current second of the phase, and the lags of its deliveries.
    var second = 0
    var lagsOfSecond: LatencyHistogram
    /// The seconds that are over.
    var intervals: [IntervalResult] = []

    var interval: IntervalResult? {
      guard !lagsOfSecond.isEmpty else { return nil }
      let start = start + UInt64(second) * ActorTimings.intervalNanoseconds
      return IntervalResult(
        startNanoseconds: start,
        endNanoseconds: start + ActorTimings.intervalNanoseconds,
        lagsOfSecond
      )
    }

    mutating func beginSecond(_ next: Int) {
      if let interval { intervals.append(interval) }
      lagsOfSecond.reset()
      second = next
    }
  }

  private let state: Guarded<State>

  init(digits: Int) {
    let empty = LatencyHistogram(digits: digits)
    state = Guarded(State(lags: empty, lagsOfSecond: empty))
  }

  /// Records the lag of a notification, if the engine reports when its commit was written.
  /// - Parameter now: nanoseconds of the monotonic clock.
  func record(_ notification: CommitNotification, deliveredAt now: UInt64) {
    guard let writtenAt = notification.writtenAt else { return }
    let lag = now - min(writtenAt, now)
    state.withLock { state in
      let second = Int((now - min(now, state.begunAt)) / ActorTimings.intervalNanoseconds)
      // Threads that deliver may overtake each other.
      if second > state.second { state.beginSecond(second) }
      state.lags.record(lag)
      state.lagsOfSecond.record(lag)
    }
  }

  /// The lags since the last `begin`.
  var histogram: LatencyHistogram { state.withLock { $0.lags } }

  /// The lags of each second; the last second may not be over.
  /// - Parameter end: the phase's end, in nanoseconds since the run began; nil while the phase runs.
  func intervals(until end: UInt64?) -> IntervalSeries {
    let intervals = state.withLock { $0.intervals + [$0.interval].compactMap { $0 } }
    guard let end else { return IntervalSeries(intervals) }
    return IntervalSeries(
      intervals.map { interval in
        var interval = interval
        // A second that begins after the end holds late deliveries, and stays whole.
        if interval.startNanoseconds < end { interval.endNanoseconds = min(interval.endNanoseconds, end) }
        return interval
      }
    )
  }

  /// Begins a phase, and drops the lags of the phase before.
  /// - Parameters:
  ///   - start: nanoseconds since the run began.
  ///   - now: the same moment on the monotonic clock.
  func begin(start: UInt64, at now: UInt64) {
    state.withLock { state in
      state.start = start
      state.begunAt = now
      state.lags.reset()
      state.lagsOfSecond.reset()
      state.second = 0
      state.intervals = []
    }
  }
}
