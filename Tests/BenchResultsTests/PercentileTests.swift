import LatencyMetrics
import Testing

@testable import BenchResults

@Suite("Percentiles") struct PercentileTests {
  @Test(
    arguments: zip(Percentile.all, [("p50", 2), ("p90", 10), ("p95", 20), ("p99", 100), ("p99.9", 1_000)])
      + [(Percentile.p9999, ("p99.99", 10_000))]
  )
  func `one is valid if a value lies beyond it`(percentile: Percentile, expected: (name: String, count: Int)) {
    #expect(percentile.name == expected.name && percentile.fewestValues == expected.count)
    #expect(percentile.isValid(of: expected.count) && !percentile.isValid(of: expected.count - 1))
    #expect(percentile.valuesBeyond(of: 100 * expected.count) == 100)
    var histogram = LatencyHistogram()
    for duration in 1..<expected.count { histogram.record(UInt64(duration)) }
    let values = (1...expected.count).map(Double.init).shuffled()
    #expect(histogram.value(at: percentile) == nil && values.dropLast().value(at: percentile) == nil)
    histogram.record(UInt64(expected.count))
    #expect(histogram.value(at: percentile) == histogram.value(atPercentile: percentile.percent))
    #expect(values.value(at: percentile) == Double(expected.count - 1))
  }

  @Test func `aggregates of expectations are the same percentiles`() {
    #expect(Aggregate.percentiles.map { $0.percentile?.name } == ["p50", "p90", "p95", "p99", "p99.9", "p99.99"])
    #expect(Aggregate.allCases.filter { $0.percentile == nil } == [.min, .mean, .max, .last, .sum])
  }
}

@Suite("The median") struct MedianTests {
  @Test(arguments: [([3], 3), ([3, 1, 2], 2), ([10, 1, 3, 2], 2.5), ([1, 1, 9], 1)] as [([Double], Double)])
  func `it is the middle value, or the mean of the middle two`(values: [Double], median: Double) {
    #expect(values.median == median)
  }
}
