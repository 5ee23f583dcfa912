public import BenchResults
internal import HarnessPrimitives
internal import LatencyMetrics

/// The figures of a run that a comparison uses, in a stable order.
///
/// Only recorded phases have figures, and only valid percentiles are figures.
public enum RunFigures {
  /// Returns the figures of all runs of the result; a figure occurs once for each repetition.
  public static func figures(of result: ScenarioResult) -> [RunFigure] {
    recordedPhases(of: result).flatMap { run, phase, path in
      latencies(in: phase, at: path) + parts(of: run, in: phase, at: path) + counts(of: run, in: phase, at: path)
    }
  }

  /// Returns a percentile curve for each compared latency of each run of the result. A curve may be empty.
  public static func curves(of result: ScenarioResult) -> [PercentileCurve] {
    recordedPhases(of: result).flatMap { run, phase, path in
      comparedLatencies(in: phase).map { latency in
        let histogram = latency.histogram
        let percentiles = PercentileCurve.percents.lazy.map(Percentile.init).prefix { $0.isValid(of: histogram.count) }
        return PercentileCurve(
          workload: workload(of: latency, at: path),
          nanoseconds: percentiles.compactMap(histogram.value).map { Double($0) }
        )
      }
    }
  }

  private static func recordedPhases(
    of result: ScenarioResult
  ) -> [(run: RunResult, phase: PhaseResult, path: String)] {
    result.runs.flatMap { run in
      let scenario = [run.scenario, run.variant].compactMap { $0 }.joined(separator: "/")
      return run.phases.filter(\.isRecorded).map { (run, $0, "\(scenario)/\($0.name)") }
    }
  }

  // MARK: Latencies and throughput

  private static func latencies(in phase: PhaseResult, at path: String) -> [RunFigure] {
    comparedLatencies(in: phase).flatMap { latency in
      let workload = workload(of: latency, at: path)
      let percentiles = percentiles(of: latency.histogram, workload: workload)
      // The throughput of an open load is prescribed by its schedule.
      guard latency.operation == OperationResult.transaction, latency.kind == .service, let rate = latency.ratePerSecond
      else { return percentiles }
      let throughput = RunFigure(
        name: FigureName(workload: workload, metric: "throughput"),
        role: .primary,
        unit: .perSecond,
        better: .higher,
        value: rate
      )
      return [throughput] + percentiles
    }
  }

  /// Returns the latencies as users see them. Transactions count with their service time under a closed load and their
  /// response time under an open one. Moves of a bookmark count with their service time.
  private static func comparedLatencies(in phase: PhaseResult) -> [Latency] {
    phase.latencies.filter { latency in
      switch latency.operation {
      case OperationResult.transaction:
        latency.kind == (phase.actor(latency.actor)?.load == .closed ? .service : .response)
      case OperationResult.advance: latency.kind == .service
      default: false
      }
    }
  }

  private static func workload(of latency: Latency, at path: String) -> String {
    "\(path)/\(latency.actor)" + (latency.operation == OperationResult.transaction ? "" : "/\(latency.operation)")
  }

  private static func percentiles(of histogram: LatencyHistogram, workload: String) -> [RunFigure] {
    Percentile.listed.compactMap { percentile in
      guard let value = histogram.value(at: percentile) else { return nil }
      var figure = RunFigure(
        name: FigureName(workload: workload, metric: percentile.name),
        role: Percentile.compared.contains(percentile) ? .primary : .secondary,
        unit: .nanoseconds,
        value: Double(value)
      )
      figure.exceedances = percentile.valuesBeyond(of: histogram.count)
      return figure
    }
  }

  // MARK: Parts

  /// Returns the mean time of each part of an actor's commits, and the counts of the caches' work.
  private static func parts(of run: RunResult, in phase: PhaseResult, at path: String) -> [RunFigure] {
    commitParts(in: phase, at: path)
      + cacheCounts(run.samples.filter { $0.phase == phase.name }).map { metric, count in
        RunFigure(name: FigureName(workload: path, metric: metric), role: .part, unit: .number, value: Double(count))
      }
  }

  private static func commitParts(in phase: PhaseResult, at path: String) -> [RunFigure] {
    phase.actors.flatMap { actor in
      guard let sum = actor.commitTimes, sum.count > 0 else { return [RunFigure]() }
      return CommitPart.all.filter { !$0.isNested }.map { part in
        RunFigure(
          name: FigureName(workload: "\(path)/\(actor.name)", metric: part.name),
          role: .part,
          unit: .nanoseconds,
          value: Double(part.time(sum.times)) / Double(sum.count)
        )
      }
    }
  }

  /// Returns the work of all connections' caches in a phase; empty without caches, or if their number has changed.
  private static func cacheCounts(_ samples: [EngineSample]) -> [(metric: String, count: Int)] {
    func caches(_ sample: EngineSample?) -> [EngineSample.CacheCounts] {
      (sample?.connections ?? []).compactMap(\.caches).flatMap { [$0.object, $0.metadata] }
    }
    let (before, after) = (caches(samples.first), caches(samples.last))
    // If a connection was opened or closed between the two samples, their sums cannot be compared.
    guard !after.isEmpty, before.count == after.count else { return [] }
    func difference(_ count: (EngineSample.CacheCounts) -> Int) -> Int {
      after.reduce(0) { $0 + count($1) } - before.reduce(0) { $0 + count($1) }
    }
    return [
      ("cache misses", difference(\.misses)), ("values decoded", difference(\.decoded)),
      ("values copied", difference(\.copied)), ("cache entries dropped", difference(\.dropped)),
    ]
  }

  // MARK: Counts

  private static func counts(of run: RunResult, in phase: PhaseResult, at path: String) -> [RunFigure] {
    let samples = run.samples.filter { $0.phase == phase.name }
    var counts: [(workload: String, metric: String, unit: FigureUnit, value: Double)] = []
    for actor in phase.actors {
      guard let perOperation = actor.allocationsPerOperation else { continue }
      counts.append(("\(path)/\(actor.name)", "allocations per operation", .number, perOperation))
    }
    if let writes = PhaseWrites(samples) {
      counts.append((path, "WAL bytes written", .bytes, Double(writes.files.wal.bytes)))
      counts.append((path, "database bytes written", .bytes, Double(writes.files.database.bytes)))
      counts.append((path, "syncs", .number, Double(writes.files.syncs)))
    }
    if let peak = samples.compactMap({ $0.wal?.bytes }).max() {
      counts.append((path, "WAL peak", .bytes, Double(peak)))
    }
    return counts.map { count in
      RunFigure(
        name: FigureName(workload: count.workload, metric: count.metric),
        role: .count,
        unit: count.unit,
        value: count.value
      )
    }
  }
}
