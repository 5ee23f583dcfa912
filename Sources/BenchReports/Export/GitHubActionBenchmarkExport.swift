internal import BenchModel
internal import LatencyMetrics

/// The custom JSON of github-action-benchmark, whose files have one direction each.
enum GitHubActionBenchmarkExport {
  struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    /// From the least to the greatest of the repetitions, or the half of an interval's width.
    var range: String?
    var extra: String?
  }

  static func files(of result: ScenarioResult) throws -> [ExportFormat.File] {
    let series = try LatencySeries.all(of: result)
    let smaller =
      series.flatMap(percentiles)
      + WALPeak.all(of: result).map { peak in
        Entry(name: "\(peak.name) - wal.bytes max", unit: "bytes", value: peak.bytes)
      }
    let bigger = series.compactMap { series in
      series.ratePerSecond.map { rate in
        Entry(
          name: "\(series.name) - throughput",
          unit: "ops/s",
          value: rate,
          range: range(of: series.parts.compactMap { $0.latency.ratePerSecond }),
          extra: extra(series)
        )
      }
    }
    return try files(smaller: smaller, bigger: bigger)
  }

  static func files(smaller: [Entry], bigger: [Entry]) throws -> [ExportFormat.File] {
    [
      ExportFormat.File(name: "smaller-is-better.json", text: try ExportJSON.text(of: smaller)),
      ExportFormat.File(name: "bigger-is-better.json", text: try ExportJSON.text(of: bigger)),
    ]
  }

  private static func percentiles(of series: LatencySeries) -> [Entry] {
    let histogram = series.histogram
    return LatencySeries.Percentile.all.filter { $0.isShown(of: histogram.count) }.map { percentile in
      Entry(
        name: "\(series.name) - \(percentile.name)",
        unit: "ns",
        value: Double(histogram.value(atPercentile: percentile.percent)),
        range: range(of: series.parts.map { Double($0.latency.histogram.value(atPercentile: percentile.percent)) }),
        extra: extra(series)
      )
    }
  }

  private static func range(of values: [Double]) -> String? {
    guard values.count > 1, let least = values.min(), let greatest = values.max() else { return nil }
    return "\(least)..\(greatest)"
  }

  private static func extra(_ series: LatencySeries) -> String {
    let runs = series.parts.count
    return "n=\(series.histogram.count) in \(runs == 1 ? "1 run" : "\(runs) runs")\ncommit "
      + InertText.line(series.parts[0].run.environment.commit ?? "unknown")
  }
}
