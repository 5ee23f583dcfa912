internal import Histogram

/// Durations in nanoseconds, from 1 ns to 1 h, kept whole to a number of significant digits.
///
/// With 3 digits a value is off by at most 0.1 %; the smallest and the largest are exact. The memory does not depend on
/// what is recorded: 5 KB with 1 digit, 37 KB with 2, 270 KB with 3, 3.8 MB with 4, 27 MB with 5. Percentiles of
/// several histograms are those of their sum; they are never averaged.
public struct LatencyHistogram: Sendable {
  /// One hour. Longer durations count as this one.
  public static let highestNanoseconds: UInt64 = 3_600_000_000_000

  /// How many significant decimal digits there may be.
  public static let supportedDigits = 1...5

  private var histogram: Histogram<UInt64>

  /// - Parameter digits: significant decimal digits, 1 to 5.
  public init(digits: Int = 3) {
    let clamped = min(max(digits, Self.supportedDigits.lowerBound), Self.supportedDigits.upperBound)
    let digits = SignificantDigits(rawValue: Int8(clamped)) ?? .three
    histogram = Histogram(
      lowestDiscernibleValue: 1,
      highestTrackableValue: Self.highestNanoseconds,
      numberOfSignificantValueDigits: digits
    )
  }

  public var digits: Int { Int(histogram.numberOfSignificantValueDigits.rawValue) }
  public var count: Int { Int(histogram.totalCount) }
  public var isEmpty: Bool { histogram.totalCount == 0 }
  /// In nanoseconds; 0 when empty, as are the following.
  public var minimum: UInt64 { isEmpty ? 0 : histogram.min }
  public var maximum: UInt64 { isEmpty ? 0 : histogram.maxRecorded }
  /// Of the buckets' middles, but never outside of what was recorded.
  public var mean: Double { isEmpty ? 0 : min(max(histogram.mean, Double(minimum)), Double(maximum)) }

  /// The duration that `percentile` per cent of the recorded ones do not exceed.
  /// - Parameter percentile: 0 to 100.
  public func value(atPercentile percentile: Double) -> UInt64 {
    isEmpty ? 0 : histogram.valueAtPercentile(percentile)
  }

  @inline(__always)
  public mutating func record(_ nanoseconds: UInt64) {
    _ = histogram.record(min(max(nanoseconds, 1), Self.highestNanoseconds))
  }

  /// Adds what the other has recorded, which must have as many digits.
  public mutating func add(_ other: LatencyHistogram) {
    if !other.isEmpty { histogram.add(other.histogram) }
  }

  public mutating func reset() {
    histogram.reset()
  }

  /// The recorded durations and how often each was seen, shortest first; each stands for its bucket's highest value.
  public var recorded: [(nanoseconds: UInt64, count: Int)] {
    histogram.recordedValues().map { ($0.value, Int($0.count)) }
  }

  /// HdrHistogram's table of percentiles (`.hgrm`), in nanoseconds, five ticks per half distance.
  public var percentileDistribution: String {
    var text = ""
    histogram.outputPercentileDistribution(to: &text, outputValueUnitScalingRatio: 1)
    return text
  }
}

/// Written as its digits and pairs of value and count, without the empty buckets. What is read back answers everything
/// as the original did.
extension LatencyHistogram: Codable {
  private enum CodingKeys: String, CodingKey {
    case digits, values, counts
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let digits = try container.decode(Int.self, forKey: .digits)
    guard Self.supportedDigits.contains(digits) else {
      throw DecodingError.dataCorruptedError(
        forKey: .digits,
        in: container,
        debugDescription: "expected from 1 to 5 significant digits, found \(digits)"
      )
    }
    self.init(digits: digits)
    let values = try container.decode([UInt64].self, forKey: .values)
    let counts = try container.decode([UInt64].self, forKey: .counts)
    guard values.count == counts.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts,
        in: container,
        debugDescription: "\(values.count) values and \(counts.count) counts"
      )
    }
    var total: UInt64 = 0
    var nanoseconds: UInt64 = 0
    for (value, count) in zip(values, counts) where count > 0 {
      let (sum, overflow) = total.addingReportingOverflow(count)
      guard !overflow, sum <= Int.max else {
        throw DecodingError.dataCorruptedError(
          forKey: .counts,
          in: container,
          debugDescription: "the counts add up to more than \(Int.max)"
        )
      }
      total = sum
      // Sums of durations are computed with the ends of buckets, which may be a little beyond the values.
      let product = count.multipliedReportingOverflow(by: min(max(value, 1), Self.highestNanoseconds))
      let time = nanoseconds.addingReportingOverflow(product.partialValue)
      guard !product.overflow, !time.overflow, time.partialValue <= Int.max else {
        throw DecodingError.dataCorruptedError(
          forKey: .counts,
          in: container,
          debugDescription: "the durations add up to more than \(Int.max) ns"
        )
      }
      nanoseconds = time.partialValue
      _ = histogram.record(min(max(value, 1), Self.highestNanoseconds), count: count)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(digits, forKey: .digits)
    let pairs = recordedWithExactEnds
    try container.encode(pairs.map(\.nanoseconds), forKey: .values)
    try container.encode(pairs.map(\.count), forKey: .counts)
  }

  /// The smallest and the largest duration stand for themselves, so that they survive; a bucket with both is split.
  private var recordedWithExactEnds: [(nanoseconds: UInt64, count: Int)] {
    var pairs = recorded
    guard let last = pairs.indices.last else { return [] }
    pairs[last].nanoseconds = maximum
    guard minimum < pairs[0].nanoseconds else { return pairs }
    if last == 0 {
      pairs[0].count -= 1
      pairs.insert((minimum, 1), at: 0)
    } else {
      pairs[0].nanoseconds = minimum
    }
    return pairs
  }
}
