internal import BenchResults
internal import BenchScenario
internal import HarnessPrimitives
internal import LatencyMetrics

/// The values of the expectations' metrics in their phase.
extension PhaseRecord {
  /// - Returns: the value in the metric's base unit; nil where nothing was measured.
  func value(of figure: ExpectedFigure) -> Double? {
    let scope = figure.scope
    if scope.actor == EventResult.actorName { return valueOfEvents(figure) }
    let actors = actors.filter { scope.actor == nil || $0.name == scope.actor }
    let aggregate = figure.aggregate
    switch figure.metric.source {
    // The full duration of a phase that was cut short is unknown.
    case .phaseDuration: return isOver && result.end == .cutShort ? nil : Double(result.durationNanoseconds)
    case .throughput: return throughput(of: actors, in: scope, aggregate)
    case .times(let kind): return duration(kind, of: actors, in: scope, aggregate)
    case .laneWaits:
      // A histogram has no 0: a transaction that did not wait is recorded as 1 ns.
      return Self.aggregate(waits(figure.metric, of: actors), aggregate).map { $0 <= 1 ? 0 : $0 }
    case .notificationReads: return Self.aggregate(waits(figure.metric, of: actors), aggregate)
    case .notificationLag: return notificationLag.flatMap { Self.aggregate($0, aggregate) }
    case .lateness: return Self.aggregate(merged(actors.map(\.lateness)), aggregate)
    case .droppedArrivals:
      let dropped = Double(actors.reduce(0) { $0 + $1.droppedArrivals })
      return figure.isShare ? dropped / Double(max(actors.reduce(0) { $0 + dueArrivals(of: $1) }, 1)) : dropped
    case .deadlocks: return Self.aggregate(deadlocks(actors, scope.operation), aggregate)
    case .allocations: return allocationsPerOperation(actors)
    case .harnessOverhead: return nil  // it is measured after the run
    case .checkpointCount: return Double(checkpoints.count)
    case .writeAmplification: return PhaseWrites(samples)?.amplification
    case .walArea:
      let areas = SampledAreas(samples, frameBytes: frameBytes)
      return areas.hasWAL ? areas.walByteSeconds : nil
    case .checkpoints(let value): return Self.aggregate(checkpoints.map(value), aggregate)
    case .recoveries(let value): return Self.aggregate(events.compactMap(\.recovery).map(value), aggregate)
    case .sample(let value): return Self.aggregate(samples.compactMap { value($0, frameBytes) }, aggregate)
    case .sampledCount(let count):
      return Self.aggregate(SampledMetrics.increments(of: count, in: samples), aggregate)
    case .logicalBytes, .fileCount:
      let increments = SampledMetrics.increments(
        of: { sample in figure.metric.writeCount(in: sample).map { Double($0) } },
        in: samples
      )
      return Self.aggregate(increments, aggregate)
    case .cacheCount(let count):
      let connections = scope.actor == nil ? nil : Set(actors.flatMap(\.settings.connections))
      let increments = SampledMetrics.increments(of: count.value, in: samples, on: connections)
      guard figure.isShare else { return Self.aggregate(increments, aggregate) }
      let reads = SampledMetrics.increments(of: count.reads, in: samples, on: connections).reduce(0, +)
      return reads > 0 ? increments.reduce(0, +) / reads : nil
    }
  }

  /// The number of arrivals that were due; while the phase runs, until its last sample. 0 for a closed load.
  private func dueArrivals(of actor: Actor) -> Int { actor.dueArrivals ?? samples.last?.dueArrivals[actor.name] ?? 0 }

  private func valueOfEvents(_ figure: ExpectedFigure) -> Double? {
    guard let word = figure.scope.operation else { return nil }
    switch figure.metric {
    case .wait: return Self.aggregate(eventHistogram(.wait, of: word), figure.aggregate)
    case .service: return Self.aggregate(eventHistogram(.service, of: word), figure.aggregate)
    case .response: return Self.aggregate(eventHistogram(.response, of: word), figure.aggregate)
    default: return nil  // the loader refuses the others
    }
  }

  /// Transactions or operations per second: the mean over the phase, or an aggregate over its whole seconds. Without a
  /// whole second, and for an operation, which is not counted by the second, the mean replaces any other aggregate.
  ///
  /// While the phase runs, only closed seconds count, because later times may be missing, and an operation has no rate.
  private func throughput(of actors: [Actor], in scope: ExpectationScope, _ aggregate: Aggregate?) -> Double? {
    let counts = scope.operation == nil ? countsOfSeconds(actors) : []
    if isOver, aggregate == .mean || counts.isEmpty {
      // One sum for the actors that have met their schedules, whose time is another: not a sum of rates, which would be
      // rounded several times.
      let groups = [true, false].map { isMet in actors.filter { $0.hasMetSchedule == isMet } }
      let rates = groups.filter { !$0.isEmpty }.map { group in
        let ended = group.reduce(0) { $0 + count($1, scope) }
        return result.ratePerSecond(of: ended, hasMetSchedule: group[0].hasMetSchedule)
      }
      return rates.contains { $0 == nil } ? nil : rates.reduce(0) { $0 + ($1 ?? 0) }
    }
    return Self.aggregate(counts, aggregate)
  }

  /// Transactions that ended in each whole second, including seconds in which none ended.
  private func countsOfSeconds(_ actors: [Actor]) -> [Double] {
    let length = ActorTimings.intervalNanoseconds
    func second(of interval: IntervalResult) -> Int {
      Int((interval.startNanoseconds - min(result.startNanoseconds, interval.startNanoseconds)) / length)
    }
    let seconds = actors.map { $0.intervals[.service] ?? IntervalSeries() }
    let closed = seconds.map { ($0.map(second).max() ?? -1) + 1 }.min() ?? 0
    let whole = isOver ? Int(result.durationNanoseconds / length) : closed
    var counts = Array(repeating: 0.0, count: whole)
    for interval in seconds.joined() where second(of: interval) < whole {
      counts[second(of: interval)] += Double(interval.count)
    }
    return counts
  }

  /// nil while the phase runs, if allocations are not counted, and if no operation has ended.
  private func allocationsPerOperation(_ actors: [Actor]) -> Double? {
    let counted = actors.filter { $0.allocations != nil }
    let operations = counted.reduce(0) { $0 + $1.operations }
    return operations > 0 ? Double(counted.reduce(0) { $0 + ($1.allocations ?? 0) }) / Double(operations) : nil
  }

  /// Refused nested transactions before the first sample, between consecutive samples, and after the last one.
  private func deadlocks(_ actors: [Actor], _ operation: String?) -> [Double] {
    func sum(_ counts: [String: Int]) -> Int {
      counts.filter { operation == nil || $0.key == operation }.values.reduce(0, +)
    }
    let sampled = samples.map { sample in
      actors.reduce(0) { $0 + sum(sample.deadlocks[$1.name] ?? [:]) }
    }
    let counts = sampled + [actors.reduce(0) { $0 + sum($1.deadlocks) }]
    return zip([0] + counts, counts).map { Double($1 - min($0, $1)) }
  }

  private func count(_ actor: Actor, _ scope: ExpectationScope) -> Int {
    histogram(.service, of: actor, in: scope)?.count ?? 0
  }

  private func duration(
    _ kind: TimeKind,
    of actors: [Actor],
    in scope: ExpectationScope,
    _ aggregate: Aggregate?
  ) -> Double? {
    let histograms = actors.compactMap { actor -> LatencyHistogram? in
      // In a closed load a transaction begins when it is due, so its response time is its service time.
      histogram(actor.settings.load.isClosed && kind == .response ? .service : kind, of: actor, in: scope)
    }
    return Self.aggregate(merged(histograms), aggregate)
  }

  /// The times of the actor's transactions, of one of its operations, or of that operation's reads with one outcome;
  /// nil if they are not recorded.
  private func histogram(_ kind: TimeKind, of actor: Actor, in scope: ExpectationScope) -> LatencyHistogram? {
    guard let operation = scope.operation else {
      return actor.slots.transactions(kind, in: actor.histograms, digits: digits)
    }
    guard let outcome = scope.outcome else { return actor.slots.operation(operation, kind, in: actor.histograms) }
    return actor.slots.reads(operation, outcome, in: actor.histograms)
  }

  private func waits(_ metric: Metric, of actors: [Actor]) -> LatencyHistogram {
    merged(actors.compactMap { $0.slots.waits(metric, in: $0.histograms) })
  }

  private func merged(_ histograms: [LatencyHistogram]) -> LatencyHistogram {
    var sum = LatencyHistogram(digits: digits)
    for histogram in histograms { sum.add(histogram) }
    return sum
  }

  static func aggregate(_ histogram: LatencyHistogram, _ aggregate: Aggregate?) -> Double? {
    guard !histogram.isEmpty, let aggregate else { return nil }
    switch aggregate {
    case .min: return Double(histogram.minimum)
    case .mean: return histogram.mean
    case .max: return Double(histogram.maximum)
    case .last, .sum: return nil  // the loader refuses them for durations
    case .p50, .p90, .p95, .p99, .p999, .p9999:
      return aggregate.percentile.flatMap { histogram.value(at: $0) }.map { Double($0) }
    }
  }

  static func aggregate(_ values: [Double], _ aggregate: Aggregate?) -> Double? {
    guard !values.isEmpty, let aggregate else { return nil }
    switch aggregate {
    case .min: return values.min()
    case .mean: return values.reduce(0, +) / Double(values.count)
    case .max: return values.max()
    case .last: return values.last
    case .sum: return values.reduce(0, +)
    case .p50, .p90, .p95, .p99, .p999, .p9999:
      return aggregate.percentile.flatMap { values.value(at: $0) }
    }
  }
}
