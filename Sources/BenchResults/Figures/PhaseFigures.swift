internal import HarnessPrimitives
package import LatencyMetrics

/// Computes the figures of one phase from its result. Nothing else computes a figure that has a `FigureID`.
package struct PhaseFigures: Sendable {
  package let phase: PhaseResult
  /// The samples of the phase.
  package let samples: [EngineSample]
  /// The checkpoints of the phase.
  package let checkpoints: [CheckpointResult]
  /// The size of a frame of the WAL, header and page.
  package let frameBytes: Int
  /// The connections and pools of each actor. A result has them only for actors with one connection.
  private let connections: [String: [String]]
  /// Whether the phase's measurements are complete. Until then, only closed seconds count for the throughput.
  private let isOver: Bool

  package init(
    _ phase: PhaseResult,
    samples: [EngineSample],
    checkpoints: [CheckpointResult],
    frameBytes: Int,
    connections: [String: [String]]? = nil,
    isOver: Bool = true
  ) {
    (self.phase, self.samples, self.checkpoints) = (phase, samples, checkpoints)
    (self.frameBytes, self.isOver) = (frameBytes, isOver)
    let ofResult = phase.actors.compactMap { actor in actor.connection.map { (actor.name, [$0]) } }
    self.connections = connections ?? Dictionary(ofResult) { first, _ in first }
  }

  /// Returns the value of a figure of this phase in the metric's base unit; nil if nothing was measured, and for
  /// `harness.overhead`, which belongs to the run.
  package func value(of figure: FigureID) -> Double? {
    let (scope, aggregate) = (figure.scope, figure.aggregate)
    switch figure.metric.source {
    // The full duration of a phase that was cut short is unknown.
    case .phaseDuration: return isOver && phase.end == .cutShort ? nil : Double(phase.durationNanoseconds)
    case .throughput: return throughput(scope, aggregate)
    case .operations: return isOver ? meanRate(of: actors(in: scope)) { $0.operationCount } : nil
    case .endRate:
      let rates = actors(in: scope).compactMap(\.endRatePerSecond)
      return rates.isEmpty ? nil : rates.reduce(0, +)
    case .times, .notificationReads, .notificationLag, .lateness:
      return histogram(of: figure).flatMap { $0.value(of: aggregate) }
    case .laneWaits:
      // A histogram has no 0: a transaction that did not wait is recorded as 1 ns.
      return histogram(of: figure).flatMap { $0.value(of: aggregate) }.map { $0 <= 1 ? 0 : $0 }
    case .droppedArrivals:
      let dropped = Double(actors(in: scope).map { $0.droppedArrivals ?? 0 }.saturatingSum())
      let due = actors(in: scope).map(dueArrivals).saturatingSum()
      return figure.isShare ? dropped / Double(max(due, 1)) : dropped
    case .allocations: return allocationsPerOperation(actors(in: scope))
    case .harnessOverhead: return nil
    case .checkpointCount: return Double(checkpoints.count)
    case .writeAmplification: return writeAmplification
    case .walArea:
      let areas = SampledAreas(samples, frameBytes: frameBytes)
      return areas.hasWAL ? areas.walByteSeconds : nil
    case .cacheCount(let count) where figure.isShare:
      let reads = increments(of: count.reads, in: scope).reduce(0, +)
      return reads > 0 ? increments(of: count.value, in: scope).reduce(0, +) / reads : nil
    case .deadlocks, .sample, .connection, .sampledCount, .logicalBytes, .cacheCount, .checkpoints, .recoveries:
      return values(of: figure.metric, in: scope).value(of: aggregate)
    }
  }

  /// Returns the durations of a figure of durations, of all actors of its scope together; nil for any other figure, and
  /// if none are recorded.
  package func histogram(of figure: FigureID) -> LatencyHistogram? {
    let scope = figure.scope
    switch figure.metric.source {
    case .times(let kind):
      if scope.actor == EventResult.actorName {
        return phase.eventTimes.first { $0.name == scope.operation }?.times[kind]
      }
      return actors(in: scope).compactMap { times(kind, of: $0, in: scope) }.sum()
    case .laneWaits(let wait), .notificationReads(let wait):
      return actors(in: scope).compactMap { wait($0)?.histogram }.sum()
    case .notificationLag: return phase.notificationLag?.histogram
    case .lateness: return actors(in: scope).map(\.lateness).sum()
    default: return nil
    }
  }

  /// Returns the values of a metric that are aggregated, in the order of time; empty for a metric that is one number or
  /// has durations.
  package func values(of metric: Metric, in scope: FigureScope) -> [Double] {
    switch metric.source {
    case .sample, .connection: samples.compactMap { metric.value(in: $0, frameBytes: frameBytes) }
    case .sampledCount(let count): Self.increments(samples.compactMap(count))
    case .logicalBytes: Self.increments(samples.map { $0.logicalBytes.values.saturatingSum() })
    case .cacheCount(let count): increments(of: count.value, in: scope)
    case .deadlocks: deadlocks(in: scope)
    case .checkpoints(let value): checkpoints.map { Double(value($0)) }
    case .recoveries(let value): phase.events.compactMap(\.recovery).map { Double(value($0)) }
    default: []
    }
  }

  func actors(in scope: FigureScope) -> [ActorResult] {
    phase.actors.filter { scope.actor == nil || $0.name == scope.actor }
  }

  // MARK: Transactions

  /// Returns the times of an actor's transactions, of one of its operations, or of that operation's reads with one
  /// outcome; nil if they are not recorded.
  private func times(_ kind: TimeKind, of actor: ActorResult, in scope: FigureScope) -> LatencyHistogram? {
    let operation = actor.operation(scope.operation ?? OperationResult.transaction)
    // In a closed load a transaction begins when it is due, so its response time is its service time.
    let recorded = actor.load == .closed && kind == .response ? .service : kind
    guard let outcome = scope.outcome else { return operation?.times[recorded] }
    return operation?.outcomes?[outcome]
  }

  /// Transactions or operations per second: the mean over the phase, or an aggregate over its whole seconds. Without a
  /// whole second, and for an operation, which is not counted by the second, the mean replaces any other aggregate.
  ///
  /// While the phase runs, only closed seconds count, because later times may be missing, and an operation has no rate.
  private func throughput(_ scope: FigureScope, _ aggregate: Aggregate?) -> Double? {
    let actors = actors(in: scope)
    if isOver, aggregate == .mean || scope.operation != nil { return meanThroughput(of: actors, scope) }
    let counts = scope.operation == nil ? countsOfSeconds(actors) : []
    return isOver && counts.isEmpty ? meanThroughput(of: actors, scope) : counts.value(of: aggregate)
  }

  private func meanThroughput(of actors: [ActorResult], _ scope: FigureScope) -> Double? {
    let isTimed = scope.actor == nil || actors.contains { times(.service, of: $0, in: scope) != nil }
    return isTimed ? meanRate(of: actors) { times(.service, of: $0, in: scope)?.count ?? 0 } : nil
  }

  /// Returns a count of the actors per second of the phase; nil if the phase took no time.
  private func meanRate(of actors: [ActorResult], _ count: (ActorResult) -> Int) -> Double? {
    // One sum for the actors that have met their schedules, whose time is another: not a sum of rates, which would be
    // rounded several times.
    let groups = [true, false].map { isMet in actors.filter { $0.hasMetSchedule == isMet } }
    let rates = groups.filter { !$0.isEmpty }.map { group in
      phase.ratePerSecond(of: group.map(count).saturatingSum(), by: group[0])
    }
    return rates.contains { $0 == nil } ? nil : rates.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Returns the number of transactions that ended in each whole second, including seconds in which none ended.
  private func countsOfSeconds(_ actors: [ActorResult]) -> [Double] {
    let length = IntervalResult.wholeNanoseconds
    func second(of interval: IntervalResult) -> Int {
      Int((interval.startNanoseconds - min(phase.startNanoseconds, interval.startNanoseconds)) / length)
    }
    let seconds = actors.map { $0.intervals[.service] ?? IntervalSeries() }
    let closed = seconds.map { ($0.map(second).max() ?? -1) + 1 }.min() ?? 0
    let whole = isOver ? Int(phase.durationNanoseconds / length) : closed
    var counts = Array(repeating: 0.0, count: whole)
    for interval in seconds.joined() where second(of: interval) < whole {
      counts[second(of: interval)] += Double(interval.count)
    }
    return counts
  }

  /// Returns the number of arrivals that were due; while the phase runs, until its last sample. 0 for a closed load.
  private func dueArrivals(of actor: ActorResult) -> Int {
    actor.dueArrivals ?? samples.last?.dueArrivals[actor.name] ?? 0
  }

  /// nil while the phase runs, if allocations are not counted, and if no operation has ended.
  private func allocationsPerOperation(_ actors: [ActorResult]) -> Double? {
    let counted = actors.filter { $0.allocations != nil }
    let operations = counted.map(\.operationCount).saturatingSum()
    return operations > 0 ? Double(counted.compactMap(\.allocations).saturatingSum()) / Double(operations) : nil
  }

  /// Returns refused nested transactions before the first sample, between consecutive samples, and after the last one.
  private func deadlocks(in scope: FigureScope) -> [Double] {
    func isAsked(_ operation: String) -> Bool { scope.operation == nil || operation == scope.operation }
    let actors = actors(in: scope)
    let sampled = samples.map { sample in
      actors.flatMap { sample.deadlocks[$0.name] ?? [:] }.filter { isAsked($0.key) }.map(\.value).saturatingSum()
    }
    let last = actors.flatMap(\.operations).filter { isAsked($0.name) }.compactMap(\.deadlocks).saturatingSum()
    return Self.increments([0] + sampled + [last])
  }

  // MARK: Counts of samples

  /// Bytes written to the WAL and to the database file for each logical byte; nil if nothing was stored, or without
  /// counts of files.
  ///
  /// Checkpoints of the phase may copy frames of earlier phases, and may leave frames of this one in the WAL.
  private var writeAmplification: Double? {
    let counted = samples.filter { $0.writes != nil }
    let stored = Self.increments(counted.map { $0.logicalBytes.values.saturatingSum() }).reduce(0, +)
    let written = [Metric.ioWALBytesWritten, .ioDatabaseBytesWritten].flatMap { metric in
      values(of: metric, in: FigureScope(phase.name))
    }
    return stored > 0 ? written.reduce(0, +) / stored : nil
  }

  /// Returns the increments between consecutive counts.
  private static func increments(_ counts: [Int]) -> [Double] {
    zip(counts, counts.dropFirst()).map { max(Double($1) - Double($0), 0) }
  }

  /// Returns the increments of a cache count between consecutive samples, summed over the connections of the scope: an
  /// element for each sample after the first that has such counts.
  private func increments(of count: (EngineSample.Caches) -> Int, in scope: FigureScope) -> [Double] {
    let names = scope.actor.map { actor in Set(connections[actor] ?? []) }
    // A connection's counts begin at 0, and the connection may be opened between two samples.
    func counts(_ sample: EngineSample) -> [String: Int] {
      let asked = sample.connections.filter { one in
        names?.contains(EngineSample.Connection.declaredName(of: one.name)) ?? true
      }
      return Dictionary(asked.compactMap { one in one.caches.map { (one.name, count($0)) } }) { $1 }
    }
    let all = samples.map(counts)
    return zip(all, all.dropFirst()).compactMap { earlier, later in
      later.isEmpty ? nil : later.reduce(0) { $0 + max(Double($1.value) - Double(earlier[$1.key] ?? 0), 0) }
    }
  }
}

extension RunResult {
  /// The size of a frame's header in the WAL.
  private static var frameHeaderBytes: Int { 24 }

  /// The size of a frame of the WAL, header and page.
  package var frameBytes: Int { pageSizeBytes + Self.frameHeaderBytes }

  /// Returns the samples of a phase until the first one at or after its end. Changes while its last transactions end do
  /// not belong to the phase.
  package func samples(of phase: PhaseResult) -> [EngineSample] {
    let own = samples.filter { $0.phase == phase.name }
    let last = own.firstIndex { $0.elapsedNanoseconds >= phase.endNanoseconds }
    return last.map { Array(own[...$0]) } ?? own
  }

  /// Returns the figures of a phase of the run; nil if the run has no such phase.
  package func figures(in phase: String) -> PhaseFigures? { self.phase(named: phase).map(figures) }

  package func figures(of phase: PhaseResult) -> PhaseFigures {
    PhaseFigures(
      phase,
      samples: samples(of: phase),
      checkpoints: checkpoints.filter { $0.phase == phase.name },
      frameBytes: frameBytes
    )
  }
}

extension Collection<LatencyHistogram> {
  /// Returns all durations together; nil for an empty collection.
  package func sum() -> LatencyHistogram? {
    first.map { first in dropFirst().reduce(into: first) { $0.add($1) } }
  }
}
