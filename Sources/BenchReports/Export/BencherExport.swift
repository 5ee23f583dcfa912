internal import BenchModel
internal import LatencyMetrics

/// The Bencher Metric Format: benchmark, measure, value. Latencies are in nanoseconds, `latency` is the median.
///
/// There are no lower and upper values: Bencher takes these for the bounds of a confidence interval, which a run has
/// not.
enum BencherExport {
  private struct Metric: Encodable {
    var value: Double
  }

  static func text(of result: ScenarioResult) throws -> String {
    var benchmarks: [String: [String: Metric]] = [:]
    for series in try LatencySeries.all(of: result) {
      let histogram = series.histogram
      var measures: [String: Metric] = [:]
      for percentile in LatencySeries.Percentile.all where percentile.isShown(of: histogram.count) {
        measures[slug(percentile)] = Metric(value: Double(histogram.value(atPercentile: percentile.percent)))
      }
      measures["throughput"] = series.ratePerSecond.map(Metric.init)
      benchmarks[series.name] = measures
    }
    for peak in WALPeak.all(of: result) { benchmarks[peak.name] = ["wal-bytes": Metric(value: peak.bytes)] }
    return try ExportJSON.text(of: benchmarks)
  }

  private static func slug(_ percentile: LatencySeries.Percentile) -> String {
    percentile.percent == 50 ? "latency" : percentile.name.replacing(".", with: "-") + "-latency"
  }
}
