internal import HarnessPrimitives
package import LatencyMetrics

/// A percentile of durations or samples: the smallest value that at least this share of all values does not exceed.
///
/// A percentile of some values is valid if at least one of them lies beyond it: p50 of 2 values, p99 of 100, p99.9 of
/// 1,000. With fewer values it would be their maximum. Reports, tables, exports, expectations and comparisons omit an
/// invalid percentile. A comparison decides by a percentile only if at least `fewestDeciding` durations lie beyond it.
public struct Percentile: Hashable, Sendable {
  /// 0 to 100.
  public let percent: Double

  package static let p50 = Percentile(percent: 50)
  package static let p90 = Percentile(percent: 90)
  package static let p95 = Percentile(percent: 95)
  package static let p99 = Percentile(percent: 99)
  package static let p999 = Percentile(percent: 99.9)
  package static let p9999 = Percentile(percent: 99.99)

  /// The percentiles of comparisons of variants and engines, and of tiles.
  package static let compared = [p50, p99]
  /// The percentiles of exports to tools that store figures.
  package static let exported = [p50, p99, p999]
  /// The percentiles of a report's table of latencies, of `compare`, and of collectors of metrics.
  package static let listed = [p50, p90, p99, p999]
  /// All of them, as `summary.csv` and expectations have them.
  package static let all = [p50, p90, p95, p99, p999, p9999]

  /// The fewest durations beyond a percentile by which a comparison decides.
  package static let fewestDeciding = 100

  package init(percent: Double) { self.percent = percent }

  /// Such as `p99.9`.
  package var name: String { "p" + (percent == percent.rounded() ? String(Int(saturating: percent)) : "\(percent)") }

  /// Returns the number of `count` values that lie beyond the percentile.
  package func valuesBeyond(of count: Int) -> Int {
    // In whole millionths, because 100 - 99.9 is a little less than 0.1.
    let millionths = ((100 - percent) * 10_000).rounded()
    return Int(saturating: (Double(count) * millionths / 1_000_000).rounded(.down))
  }

  /// Returns whether the percentile of `count` values is valid.
  package func isValid(of count: Int) -> Bool { valuesBeyond(of: count) > 0 }

  /// The fewest values that have the percentile.
  package var fewestValues: Int { Int(saturating: (1_000_000 / ((100 - percent) * 10_000).rounded()).rounded(.up)) }
}

extension LatencyHistogram {
  /// Returns a percentile in nanoseconds; nil if there are too few durations for it.
  package func value(at percentile: Percentile) -> UInt64? {
    percentile.isValid(of: count) ? value(atPercentile: percentile.percent) : nil
  }
}

extension Collection<Double> {
  /// The middle value, or the mean of the two middle values.
  /// - Precondition: the collection is not empty.
  package var median: Double { sorted().medianOfSorted }

  /// Returns the value below which a share of the values lies: type 7 of Hyndman and Fan, "Sample quantiles in
  /// statistical packages", 1996.
  /// - Parameter share: 0 to 1.
  /// - Precondition: the collection is not empty.
  package func quantile(_ share: Double) -> Double {
    let sorted = sorted()
    let position = share * Double(sorted.count - 1)
    let below = Int(saturating: position)
    let above = Swift.min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
  }

  /// Returns a percentile; nil if there are too few values for it.
  package func value(at percentile: Percentile) -> Double? {
    let beyond = percentile.valuesBeyond(of: count)
    return beyond > 0 ? sorted()[count - beyond - 1] : nil
  }
}

extension [Double] {
  /// The median of ascending values.
  /// - Precondition: the array is not empty.
  package var medianOfSorted: Double {
    let middle = count / 2
    // Halves are added, so that the greatest numbers do not overflow.
    return count.isMultiple(of: 2) ? self[middle - 1] / 2 + self[middle] / 2 : self[middle]
  }
}

extension Collection<UInt64> {
  /// The middle value, or the mean of the two middle values.
  /// - Precondition: the collection is not empty.
  package var median: UInt64 { UInt64(saturating: map { Double($0) }.median) }
}
