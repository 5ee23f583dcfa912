internal import BenchModel

/// Whether something has become steady: in each tenth of the last stretch of time it is as large as in the whole of it,
/// within a tolerance. (fio's criterion, with ten parts instead of one for each second.)
struct SteadyState {
  static let parts = 10

  /// A share of the mean.
  let tolerance: Double
  let windowNanoseconds: UInt64

  /// - Parameters:
  ///   - series: values and when they were taken, oldest first.
  ///   - isTotal: the values only grow, and what they grow by in a time is what is to be steady.
  func holds(_ series: [(nanoseconds: UInt64, value: Double)], isTotal: Bool) -> Bool {
    guard let last = series.last, let first = series.first, last.nanoseconds - first.nanoseconds >= windowNanoseconds
    else { return false }
    let start = Double(last.nanoseconds - windowNanoseconds)
    let length = Double(windowNanoseconds) / Double(Self.parts)
    var means: [Double] = []
    for part in 0..<Self.parts {
      let from = start + Double(part) * length
      if isTotal {
        means.append(Self.total(at: from + length, in: series) - Self.total(at: from, in: series))
      } else {
        let within = series.filter { Double($0.nanoseconds) >= from && Double($0.nanoseconds) <= from + length }
        guard !within.isEmpty else { return false }
        means.append(within.reduce(0) { $0 + $1.value } / Double(within.count))
      }
    }
    let mean = means.reduce(0, +) / Double(Self.parts)
    // Nothing at all, always, is a standstill.
    if isTotal, mean <= 0 { return false }
    return means.allSatisfy { abs($0 - mean) <= tolerance * abs(mean) }
  }

  /// Between two values it grows in a straight line.
  private static func total(at time: Double, in series: [(nanoseconds: UInt64, value: Double)]) -> Double {
    guard let index = series.firstIndex(where: { Double($0.nanoseconds) >= time }) else {
      return series.last?.value ?? 0
    }
    guard index > 0 else { return series[0].value }
    let (before, after) = (series[index - 1], series[index])
    let share = (time - Double(before.nanoseconds)) / Double(max(after.nanoseconds - before.nanoseconds, 1))
    return before.value + share * (after.value - before.value)
  }

  /// Transactions that have ended, for the throughput; else the metric's values.
  static func series(
    of metric: Metric,
    in samples: [EngineSample],
    _ frameBytes: Int
  ) -> [(nanoseconds: UInt64, value: Double)] {
    samples.compactMap { sample in
      let value =
        metric == .throughput
        ? Double(sample.finishedTransactions.values.reduce(0, +))
        : SampledMetrics.value(of: metric, in: sample, frameBytes)
      return value.map { (sample.elapsedNanoseconds, $0) }
    }
  }
}
