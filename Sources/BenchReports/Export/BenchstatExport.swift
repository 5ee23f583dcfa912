internal import BenchModel
internal import LatencyMetrics

/// The text of Go's benchmarks, for `benchstat`: a line for each run and latency, so that repetitions are its samples.
///
/// Source of the grammar: golang.org/x/perf/benchfmt. A name is one word of `/key=value` parts, with what could end
/// such a part written as in an address; it ends with the kind of time, because digits at the end would be taken for a
/// number of processors.
enum BenchstatExport {
  static func text(of result: ScenarioResult) throws -> String {
    let series = try LatencySeries.all(of: result)
    var lines = configuration(of: result.first)
    lines += LatencySeries.Percentile.all.map { "Unit \($0.name)-ns/op better=lower" }
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
    let latency = part.latency
    let histogram = latency.histogram
    var pairs = [("scenario", part.run.scenario)]
    if let variant = series.variant { pairs.append(("variant", variant)) }
    pairs += [
      ("phase", latency.phase.name), ("actor", latency.actor), ("operation", latency.operation),
      ("kind", latency.kind.rawValue),
    ]
    let name = pairs.map { "/\($0)=\(LatencyTag.inert($1))" }.joined()
    var figures = ["\(histogram.mean) ns/op"]
    figures += LatencySeries.Percentile.all.filter { $0.isShown(of: histogram.count) }.map {
      "\(histogram.value(atPercentile: $0.percent)) \($0.name)-ns/op"
    }
    if let rate = latency.ratePerSecond { figures.append("\(rate) ops/s") }
    return "BenchmarkYap\(name) \(histogram.count) \(figures.joined(separator: " "))"
  }
}
