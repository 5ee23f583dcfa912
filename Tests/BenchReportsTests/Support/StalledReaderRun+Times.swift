import BenchModel
import LatencyMetrics

/// What the driver of that run might have told of its commits.
extension StalledReaderRun {
  /// 1,000 commits of 1 ms each.
  static let commitTimes = CommitTimesResult(
    phase: "stall",
    actor: "import",
    count: 1_000,
    service: 1_000_000_000,
    times: CommitTimes(
      writeLaneWait: 300_000_000,
      checkpointWait: 120_000_000,
      begin: 10_000_000,
      block: 200_000_000,
      statements: 150_000_000,
      commit: 400_000_000,
      rest: 50_000_000
    )
  )

  static let waits = [
    wait(.laneWait, "scroll", 1, 1, 700_000),
    wait(.writeLaneWait, "import", 1, 500_000, 900_000),
    wait(.notificationLag, nil, 1_000, 2_000_000),
  ]

  private static func wait(_ metric: Metric, _ actor: String?, _ nanoseconds: UInt64...) -> WaitResult {
    var histogram = LatencyHistogram(digits: 2)
    for value in nanoseconds { histogram.record(value) }
    return WaitResult(metric: metric.rawValue, phase: "stall", actor: actor, histogram: histogram)
  }
}
