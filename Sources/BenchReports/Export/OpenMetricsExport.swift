internal import BenchResults
internal import Foundation
internal import HarnessPrimitives
internal import LatencyMetrics

/// The last values, totals and verdict of a run, for collectors of metrics. Only `yapbench_run_info` names the run,
/// because a label that differs in each run would make each of them a new series.
enum OpenMetricsExport {
  private typealias Sample = OpenMetricsText.Sample
  private typealias Labels = [(name: String, value: String)]

  static func text(of result: ScenarioResult) -> String {
    var text = OpenMetricsText()
    let runs = result.runs.map { (run: $0, labels: labels(of: $0)) }
    appendVerdicts(of: runs, to: &text)
    text.append(
      "yapbench_latency_seconds",
      .summary,
      unit: "seconds",
      help: "Durations of an operation of an actor in a phase, by kind of time.",
      samples: runs.flatMap { run, labels in
        run.latencies.filter { !$0.histogram.isEmpty }.flatMap { summary(of: $0, labels) }
      }
    )
    appendWAL(of: runs, to: &text)
    appendProcess(of: runs, to: &text)
    return text.contents
  }

  private static func labels(of run: RunResult) -> Labels {
    [("scenario", run.scenario), ("variant", run.variant ?? ""), ("repetition", String(run.repetition))]
  }

  private static func summary(of latency: Latency, _ labels: Labels) -> [Sample] {
    let own: Labels = [
      ("phase", latency.phase.name), ("actor", latency.actor), ("operation", latency.operation),
      ("kind", latency.kind.rawValue),
    ]
    let histogram = latency.histogram
    let quantiles = zip(Percentile.listed, ["0.5", "0.9", "0.99", "0.999"]).compactMap { percentile, quantile in
      histogram.value(at: percentile).map {
        Sample(labels: labels + own + [("quantile", quantile)], value: Double($0) / 1e9)
      }
    }
    return quantiles + [
      Sample(suffix: "_count", labels: labels + own, value: Double(histogram.count)),
      Sample(suffix: "_sum", labels: labels + own, value: histogram.mean * Double(histogram.count) / 1e9),
    ]
  }

  private static func appendVerdicts(of runs: [(run: RunResult, labels: Labels)], to text: inout OpenMetricsText) {
    text.append(
      "yapbench_run",
      .info,
      help: "The run and its environment.",
      samples: runs.map { run, labels in
        let environment = run.environment
        let own: Labels = [
          ("run_id", run.runID),
          ("commit", environment.commit ?? ""), ("driver", run.driver), ("seed", String(run.seed)),
          ("sqlite", environment.sqliteVersion), ("kernel", environment.kernel),
          ("smoke", String(run.isSmoke)), ("partial", String(run.isPartial)),
        ]
        return Sample(labels: labels + own, value: 1)
      }
    )
    text.append(
      "yapbench_exit_code",
      .gauge,
      help: "The run's verdict; 0 if it passed, 111 for wrong data, 113 for an invalid measurement.",
      samples: runs.map { Sample(labels: $1, value: Double($0.verdict.exitCode.rawValue)) }
    )
    text.append(
      "yapbench_expectation_held",
      .gauge,
      help: "1 if the expectation passed, else 0.",
      samples: runs.flatMap { run, labels in
        run.expectations.map { Sample(labels: labels + [("expectation", $0.source)], value: $0.holds ? 1 : 0) }
      }
    )
    text.append(
      "yapbench_invariant_checks",
      .counter,
      help: "The number of checks of the invariant.",
      samples: runs.flatMap { run, labels in
        run.invariants.map { Sample(labels: labels + [("invariant", $0.name)], value: Double($0.checks)) }
      }
    )
    text.append(
      "yapbench_invariant_violations",
      .counter,
      help: "Recorded violations of the invariant; the first one ends a run.",
      samples: runs.flatMap { run, labels in
        run.invariants.map { Sample(labels: labels + [("invariant", $0.name)], value: Double($0.violations.count)) }
      }
    )
  }

  private static func appendWAL(of runs: [(run: RunResult, labels: Labels)], to text: inout OpenMetricsText) {
    func last(_ value: (EngineSample.WAL) -> Int) -> [Sample] {
      runs.compactMap { run, labels in
        run.samples.last?.wal.map { Sample(labels: labels, value: Double(value($0))) }
      }
    }
    let bytes = last(\.bytes)
    text.append("yapbench_wal_bytes", .gauge, unit: "bytes", help: "Size of the WAL file at the end.", samples: bytes)
    text.append(
      "yapbench_wal_backlog_frames",
      .gauge,
      unit: "frames",
      help: "Frames of the WAL that are not in the database file at the end.",
      samples: last(\.backlogFrames)
    )
    text.append(
      "yapbench_connection_age_commits",
      .gauge,
      unit: "commits",
      help: "Commits that the connection was behind at the end.",
      samples: runs.flatMap { run, labels in
        (run.samples.last?.connections ?? []).map {
          Sample(labels: labels + [("connection", $0.name)], value: Double($0.ageCommits))
        }
      }
    )
    func checkpoints(_ value: @escaping (CheckpointResult) -> Double) -> [Sample] {
      runs.flatMap { run, labels in
        Set(run.checkpoints.map(\.outcome)).sorted { $0.rawValue < $1.rawValue }.map { outcome in
          let own = run.checkpoints.filter { $0.outcome == outcome }
          return Sample(labels: labels + [("outcome", outcome.rawValue)], value: own.reduce(0) { $0 + value($1) })
        }
      }
    }
    text.append(
      "yapbench_checkpoints",
      .counter,
      help: "Checkpoints by their outcome.",
      samples: checkpoints { _ in 1 }
    )
    text.append(
      "yapbench_checkpoint_copied_bytes",
      .counter,
      unit: "bytes",
      help: "Bytes that checkpoints copied to the database file.",
      samples: checkpoints { Double($0.bytesCopied) }
    )
  }

  private static func appendProcess(of runs: [(run: RunResult, labels: Labels)], to text: inout OpenMetricsText) {
    func last(_ value: (EngineSample) -> Int?) -> [Sample] {
      runs.compactMap { run, labels in
        run.samples.last.flatMap(value).map { Sample(labels: labels, value: Double($0)) }
      }
    }
    text.append(
      "yapbench_memory_resident_bytes",
      .gauge,
      unit: "bytes",
      help: "Resident memory of the process at the end.",
      samples: last { $0.residentBytes }
    )
    text.append(
      "yapbench_memory_allocated_bytes",
      .gauge,
      unit: "bytes",
      help: "Bytes that the process had allocated at the end.",
      samples: last { $0.allocatedBytes }
    )
    text.append(
      "yapbench_cpu_seconds",
      .counter,
      unit: "seconds",
      help: "Processor time of the process since its start.",
      samples: runs.flatMap { run, labels in
        guard let sample = run.samples.last else { return [Sample]() }
        return [
          Sample(labels: labels + [("mode", "user")], value: Double(sample.userCPUNanoseconds) / 1e9),
          Sample(labels: labels + [("mode", "system")], value: Double(sample.systemCPUNanoseconds) / 1e9),
        ]
      }
    )
  }
}

/// The text of OpenMetrics 1.0: families of samples with labels, and `# EOF`.
///
/// A family's name ends with its unit. A counter's samples add `_total` to the name, an info's sample adds `_info`.
struct OpenMetricsText {
  enum Kind: String {
    case gauge, counter, summary, info
  }

  struct Sample {
    /// Follows the family's name, such as `_count`.
    var suffix = ""
    var labels: [(name: String, value: String)]
    var value: Double
  }

  private var text = ""

  /// - Parameters:
  ///   - name: The name of the family, with its unit and without the suffixes of its samples.
  ///   - unit: "" for none.
  ///   - help: A sentence.
  ///   - samples: Grouped by their labels. Values that are not finite are omitted, and so is a family without samples.
  ///     A series may have one sample: of several with equal labels, as in a record of an expectation that an older
  ///     version accepted twice, the first is kept.
  mutating func append(_ name: String, _ kind: Kind, unit: String = "", help: String, samples: [Sample]) {
    precondition(unit.isEmpty || name.hasSuffix("_" + unit), "The name of a family ends with its unit.")
    let numbers = samples.filter(\.value.isFinite)
    guard !numbers.isEmpty else { return }
    text += "# TYPE \(name) \(kind.rawValue)\n"
    if !unit.isEmpty { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(Self.escaped(help))\n"
    let suffix = kind == .counter ? "_total" : kind == .info ? "_info" : ""
    var known: Set<String> = []
    for sample in numbers {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      let series = "\(name)\(suffix)\(sample.suffix){\(labels)}"
      if known.insert(series).inserted { text += "\(series) \(Self.written(sample.value))\n" }
    }
  }

  var contents: String { text + "# EOF\n" }

  private static func written(_ value: Double) -> String {
    value == value.rounded() && value.magnitude < 1e15 ? String(Int(saturating: value)) : "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    InertText.line(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
