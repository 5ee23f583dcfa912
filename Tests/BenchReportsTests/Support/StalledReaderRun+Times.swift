import LatencyMetrics

@testable import BenchResults

/// Times of commits that the driver of that run might have reported.
extension StalledReaderRun {
  /// 1,000 commits of 1 ms each.
  static let commitTimes: CommitTimesSum = {
    var sum = CommitTimesSum()
    let times = CommitTimes(
      writeLaneWait: 300_000_000,
      checkpointWait: 120_000_000,
      begin: 10_000_000,
      block: 200_000_000,
      statements: 150_000_000,
      commit: 400_000_000,
      rest: 50_000_000
    )
    sum.add(times, service: 1_000_000_000, count: 1_000)
    return sum
  }()

  /// Adds waits of each kind to the phase `stall`, each with one second.
  static func addWaits(to run: inout RunResult) {
    run["stall"]["scroll"].laneWait = wait(1, 1, 700_000)
    run["stall"]["import"].writeLaneWait = wait(1, 500_000, 900_000)
    run["stall"].notificationLag = wait(1_000, 2_000_000)
  }

  private static func wait(_ nanoseconds: UInt64...) -> WaitResult {
    var histogram = LatencyHistogram(digits: 2)
    for value in nanoseconds { histogram.record(value) }
    let second = IntervalResult(startNanoseconds: 5_000_000_000, endNanoseconds: 6_000_000_000, histogram)
    return WaitResult(histogram: histogram, intervals: IntervalSeries([second]))
  }
}
