package import LatencyMetrics

/// A rule that makes one number of many.
public enum Aggregate: String, Codable, CaseIterable, Sendable {
  case min, mean, max, last, sum, p50, p90, p95, p99
  case p999 = "p99_9"
  case p9999 = "p99_99"

  package static let percentiles: [Aggregate] = [.p50, .p90, .p95, .p99, .p999, .p9999]

  /// nil for an aggregate that is no percentile.
  package var percentile: Percentile? {
    Self.percentiles.firstIndex(of: self).map { Percentile.all[$0] }
  }
}

extension LatencyHistogram {
  /// Returns an aggregate of the durations in nanoseconds; nil without durations, for a percentile of too few, and for
  /// an aggregate that durations do not have.
  package func value(of aggregate: Aggregate?) -> Double? {
    guard !isEmpty, let aggregate else { return nil }
    switch aggregate {
    case .min: return Double(minimum)
    case .mean: return mean
    case .max: return Double(maximum)
    case .last, .sum: return nil
    case .p50, .p90, .p95, .p99, .p999, .p9999:
      return aggregate.percentile.flatMap { value(at: $0) }.map { Double($0) }
    }
  }
}

extension Collection<Double> {
  /// Returns an aggregate of the values; nil without values, and for a percentile of too few.
  package func value(of aggregate: Aggregate?) -> Double? {
    guard !isEmpty, let aggregate else { return nil }
    switch aggregate {
    case .min: return self.min()
    case .mean: return reduce(0, +) / Double(count)
    case .max: return self.max()
    case .last: return suffix(1).first
    case .sum: return reduce(0, +)
    case .p50, .p90, .p95, .p99, .p999, .p9999: return aggregate.percentile.flatMap { value(at: $0) }
    }
  }
}

extension Percentile {
  /// The aggregate of the same name; nil for a percentile that expectations do not have.
  package var aggregate: Aggregate? { Self.all.firstIndex(of: self).map { Aggregate.percentiles[$0] } }
}
