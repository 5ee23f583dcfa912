internal import HarnessPrimitives
internal import Histogram
internal import LatencyMetrics
internal import TestSupport
internal import Testing

/// The histogram compared with the one of the HdrHistogram project, which has the same buckets.
@Suite("A latency histogram compared with the reference implementation", .long)
struct ReferenceHistogramTests {
  private static let hour: UInt64 = 3_600_000_000_000

  private struct Pair {
    var ours: LatencyHistogram
    var reference: Histogram<UInt64>

    init(digits: Int) {
      ours = LatencyHistogram(digits: digits)
      reference = Histogram(
        lowestDiscernibleValue: 1,
        highestTrackableValue: ReferenceHistogramTests.hour,
        numberOfSignificantValueDigits: SignificantDigits(rawValue: Int8(digits)) ?? .three
      )
    }

    mutating func record(_ nanoseconds: UInt64, count: Int = 1) {
      ours.record(nanoseconds, count: count)
      _ = reference.record(nanoseconds, count: UInt64(count))
    }
  }

  private func pairs(seed: UInt64) -> [Pair] {
    var generator = RandomStream(seed: seed)
    return (1...5).flatMap { digits in
      // The reference visits every bucket for each figure, and there are millions of buckets with many digits.
      (digits > 3 ? [.logUniform] : DurationShape.allCases).flatMap { shape in
        (digits > 3 ? [1_000] : [1, 2, 1_000]).map { count in
          var pair = Pair(digits: digits)
          for _ in 0..<count { pair.record(shape.draw(&generator), count: Int(generator.next() % 5) + 1) }
          return pair
        }
      }
    }
  }

  @Test("has the same buckets, counts, percentiles and mean")
  func answers() {
    let seed = Seed.announce(for: "ReferenceHistogramTests/answers")
    for pair in pairs(seed: seed) {
      let (ours, reference) = (pair.ours, pair.reference)
      #expect(ours.count == Int(reference.totalCount))
      #expect(ours.minimum == reference.min && ours.maximum == reference.maxRecorded)
      #expect(ours.recorded.map(\.nanoseconds) == reference.recordedValues().map(\.value), "seed \(seed)")
      #expect(ours.recorded.map(\.count) == reference.recordedValues().map { Int($0.count) }, "seed \(seed)")
      for percentile in ours.digits > 3 ? [50, 99.9] : [0, 0.1, 10, 50, 90, 99, 99.9, 99.99, 100] {
        #expect(ours.value(atPercentile: percentile) == reference.valueAtPercentile(percentile), "seed \(seed)")
      }
      let mean = min(max(reference.mean, Double(reference.min)), Double(reference.maxRecorded))
      #expect(ours.mean == mean, "seed \(seed)")
    }
  }

  @Test("writes the same table of percentiles")
  func percentileDistribution() {
    let seed = Seed.announce(for: "ReferenceHistogramTests/percentileDistribution")
    for pair in pairs(seed: seed) + [Pair(digits: 3)] {
      var expected = ""
      pair.reference.outputPercentileDistribution(to: &expected, outputValueUnitScalingRatio: 1)
      #expect(pair.ours.percentileDistribution == expected, "seed \(seed)")
    }
  }

  @Test("finds the same durations equivalent", arguments: 1...5)
  func equivalentDurations(_ digits: Int) {
    let seed = Seed.announce(for: "ReferenceHistogramTests/equivalentDurations")
    var generator = RandomStream(seed: seed)
    let pair = Pair(digits: digits)
    let ends = (0..<41).flatMap { (power: Int) -> [UInt64] in
      let end: UInt64 = 1 << power
      return [end, end + 1, max(end - 1, 1)]
    }
    for duration in ends + (0..<2_000).map({ _ in DurationShape.logUniform.draw(&generator) }) {
      #expect(pair.ours.equivalentDurations(to: duration) == pair.reference.equivalentRangeForValue(duration))
    }
  }

  @Test("counts long durations whose sum overflows an integer")
  func largeSums() {
    var histogram = LatencyHistogram()
    histogram.record(Self.hour, count: 1 << 40)
    histogram.record(1, count: 1 << 40)
    #expect(histogram.count == 1 << 41)
    #expect(abs(histogram.mean / (Double(Self.hour) / 2) - 1) < 0.001)
    #expect(histogram.percentileDistribution.contains("Total count    = 2199023255552]"))
  }

  @Test("the table ends when the next percentile is the same number")
  func tableOfManyDurations() {
    var histogram = LatencyHistogram()
    histogram.record(1, count: 1 << 60)
    histogram.record(2, count: 1)
    let lines = histogram.percentileDistribution.split(separator: "\n")
    #expect(lines.count < 300)
    #expect(lines.contains { $0.contains("1.000000000000 1152921504606846977") })
  }
}
