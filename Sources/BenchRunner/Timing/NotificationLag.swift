internal import BenchDrivers
internal import LatencyMetrics
internal import ThreadingPrimitives

/// How long after a commit was written its notification was delivered, phase by phase.
final class NotificationLag: Sendable {
  private let digits: Int
  private let lags: Guarded<LatencyHistogram>

  init(digits: Int) {
    self.digits = digits
    lags = Guarded(LatencyHistogram(digits: digits))
  }

  /// To be called at the delivery.
  /// - Parameter now: nanoseconds of the monotonic clock.
  func delivered(_ news: CommitNews, at now: UInt64) {
    guard let writtenAt = news.writtenAt else { return }
    lags.withLock { $0.record(now - min(writtenAt, now)) }
  }

  /// Those since the last `begin`.
  var histogram: LatencyHistogram {
    lags.withLock { lags in
      // With a histogram that shares its memory, the next record would have to copy it.
      var copy = LatencyHistogram(digits: digits)
      copy.add(lags)
      return copy
    }
  }

  /// A phase begins.
  func begin() { lags.withLock { $0.reset() } }
}
