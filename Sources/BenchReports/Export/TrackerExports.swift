internal import BenchResults
internal import LatencyMetrics

/// The custom JSON of github-action-benchmark: one file of figures to minimize, one of figures to maximize.
enum GitHubActionBenchmarkExport {
  struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    /// The range of the repetitions, or half of an interval's width.
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
        let ofRuns = series.parts.compactMap { $0.latency.ratePerSecond }
        return entry(of: series, "throughput", in: "ops/s", value: rate, ofRuns: ofRuns)
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
    series.percentiles.map { percentile, nanoseconds in
      let ofRuns = series.parts.compactMap { $0.latency.histogram.value(at: percentile).map { Double($0) } }
      return entry(of: series, percentile.name, in: "ns", value: Double(nanoseconds), ofRuns: ofRuns)
    }
  }

  private static func entry(
    of series: LatencySeries,
    _ figure: String,
    in unit: String,
    value: Double,
    ofRuns values: [Double]
  ) -> Entry {
    let runs = series.parts.count
    var entry = Entry(name: "\(series.name) - \(figure)", unit: unit, value: value)
    if values.count > 1, let least = values.min(), let greatest = values.max() { entry.range = "\(least)..\(greatest)" }
    entry.extra =
      "n=\(series.histogram.count) in \(runs == 1 ? "1 run" : "\(runs) runs")\ncommit "
      + InertText.line(series.parts[0].run.environment.commit ?? "unknown")
    return entry
  }
}

/// The Bencher Metric Format: benchmark, measure, value. Latencies are in nanoseconds, `latency` is the median.
///
/// Lower and upper values are omitted, because Bencher interprets them as the bounds of a confidence interval.
enum BencherExport {
  private struct Metric: Encodable {
    var value: Double
  }

  static func text(of result: ScenarioResult) throws -> String {
    var benchmarks: [String: [String: Metric]] = [:]
    for series in try LatencySeries.all(of: result) {
      var measures: [String: Metric] = [:]
      for (percentile, nanoseconds) in series.percentiles {
        measures[slug(percentile)] = Metric(value: Double(nanoseconds))
      }
      measures["throughput"] = series.ratePerSecond.map(Metric.init)
      benchmarks[series.name] = measures
    }
    for peak in WALPeak.all(of: result) { benchmarks[peak.name] = ["wal-bytes": Metric(value: peak.bytes)] }
    return try ExportJSON.text(of: benchmarks)
  }

  private static func slug(_ percentile: Percentile) -> String {
    percentile == .p50 ? "latency" : percentile.name.replacing(".", with: "-") + "-latency"
  }
}

/// The text of Go's benchmarks, for `benchstat`: a line for each run and latency, so that repetitions are its samples.
///
/// Source of the grammar: golang.org/x/perf/benchfmt. A name is one word of percent-encoded `/key=value` parts; it
/// ends with the kind of time, because digits at the end would be read as a number of processors.
enum BenchstatExport {
  static func text(of result: ScenarioResult) throws -> String {
    let series = try LatencySeries.all(of: result)
    var lines = configuration(of: result.first)
    lines += Percentile.exported.map { "Unit \($0.name)-ns/op better=lower" }
    lines.append("Unit ops/s better=higher")
    for run in result.runs {
      for series in series {
        lines += series.parts.filter { $0.run.runID == run.runID && $0.run.repetition == run.repetition }.map {
          line(of: $0, series)
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func configuration(of run: RunResult) -> [String] {
    let environment = run.environment
    let pairs: [(key: String, value: String?)] = [
      ("goos", "linux"), ("pkg", "yapbench"), ("cpu", environment.cpu), ("commit", environment.commit),
      ("kernel", environment.kernel), ("file-system", environment.fileSystem), ("sqlite", environment.sqliteVersion),
      ("driver", run.driver), ("started", run.startedAt),
    ]
    return pairs.compactMap { key, value in
      let text = value.map(InertText.line)?.drop { $0 == " " } ?? ""
      return text.isEmpty ? nil : "\(key): \(text)"
    }
  }

  private static func line(of part: LatencySeries.Part, _ series: LatencySeries) -> String {
    let histogram = part.latency.histogram
    let name = series.path.map { "/\($0)=\(LatencyTag.inert($1))" }.joined()
    // The first figure is the most robust one: a single outlier moves the mean.
    var figures = Percentile.exported.compactMap { percentile in
      histogram.value(at: percentile).map { "\($0) \(percentile.name)-ns/op" }
    }
    figures.append("\(histogram.mean) ns/op")
    if let rate = part.latency.ratePerSecond { figures.append("\(rate) ops/s") }
    return "BenchmarkYap\(name) \(histogram.count) \(figures.joined(separator: " "))"
  }
}
