internal import Foundation
internal import HarnessPrimitives
internal import LatencyMetrics
internal import TestSupport
internal import Testing

@Suite("A latency histogram", .long)
struct LatencyHistogramTests {
  /// In thousandths of a percent, so that ranks are computed in whole numbers.
  private static let percentiles = [1_000, 25_000, 50_000, 90_000, 95_000, 99_000, 99_900, 99_990, 99_999, 100_000]
  private static let hour: UInt64 = 3_600_000_000_000

  private func histogram(_ durations: some Sequence<UInt64>, digits: Int = 3) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: digits)
    for duration in durations { histogram.record(duration) }
    return histogram
  }

  private func draw(_ count: Int, _ shape: DurationShape, seed: UInt64) -> [UInt64] {
    var generator = RandomStream(seed: seed)
    return (0..<count).map { _ in shape.draw(&generator) }
  }

  /// All figures of a histogram.
  private func answers(_ histogram: LatencyHistogram) -> [Double] {
    let whole = [histogram.digits, histogram.count, Int(histogram.minimum), Int(histogram.maximum)].map { Double($0) }
    let values = Self.percentiles.map { Double(histogram.value(atPercentile: Double($0) / 1000)) }
    return whole + [histogram.mean] + values
      + histogram.recorded.flatMap { [Double($0.nanoseconds), Double($0.count)] }
  }

  @Test("percentiles are at most 0.1 % above those of the sorted durations", arguments: DurationShape.allCases)
  func percentiles(_ shape: DurationShape) {
    let seed = Seed.announce(for: "LatencyHistogramTests/percentiles")
    for count in [1, 2, 10, 999, 20_000] {
      let sorted = draw(count, shape, seed: seed).sorted()
      let histogram = histogram(sorted)
      for percentile in Self.percentiles {
        let rank = (percentile * count + 99_999) / 100_000
        let exact = sorted[max(rank, 1) - 1]
        let found = histogram.value(atPercentile: Double(percentile) / 1000)
        #expect(found >= exact && Double(found) <= Double(exact) * 1.001, "\(percentile) of \(count), seed \(seed)")
      }
      let mean = sorted.reduce(0) { $0 + Double($1) } / Double(count)
      #expect(abs(histogram.mean - mean) <= mean * 0.001, "seed \(seed)")
      #expect(histogram.count == count)
      #expect(histogram.minimum == sorted.first && histogram.maximum == sorted.last)
    }
  }

  @Test("each digit makes percentiles ten times more precise", arguments: 1...5)
  func digits(_ digits: Int) {
    let seed = Seed.announce(for: "LatencyHistogramTests/digits")
    let sorted = draw(2_000, .logUniform, seed: seed).sorted()
    let histogram = histogram(sorted, digits: digits)
    #expect(histogram.digits == digits)
    let bound = 1 + pow(10, -Double(digits))
    for percentile in 1...99 {
      let exact = sorted[percentile * 20 - 1]
      let found = histogram.value(atPercentile: Double(percentile))
      #expect(found >= exact && Double(found) <= Double(exact) * bound, "\(percentile), seed \(seed)")
    }
  }

  @Test("digits out of range are clamped", arguments: [(-1, 1), (0, 1), (6, 5), (Int.max, 5), (Int.min, 1)])
  func clampedDigits(_ digits: Int, _ expected: Int) {
    #expect(LatencyHistogram(digits: digits).digits == expected)
  }

  @Test("a sum is the histogram of the union", arguments: DurationShape.allCases)
  func sum(_ shape: DurationShape) {
    let seed = Seed.announce(for: "LatencyHistogramTests/sum")
    let left = draw(3_000, shape, seed: seed)
    let right = draw(500, .logUniform, seed: seed &+ 1)
    var sum = histogram(left)
    sum.add(histogram(right))
    #expect(answers(sum) == answers(histogram(left + right)), "seed \(seed)")
  }

  @Test("adding an empty histogram changes nothing, and adding to one copies everything")
  func emptySum() {
    let some = histogram([5, 5_000, 5_000_000])
    var left = some
    left.add(LatencyHistogram())
    var right = LatencyHistogram()
    right.add(some)
    #expect(answers(left) == answers(some) && answers(right) == answers(some))
  }

  @Test("all figures of an empty histogram are 0")
  func empty() {
    var histogram = LatencyHistogram()
    #expect(histogram.isEmpty && histogram.digits == 3 && histogram.recorded.isEmpty)
    #expect(answers(histogram).dropFirst().allSatisfy { $0 == 0 })
    histogram.add(LatencyHistogram())
    #expect(histogram.isEmpty)
    histogram.record(7)
    #expect(!histogram.isEmpty)
    histogram.reset()
    #expect(histogram.isEmpty && answers(histogram) == answers(LatencyHistogram()))
  }

  @Test("durations are clamped to the range from 1 ns to 1 h", arguments: 1...5)
  func clamping(_ digits: Int) {
    let histogram = histogram([0, Self.hour + 1, .max], digits: digits)
    #expect(histogram.count == 3)
    #expect(histogram.minimum == 1 && histogram.maximum == Self.hour)
    #expect(histogram.value(atPercentile: 0) == 1 && histogram.value(atPercentile: 100) == Self.hour)
    #expect(LatencyHistogram.highestNanoseconds == Self.hour)
  }

  @Test("percentiles are clamped to 0 and 100", arguments: [(-5, 10), (0, 10), (100, 1_000), (105, 1_000)])
  func beyond(_ percentile: Double, _ expected: UInt64) {
    #expect(histogram([10, 100, 1_000]).value(atPercentile: percentile) == expected)
  }

  @Test("a copy is independent")
  func copy() {
    let first = histogram([1, 2])
    var second = first
    second.record(3)
    #expect(first.count == 2 && second.count == 3)
  }

  @Test("a histogram that is written as JSON and read again has the same figures", arguments: DurationShape.allCases)
  func roundTrip(_ shape: DurationShape) throws {
    let seed = Seed.announce(for: "LatencyHistogramTests/roundTrip")
    for count in [0, 1, 2, 1_000] {
      for digits in [1, 3] {
        let histogram = histogram(draw(count, shape, seed: seed), digits: digits)
        let data = try JSONEncoder().encode(histogram)
        let read = try JSONDecoder().decode(LatencyHistogram.self, from: data)
        #expect(answers(read) == answers(histogram), "\(count) with \(digits) digits, seed \(seed)")
        // Durations in one bucket are the difficult case, because their minimum and maximum are in the same bucket.
        #expect(read.minimum == histogram.minimum && read.maximum == histogram.maximum)
      }
    }
    let narrow = histogram([1_000_000, 1_000_001, 1_000_002])
    let read = try JSONDecoder().decode(LatencyHistogram.self, from: JSONEncoder().encode(narrow))
    #expect(narrow.recorded.count == 1 && answers(read) == answers(narrow))
  }

  @Test("the JSON has digits, values and counts")
  func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(histogram([3, 3, 500_000, 500_001, 500_200])), as: UTF8.self)
    #expect(text == #"{"counts":[2,3],"digits":3,"values":[3,500200]}"#)
  }

  @Test(
    "inconsistent JSON is rejected",
    arguments: [
      #"{"digits":3,"values":[1,2],"counts":[1]}"#, #"{"digits":3,"values":[],"counts":[1]}"#,
      #"{"digits":0,"values":[1],"counts":[1]}"#, #"{"digits":6,"values":[1],"counts":[1]}"#,
      #"{"digits":3,"values":[-1],"counts":[1]}"#, #"{"digits":3,"values":[1],"counts":[-1]}"#,
      #"{"digits":3,"values":[1]}"#, #"{"values":[1],"counts":[1]}"#,
      #"{"digits":3,"values":[1,2],"counts":[18446744073709551615,1]}"#,
      #"{"digits":3,"values":[1],"counts":[9223372036854775808]}"#,
    ]
  )
  func refusal(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LatencyHistogram.self, from: Data(text.utf8))
    }
  }

  @Test("values in JSON are clamped to the range from 1 ns to 1 h, and counts of 0 are ignored")
  func foreignJSON() throws {
    let text = #"{"digits":3,"values":[0,7,18446744073709551615],"counts":[1,0,2]}"#
    let histogram = try JSONDecoder().decode(LatencyHistogram.self, from: Data(text.utf8))
    #expect(histogram.count == 3 && histogram.minimum == 1 && histogram.maximum == Self.hour)
    #expect(histogram.recorded.map(\.count) == [1, 2])
  }
}
