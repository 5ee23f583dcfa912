internal import BenchResults
internal import LatencyMetrics

/// The JSON of Google Benchmark's reporter, schema 1. Each run has an entry for each percentile and one for the elapsed
/// time per operation, so that Google's `compare.py` can test repetitions against each other.
///
/// Unknown values are 0 or "unknown": the processor's clock, the host's name. `cpu_time` repeats `real_time`,
/// because no operation's own processor time is measured.
enum GoogleBenchmarkExport {
  private struct Document: Encodable {
    var context: Context
    var benchmarks: [Entry]
  }

  private struct Context: Encodable {
    var date: String
    var hostName = "unknown"
    var executable = "yapbench"
    var numCpus: Int
    var mhzPerCpu = 0
    var cpuScalingEnabled = false
    /// Required by some readers.
    var caches: [String] = []
    var loadAvg: [Double]
    var libraryVersion: String
    var libraryBuildType: String
    var jsonSchemaVersion = 1
  }

  private struct Entry: Encodable {
    var name: String
    var familyIndex: Int
    var perFamilyInstanceIndex = 0
    var runName: String
    var runType = "iteration"
    var repetitions: Int
    var repetitionIndex: Int
    var threads: Int
    var iterations: Int
    var realTime: Double
    var cpuTime: Double
    var timeUnit = "ns"
    var itemsPerSecond: Double?
  }

  static func text(of result: ScenarioResult) throws -> String {
    let environment = result.first.environment
    var entries: [Entry] = []
    var familyCount = 0
    for series in try LatencySeries.all(of: result) {
      for (name, values) in figures(of: series) {
        for (index, (part, value)) in zip(series.parts, values).enumerated() {
          guard let value else { continue }
          entries.append(
            Entry(
              name: name,
              familyIndex: familyCount,
              runName: name,
              repetitions: series.parts.count,
              repetitionIndex: index,
              threads: max(1, part.latency.threadCount),
              iterations: part.latency.histogram.count,
              realTime: value,
              cpuTime: value,
              itemsPerSecond: part.latency.ratePerSecond
            )
          )
        }
        familyCount += 1
      }
    }
    let context = Context(
      date: InertText.line(result.first.startedAt),
      numCpus: environment.coreCount,
      loadAvg: environment.loadAverage.isFinite ? [environment.loadAverage] : [],
      libraryVersion: "yapbench-" + InertText.line(environment.commit ?? "unknown"),
      libraryBuildType: InertText.line(environment.buildMode)
    )
    return try ExportJSON.text(of: Document(context: context, benchmarks: entries))
  }

  /// Returns the nanoseconds of each run by the entry's name; nil for a run with too few durations or without a rate.
  private static func figures(of series: LatencySeries) -> [(name: String, values: [Double?])] {
    let percentiles = Percentile.exported.map { percentile in
      let values = series.parts.map { $0.latency.histogram.value(at: percentile).map { Double($0) } }
      return (name: "\(series.name)/\(percentile.name)", values: values)
    }
    let perOperation = series.parts.map { part in
      part.latency.ratePerSecond.flatMap { $0 > 0 ? 1e9 / $0 : nil }
    }
    return percentiles + [(name: "\(series.name)/per-operation", values: perOperation)]
  }
}

extension Latency {
  /// The number of the actor's threads that drew operations; 0 for events.
  fileprivate var threadCount: Int { phase.actor(actor)?.digests.count ?? 0 }
}
