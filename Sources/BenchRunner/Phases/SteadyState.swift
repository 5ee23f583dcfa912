internal import BenchResults

/// Determines whether a value has become steady: its mean in each tenth of the last window is the mean of the whole
/// window, within a tolerance. (fio's criterion, with ten parts instead of one for each second.)
struct SteadyState {
  static let parts = 10

  /// A share of the mean.
  let tolerance: Double
  let windowNanoseconds: UInt64

  /// - Parameters:
  ///   - series: values with their times, oldest first.
  ///   - isTotal: whether the values only grow, and their growth is to be steady.
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
    // A total that does not grow is a standstill.
    if isTotal, mean <= 0 { return false }
    return means.allSatisfy { abs($0 - mean) <= tolerance * abs(mean) }
  }

  /// Interpolates linearly between two values.
  private static func total(at time: Double, in series: [(nanoseconds: UInt64, value: Double)]) -> Double {
    guard let index = series.firstIndex(where: { Double($0.nanoseconds) >= time }) else {
      return series.last?.value ?? 0
    }
    guard index > 0 else { return series[0].value }
    let (before, after) = (series[index - 1], series[index])
    let share = (time - Double(before.nanoseconds)) / Double(max(after.nanoseconds - before.nanoseconds, 1))
    return before.value + share * (after.value - before.value)
  }

  /// Finished transactions for the throughput; otherwise the metric's values.
  static func series(
    of metric: Metric,
    in samples: [EngineSample],
    _ frameBytes: Int
  ) -> [(nanoseconds: UInt64, value: Double)] {
    samples.compactMap { sample in
      let value =
        metric == .throughput
        ? Double(sample.finishedTransactions.values.reduce(0, +))
        : metric.value(in: sample, frameBytes: frameBytes)
      return value.map { (sample.elapsedNanoseconds, $0) }
    }
  }
}
