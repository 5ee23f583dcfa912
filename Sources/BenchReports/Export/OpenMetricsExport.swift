internal import BenchResults
internal import HarnessPrimitives
internal import LatencyMetrics

/// The last values, totals and verdict of a run, for collectors of metrics. Only `yapbench_run_info` names the run,
/// because a label that differs in each run would make each of them a new series.
enum OpenMetricsExport {
  private typealias Sample = OpenMetricsText.Sample
  private typealias Labels = [(name: String, value: String)]
  private typealias Value = (labels: Labels, value: Double)

  static func text(of result: ScenarioResult) -> String {
    var text = OpenMetricsText()
    let runs = result.runs.map { (run: $0, labels: labels(of: $0)) }
    /// - Parameter values: Returns the values of a run, with the labels that no other family has.
    func append(
      _ name: String,
      _ kind: OpenMetricsText.Kind,
      unit: String = "",
      help: String,
      values: (RunResult) -> [Value]
    ) {
      let samples = runs.flatMap { run, labels in
        values(run).map { Sample(labels: labels + $0.labels, value: $0.value) }
      }
      text.append("yapbench_" + name, kind, unit: unit, help: help, samples: samples)
    }
    append("run", .info, help: "The run and its environment.") { [(identity(of: $0), 1)] }
    append(
      "exit_code",
      .gauge,
      help: "The run's verdict; 0 if it passed, 111 for wrong data, 113 for an invalid measurement."
    ) { [([], Double($0.verdict.exitCode.rawValue))] }
    append("expectation_held", .gauge, help: "1 if the expectation passed, else 0.") { run in
      run.expectations.map { ([("expectation", $0.source)], $0.holds ? 1 : 0) }
    }
    append("invariant_checks", .counter, help: "The number of checks of the invariant.") { run in
      run.invariants.map { ([("invariant", $0.name)], Double($0.checks)) }
    }
    append(
      "invariant_violations",
      .counter,
      help: "Recorded violations of the invariant; the first one ends a run."
    ) { run in run.invariants.map { ([("invariant", $0.name)], Double($0.violations.count)) } }
    text.append(
      "yapbench_latency_seconds",
      .summary,
      unit: "seconds",
      help: "Durations of an operation of an actor in a phase, by kind of time.",
      samples: runs.flatMap { run, labels in
        run.latencies.filter { !$0.histogram.isEmpty }.flatMap { summary(of: $0, labels) }
      }
    )
    let exported = Metric.allCases.filter { $0.family != nil }
    for (index, metric) in exported.enumerated() where exported[..<index].last?.family?.name != metric.family?.name {
      guard let family = metric.family else { continue }
      let ofFamily = exported[index...].prefix { $0.family?.name == family.name }
      append(family.name, metric.isSampled ? .gauge : .counter, unit: family.unit, help: family.help) { run in
        ofFamily.flatMap { metric in
          let own = (metric.family?.label).map { [$0] } ?? []
          return last(metric, of: run).map { (own + $0.labels, $0.value) }
        }
      }
    }
    return text.contents
  }

  private static func identity(of run: RunResult) -> Labels {
    let environment = run.environment
    return [
      ("run_id", run.runID), ("commit", environment.commit ?? ""), ("driver", run.driver), ("seed", String(run.seed)),
      ("sqlite", environment.sqliteVersion), ("kernel", environment.kernel), ("smoke", String(run.isSmoke)),
      ("partial", String(run.isPartial)),
    ]
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

  /// Returns the metric's values in the last sample, by connection if connections have it, or its total over all
  /// checkpoints, by their outcome.
  private static func last(_ metric: Metric, of run: RunResult) -> [Value] {
    func byOutcome(_ value: (CheckpointResult) -> Double) -> [Value] {
      Set(run.checkpoints.map(\.outcome)).sorted { $0.rawValue < $1.rawValue }.map { outcome in
        let own = run.checkpoints.filter { $0.outcome == outcome }
        return ([("outcome", outcome.rawValue)], own.reduce(0) { $0 + value($1) })
      }
    }
    switch metric.source {
    case .checkpointCount: return byOutcome { _ in 1 }
    case .checkpoints(let value): return byOutcome(value)
    default:
      let isDuration = [.nanoseconds, .seconds].contains(metric.unit)
      return run.samples.last.map { metric.recorded(in: $0, frameBytes: run.frameBytes) }.map { recorded in
        recorded.map { owner, value in
          (owner.map { [("connection", $0)] } ?? [], isDuration ? Double(value) / 1e9 : Double(value))
        }
      } ?? []
    }
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
