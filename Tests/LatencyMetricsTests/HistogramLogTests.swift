import HarnessPrimitives
import TestSupport
import Testing

@testable import LatencyMetrics

struct HistogramLogTests {
  /// A line of `jHiccup-2.0.7S.logV2.hlog`, which HdrHistogram for Java publishes with its tests. It has 2 digits, and
  /// values in units of 16,384 ns. HdrHistogram for Python decodes it to the same counts.
  private static let published =
    "HISTFAAAAEB42pNpmSzMwMAgxwABTBDKT4GBgdnNYMcCBvsPUBk2AT4eCQURHgkuEREOHjERlSQhhWuMSV9Y7ERYWAAa4gko"
  private static let publishedCounts = [
    1: 3, 2: 8, 3: 7, 4: 6, 5: 12, 6: 16, 7: 10, 8: 6, 9: 12, 10: 5, 11: 10, 12: 10, 13: 4, 14: 6, 15: 11, 16: 10,
    17: 18, 18: 49, 19: 9, 20: 16, 21: 107, 22: 49, 23: 314, 24: 31, 25: 10, 26: 2, 27: 2,
  ]

  @Test func `The decoder of these tests decodes a published line correctly`() throws {
    let counts = try #require(EncodedCounts(base64: Self.published))
    #expect(counts.digits == 2)
    #expect(counts.highest == 3_600_000_000_000)
    #expect(counts.counts == Self.publishedCounts)
  }

  @Test func `The counts of the published line are encoded to the same bytes`() throws {
    var histogram = LatencyHistogram(digits: 2)
    for (value, count) in Self.publishedCounts {
      for _ in 0..<count { histogram.record(UInt64(value)) }
    }
    // The bounds of the range differ, but not the counts after the header.
    #expect(
      histogram.encoded.dropFirst(40)
        == [
          0, 6, 16, 14, 12, 24, 32, 20, 12, 24, 10, 20, 20, 8, 12, 22, 20, 36, 98, 18, 32, 214, 1, 98, 244, 4, 62, 20,
          4, 4,
        ]
    )
    #expect(EncodedCounts(base64: histogram.base64)?.counts == Self.publishedCounts)
  }

  @Test(arguments: LatencyHistogram.supportedDigits)
  func `Every bucket is decoded with its values and its count`(digits: Int) throws {
    var random = RandomStream(seed: UInt64(digits))
    var histogram = LatencyHistogram(digits: digits)
    // Values of every magnitude, with gaps of every length between them.
    for power in 0..<42 {
      for _ in 0..<20 { histogram.record(UInt64.random(in: 1 << power..<2 << power, using: &random)) }
    }
    for _ in 0..<100_000 { histogram.record(LatencyHistogram.highestNanoseconds) }
    let counts = try #require(EncodedCounts(base64: histogram.base64))
    #expect(counts.digits == digits)
    #expect(counts.lowest == 1)
    #expect(counts.highest == LatencyHistogram.highestNanoseconds)
    let decoded = counts.counts.sorted { $0.key < $1.key }.map { (counts.values(of: $0.key), $0.value) }
    let recorded = histogram.recorded
    #expect(decoded.map(\.1) == recorded.map(\.count))
    #expect(decoded.map(\.0.upperBound) == recorded.map(\.nanoseconds))
  }

  @Test func `An empty histogram is decoded as an empty histogram`() throws {
    let counts = try #require(EncodedCounts(base64: LatencyHistogram().base64))
    #expect(counts.counts.isEmpty)
  }

  @Test func `The header and a line are the same as those of HdrHistogram's writer`() {
    let header = HistogramLog.header(startedAt: 1_441_812_279_474, date: "Wed Sep 09 08:24:39 PDT 2015")
    #expect(
      header
        == "#[Histogram log format version 1.3]\n"
        + "#[StartTime: 1441812279.474 (seconds since epoch), Wed Sep 09 08:24:39 PDT 2015]\n"
        + "#[BaseTime: 1441812279.474 (seconds since epoch)]\n"
        + "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
    )
    var histogram = LatencyHistogram()
    histogram.record(2_769_000)
    let line = HistogramLog.line(tag: "a/b", from: 127_000_000, to: 1_134_400_000, histogram)
    #expect(line == "Tag=a/b,0.127,1.007,2.769,\(histogram.base64)\n")
    #expect(histogram.base64.hasPrefix("HISTFAAA"))
  }

  @Test func `The percentile output has the same columns and last lines as HdrHistogram's`() {
    var histogram = LatencyHistogram()
    for value in 1...1_000 { histogram.record(UInt64(value)) }
    let lines = histogram.percentileDistribution.split(separator: "\n")
    #expect(lines.first == "       Value     Percentile TotalCount 1/(1-Percentile)")
    #expect(lines.contains("     500.000 0.500000000000        500           2.00"))
    #expect(lines.contains("    1000.000 1.000000000000       1000"))
    #expect(lines.last?.hasPrefix("#[Buckets = ") == true)
  }
}
