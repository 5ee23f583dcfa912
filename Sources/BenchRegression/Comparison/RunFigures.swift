package import BenchResults
internal import HarnessPrimitives
internal import LatencyMetrics

/// The figures of a run that a comparison uses, in a stable order.
///
/// Only recorded phases have figures, and only valid percentiles are figures. A disturbance of the phase makes times
/// wrong, which include rates; counts are those of the work that was done.
package enum RunFigures {
  /// A figure of a phase, with its names in a comparison.
  private struct Row {
    /// The actor and the operation; empty for a figure of the phase.
    var owner = ""
    var metric: String
    var role: FigureRole
    /// More than one for a sum.
    var ids: [FigureID]

    /// Counts are written as numbers, because a median of counts may be a fraction.
    var unit: FigureUnit { ids[0].unit == .count ? .number : ids[0].unit }
    var isTime: Bool { [.nanoseconds, .perSecond].contains(unit) }
  }

  private static func row(_ id: FigureID, _ role: FigureRole, owner: String = "") -> Row {
    Row(owner: owner, metric: id.aggregate?.percentile?.name ?? id.metric.title, role: role, ids: [id])
  }

  /// Returns the figures of all runs of the result; a figure occurs once for each repetition.
  package static func figures(of result: ScenarioResult) -> [RunFigure] {
    recordedPhases(of: result).flatMap { run, phase, path in
      let figures = run.figures(of: phase)
      let rows = phase.actors.flatMap { timed(by: $0, in: phase) }
      return values(rows, in: figures, path) + commitParts(in: figures, at: path)
        + values(cacheCounts(in: phase) + counts(in: phase), in: figures, path)
    }
  }

  private static func values(_ rows: [Row], in figures: PhaseFigures, _ path: String) -> [RunFigure] {
    rows.compactMap { row in
      let values = row.ids.compactMap(figures.value)
      guard !values.isEmpty else { return nil }
      var figure = RunFigure(
        name: FigureName(workload: path + row.owner, metric: row.metric),
        role: row.role,
        unit: row.unit,
        better: row.ids[0].better,
        value: values.reduce(0, +)
      )
      figure.exceedances = row.ids[0].aggregate?.percentile.flatMap { percentile in
        figures.histogram(of: row.ids[0]).map { percentile.valuesBeyond(of: $0.count) }
      }
      figure.isDisturbed = row.isTime && row.ids.contains(where: figures.isDisturbed)
      return figure
    }
  }

  /// Returns a percentile curve for each compared latency of each run of the result. A curve may be empty.
  package static func curves(of result: ScenarioResult) -> [PercentileCurve] {
    recordedPhases(of: result).flatMap { run, phase, path in
      let figures = run.figures(of: phase)
      return phase.actors.flatMap { actor in
        latencies(of: actor, in: phase).compactMap { owner, times -> PercentileCurve? in
          guard let histogram = figures.histogram(of: times) else { return nil }
          let percentiles = PercentileCurve.percents.lazy.map(Percentile.init).prefix {
            $0.isValid(of: histogram.count)
          }
          return PercentileCurve(
            workload: path + owner,
            nanoseconds: percentiles.compactMap(histogram.value).map { Double($0) }
          )
        }
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

  /// Returns the durations as users see them. Transactions count with their service time under a closed load and their
  /// response time under an open one. Moves of a bookmark count with their service time.
  private static func latencies(of actor: ActorResult, in phase: PhaseResult) -> [(owner: String, times: FigureID)] {
    let advance = OperationResult.advance
    let transactions = FigureID(
      actor.load == .closed ? .service : .response,
      of: FigureScope(phase.name, actor: actor.name)
    )
    let moves = FigureID(.service, of: FigureScope(phase.name, actor: actor.name, operation: advance))
    return [("/\(actor.name)", transactions), ("/\(actor.name)/\(advance)", moves)]
  }

  private static func timed(by actor: ActorResult, in phase: PhaseResult) -> [Row] {
    let throughput = FigureID(.throughput, .mean, of: FigureScope(phase.name, actor: actor.name))
    // The throughput of an open load is prescribed by its schedule.
    return (actor.load == .closed ? [row(throughput, .primary, owner: "/\(actor.name)")] : [])
      + latencies(of: actor, in: phase).flatMap { owner, times in
        Percentile.listed.map { percentile in
          let id = FigureID(times.metric, percentile.aggregate, of: times.scope)
          return row(id, Percentile.compared.contains(percentile) ? .primary : .secondary, owner: owner)
        }
      }
  }

  // MARK: Parts

  /// Returns the mean time of each part of an actor's commits. The parts are disturbed if their whole is.
  private static func commitParts(in figures: PhaseFigures, at path: String) -> [RunFigure] {
    figures.phase.actors.flatMap { actor in
      guard let sum = actor.commitTimes, sum.count > 0 else { return [RunFigure]() }
      let whole = FigureID(.service, .mean, of: FigureScope(figures.phase.name, actor: actor.name))
      return CommitPart.all.filter { !$0.isNested }.map { part in
        var figure = RunFigure(
          name: FigureName(workload: "\(path)/\(actor.name)", metric: part.name),
          role: .part,
          unit: .nanoseconds,
          value: Double(part.time(sum.times)) / Double(sum.count)
        )
        figure.isDisturbed = figures.isDisturbed(whole)
        return figure
      }
    }
  }

  /// Returns the work of all connections' caches, of objects and metadata together.
  private static func cacheCounts(in phase: PhaseResult) -> [Row] {
    let counts = [
      ("cache misses", "misses"), ("values decoded", "decoded"), ("values copied", "copied"),
      ("cache entries dropped", "dropped"),
    ]
    return counts.map { title, count in
      let ids = Metric.cacheCounts(named: count).map { FigureID($0, .sum, of: FigureScope(phase.name)) }
      return Row(metric: title, role: .part, ids: ids)
    }
  }

  // MARK: Counts

  private static func counts(in phase: PhaseResult) -> [Row] {
    let scope = FigureScope(phase.name)
    let allocations = phase.actors.map { actor in
      let id = FigureID(.memoryAllocationsPerOperation, of: FigureScope(phase.name, actor: actor.name))
      return row(id, .count, owner: "/\(actor.name)")
    }
    return allocations
      + [
        FigureID(.ioWALBytesWritten, .sum, of: scope), FigureID(.ioDatabaseBytesWritten, .sum, of: scope),
        FigureID(.ioSyncs, .sum, of: scope), FigureID(.walBytes, .max, of: scope),
      ].map { row($0, .count) }
  }
}
