internal import BenchResults
internal import LatencyMetrics

/// One latency of one variant: the measurements of each run, and all of them together.
///
/// Only recorded phases count, and only runs with valid figures: no smoke runs, no invalid measurements, and no runs
/// with wrong data or an internal error.
struct LatencySeries {
  struct Part {
    var run: RunResult
    var latency: Latency
  }

  /// nil for a scenario without a matrix.
  var variant: String?
  /// nil if all runs of the scenario are from one machine.
  var machine: String?
  /// In the order in which the runs were made; never empty.
  var parts: [Part]

  var latency: Latency { parts[0].latency }

  /// The names that identify it, with their keys. A name that it lacks is left out.
  var path: [(key: String, name: String)] {
    let all = [
      ("scenario", parts[0].run.scenario), ("machine", machine), ("variant", variant), ("phase", latency.phase.name),
      ("actor", latency.actor), ("operation", latency.operation), ("kind", latency.kind.rawValue),
    ]
    return all.compactMap { key, name in name.map { (key, $0) } }
  }

  /// The name in exported files; without control characters.
  var name: String { InertText.line(path.map(\.name).joined(separator: "/")) }

  /// The durations of all runs together.
  var histogram: LatencyHistogram {
    parts.dropFirst().reduce(into: latency.histogram) { $0.add($1.latency.histogram) }
  }

  /// The median of the runs' rates.
  var ratePerSecond: Double? {
    let rates = parts.compactMap { $0.latency.ratePerSecond }
    return rates.isEmpty ? nil : rates.median
  }

  /// The valid percentiles of all runs together, in nanoseconds.
  var percentiles: [(percentile: Percentile, nanoseconds: UInt64)] {
    let histogram = histogram
    return Percentile.exported.compactMap { percentile in histogram.value(at: percentile).map { (percentile, $0) } }
  }

  /// - Throws: `ExportError` if there is none.
  static func all(of result: ScenarioResult) throws -> [LatencySeries] {
    let machines = result.byMachine
    let series = machines.flatMap { part in
      let machine = machines.count > 1 ? part.first.machine : nil
      return part.variants.flatMap { variant in all(of: part.runs.filter { $0.variant == variant.name }, machine) }
    }
    guard series.isEmpty else { return series }
    throw ExportError(
      problem: "there are no figures to export: no run has valid figures of a recorded phase "
        + "(\(InertText.line(result.verdict.headline)))"
    )
  }

  /// - Parameter runs: The runs of one variant on one machine.
  private static func all(of runs: [RunResult], _ machine: String?) -> [LatencySeries] {
    var series: [LatencySeries] = []
    var indices: [String: Int] = [:]
    for run in runs where run.hasFigures {
      for latency in run.latencies where latency.phase.isRecorded && !latency.histogram.isEmpty {
        let key = LatencyTag(variant: nil, repetition: nil).text(of: latency)
        if let index = indices[key] {
          series[index].parts.append(Part(run: run, latency: latency))
        } else {
          indices[key] = series.count
          series.append(
            LatencySeries(variant: run.variant, machine: machine, parts: [Part(run: run, latency: latency)])
          )
        }
      }
    }
    return series
  }
}

extension RunResult {
  /// Whether the figures are valid, so that they may be exported without the verdict.
  var hasFigures: Bool {
    let unfit: [ExitStatus] = [.invariantViolated, .internalError, .measurementInvalid]
    return !isSmoke && !unfit.contains(verdict.exitCode)
  }
}

/// The peak of the WAL in one recorded phase of one variant: the median of its runs on one machine.
struct WALPeak {
  var name: String
  var bytes: Double

  static func all(of result: ScenarioResult) -> [WALPeak] {
    let machines = result.byMachine
    return machines.flatMap { part in part.variants.map { (part, $0.name) } }.flatMap { part, variant -> [WALPeak] in
      let runs = part.runs.filter { $0.variant == variant && $0.hasFigures }
      return (runs.first?.phases ?? []).filter(\.isRecorded).map(\.name).compactMap { phase in
        let id = FigureID(.walBytes, .max, of: FigureScope(phase))
        let peaks = runs.compactMap { $0.figures(in: phase)?.value(of: id) }
        let machine = machines.count > 1 ? part.first.machine : nil
        let path = [part.first.scenario, machine, variant, phase].compactMap { $0 }
        return peaks.isEmpty ? nil : WALPeak(name: InertText.line(path.joined(separator: "/")), bytes: peaks.median)
      }
    }
  }
}
