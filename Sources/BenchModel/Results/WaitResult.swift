public import LatencyMetrics

/// How long something inside the engine was waited for in one phase.
public struct WaitResult: Codable, Sendable {
  /// The metric's name: `lane.wait`, `writeLane.wait` or `notification.lag`.
  public var metric: String
  public var phase: String
  /// nil for what belongs to nobody.
  public var actor: String?
  public var histogram: LatencyHistogram

  public init(metric: String, phase: String, actor: String?, histogram: LatencyHistogram) {
    self.metric = metric
    self.phase = phase
    self.actor = actor
    self.histogram = histogram
  }
}

/// One second of such a wait. A second in which nothing was waited for has none.
public struct WaitIntervalResult: Codable, Sendable, Equatable {
  /// As in `WaitResult`.
  public var metric: String
  public var phase: String
  /// nil for what belongs to nobody.
  public var actor: String?
  public var endNanoseconds: UInt64
  public var count: Int
  public var p50Nanoseconds: UInt64
  public var p99Nanoseconds: UInt64
  public var maximumNanoseconds: UInt64

  /// - Parameter histogram: the waits that ended in this second.
  public init(metric: String, phase: String, actor: String?, endNanoseconds: UInt64, _ histogram: LatencyHistogram) {
    self.init(metric: metric, phase: phase, actor: actor)
    self.endNanoseconds = endNanoseconds
    count = histogram.count
    p50Nanoseconds = histogram.value(atPercentile: 50)
    p99Nanoseconds = histogram.value(atPercentile: 99)
    maximumNanoseconds = histogram.maximum
  }

  /// One whose figures are still to be set.
  init(metric: String, phase: String, actor: String?) {
    self.metric = metric
    self.phase = phase
    self.actor = actor
    endNanoseconds = 0
    count = 0
    p50Nanoseconds = 0
    p99Nanoseconds = 0
    maximumNanoseconds = 0
  }
}
