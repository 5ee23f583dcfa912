internal import Glibc

/// HdrHistogram's table of percentiles (`.hgrm`).
///
/// Source: `PercentileIterator` and `outputPercentileDistribution` of HdrHistogram for Java.
extension LatencyHistogram {
  /// The number of rows in which the remaining distance to 100 % halves.
  private static let ticksPerHalfDistance = 5.0

  /// The table in nanoseconds. The remaining distance to 100 % halves every five rows.
  public var percentileDistribution: String {
    let digits = Int32(digits)
    var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
    forEachPercentile { level, nanoseconds, passed in
      text += Self.formatted("%12.*f %2.12f %10ld", digits, Double(nanoseconds), level / 100, passed)
      text += level == 100 ? "\n" : Self.formatted(" %14.2f\n", 1 / (1 - level / 100))
    }
    let (mean, deviation) = meanAndDeviation
    text += Self.formatted("#[Mean    = %12.*f, StdDeviation   = %12.*f]\n", digits, mean, digits, deviation)
    let largest = isEmpty ? 0 : Double(equivalentDurations(to: maximum).upperBound)
    text += Self.formatted("#[Max     = %12.*f, Total count    = %12ld]\n", digits, largest, count)
    text += Self.formatted("#[Buckets = %12ld, SubBuckets     = %12ld]\n", layout.powersOfTwo, 2 << layout.magnitude)
    return text
  }

  /// Calls `body` for each row with the percentile, the longest duration of its bucket, and the number of recorded
  /// durations in this and lower buckets.
  private func forEachPercentile(_ body: (_ level: Double, _ nanoseconds: UInt64, _ passed: Int) -> Void) {
    var level = 0.0
    var passed = 0
    var longest: UInt64 = 0
    forEachBucket { index, count in
      passed += count
      longest = layout.durations(ofBucket: index).upperBound
      while 100 * Double(passed) / Double(self.count) >= level {
        body(level, longest, passed)
        // The last bucket has a row for its own level and one for 100 %.
        if passed == self.count { break }
        // The distance between rows halves whenever half of the remaining distance to 100 % is passed. In a histogram
        // of more than 2^52 values it becomes too small to change the level near 100 %.
        let next = level + 100 / (Self.ticksPerHalfDistance * exp2(log2(100 / (100 - level)).rounded(.down) + 1))
        if next == level { break }
        level = next
      }
    }
    if !isEmpty { body(100, longest, passed) }
  }

  /// The mean and the standard deviation of the buckets' middles.
  private var meanAndDeviation: (mean: Double, deviation: Double) {
    guard !isEmpty else { return (0, 0) }
    var sum = 0.0
    forEachBucket { sum += layout.middle(ofBucket: $0) * Double($1) }
    let mean = sum / Double(count)
    var squares = 0.0
    forEachBucket { index, count in
      let difference = layout.middle(ofBucket: index) - mean
      squares += difference * difference * Double(count)
    }
    return (mean, (squares / Double(count)).squareRoot())
  }

  private static func formatted(_ format: String, _ arguments: any CVarArg...) -> String {
    // The longest line has 3 numbers of at most 25 characters.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      _ = withVaList(arguments) { vsnprintf(start, buffer.count, format, $0) }
      return String(cString: start)
    }
  }
}
