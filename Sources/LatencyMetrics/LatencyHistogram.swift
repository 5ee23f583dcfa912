internal import Histogram

/// Durations in nanoseconds, from 1 ns to 1 h, kept whole to a number of significant digits.
///
/// With 3 digits a value is off by at most 0.1 %, and the histogram takes 271 KB whatever it is given. Percentiles of
/// several histograms are those of their sum; they are never averaged.
public struct LatencyHistogram: Sendable {
  /// One hour. Longer durations count as this one.
  public static let highestNanoseconds: UInt64 = 3_600_000_000_000

  private var histogram: Histogram<UInt64>

  /// - Parameter digits: significant decimal digits, 1 to 4.
  public init(digits: Int = 3) {
    let digits = SignificantDigits(rawValue: Int8(clamping: min(max(digits, 1), 4))) ?? .three
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
  public var maximum: UInt64 { isEmpty ? 0 : histogram.max }
  public var mean: Double { isEmpty ? 0 : histogram.mean }

  /// The duration that `percentile` per cent of the recorded ones do not exceed.
  /// - Parameter percentile: 0 to 100.
  public func value(atPercentile percentile: Double) -> UInt64 {
    isEmpty ? 0 : histogram.valueAtPercentile(percentile)
  }

  @inline(__always)
  public mutating func record(_ nanoseconds: UInt64) {
    _ = histogram.record(min(max(nanoseconds, 1), Self.highestNanoseconds))
  }

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
}

/// Written as its digits and pairs of value and count, without the empty buckets.
extension LatencyHistogram: Codable {
  private enum CodingKeys: String, CodingKey {
    case digits, values, counts
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(digits: try container.decode(Int.self, forKey: .digits))
    let values = try container.decode([UInt64].self, forKey: .values)
    let counts = try container.decode([UInt64].self, forKey: .counts)
    guard values.count == counts.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .counts,
        in: container,
        debugDescription: "\(values.count) values and \(counts.count) counts"
      )
    }
    for (value, count) in zip(values, counts) {
      _ = histogram.record(min(max(value, 1), Self.highestNanoseconds), count: count)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(digits, forKey: .digits)
    try container.encode(recorded.map(\.nanoseconds), forKey: .values)
    try container.encode(recorded.map(\.count), forKey: .counts)
  }
}
