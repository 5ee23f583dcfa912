/// The buckets of a histogram of durations from 1 ns to 1 h, as HdrHistogram defines them, and the pages that hold
/// their counts.
///
/// The durations of one power of two share at most 2^`magnitude` buckets of equal width, which suffice for the
/// digits. Latencies of one kind fall into a few powers of two, so most buckets stay at 0. Therefore counts are kept in
/// pages of consecutive buckets, and a page is allocated when a duration first falls into it.
struct BucketLayout: Sendable {
  /// Significant decimal digits, 1 to 5.
  let digits: Int
  /// The binary logarithm of the largest number of buckets of a power of two: 4, 7, 10, 14 or 17 for 1 to 5 digits.
  let magnitude: Int
  /// The binary logarithm of the number of counts in a page: 9, or 12 with 5 digits. A page has 4 KiB, or 32 KiB with
  /// 5 digits.
  let pageShift: Int
  /// The number of pages that cover every bucket: 2, 9, 66, 917 or 821 for 1 to 5 digits.
  let pageCount: Int

  /// - Parameter digits: Clamped to 1 to 5.
  init(digits: Int) {
    let supported = LatencyHistogram.supportedDigits
    let digits = min(max(digits, supported.lowerBound), supported.upperBound)
    let distinct = (0..<digits).reduce(2) { product, _ in product * 10 }
    let magnitude = Int.bitWidth - (distinct - 1).leadingZeroBitCount - 1
    self.digits = digits
    self.magnitude = magnitude
    pageShift = max(9, magnitude - 5)
    pageCount = Self.index(of: LatencyHistogram.highestNanoseconds, magnitude) >> pageShift + 1
  }

  var countsPerPage: Int { 1 << pageShift }
  var pageBytes: Int { countsPerPage * MemoryLayout<UInt64>.stride }

  /// The bucket of a duration from 1 ns to 1 h.
  @inline(__always)
  func index(of nanoseconds: UInt64) -> Int { Self.index(of: nanoseconds, magnitude) }

  @inline(__always)
  private static func index(of nanoseconds: UInt64, _ magnitude: Int) -> Int {
    let smallest = (2 &<< UInt64(truncatingIfNeeded: magnitude)) &- 1
    let power = UInt64.bitWidth &- 1 &- magnitude &- (nanoseconds | smallest).leadingZeroBitCount
    return power &<< magnitude &+ Int(truncatingIfNeeded: nanoseconds &>> UInt64(truncatingIfNeeded: power))
  }

  /// The durations that share a bucket.
  func durations(ofBucket index: Int) -> ClosedRange<UInt64> {
    let power = max(index >> magnitude - 1, 0)
    let lowest = UInt64(index - power << magnitude) << UInt64(power)
    return lowest...lowest + (1 << UInt64(power)) - 1
  }

  /// The middle of a bucket, rounded up, in nanoseconds.
  func middle(ofBucket index: Int) -> Double {
    let durations = durations(ofBucket: index)
    return Double(durations.lowerBound + UInt64(durations.count) >> 1)
  }

  /// The number of HdrHistogram's "buckets". The first contains the durations below 2^(`magnitude` + 1), each further
  /// one the durations within a power of two.
  var powersOfTwo: Int { index(of: LatencyHistogram.highestNanoseconds) >> magnitude }
}
