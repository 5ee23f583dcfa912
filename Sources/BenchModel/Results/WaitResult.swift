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
