internal import BenchResults
internal import BenchScenario
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The phase that is running, from the conductor's side.
struct ConductedPhase {
  let running: RunningPhase
  let actors: [RunningActor]
  /// nil for a phase without events.
  private let events: PhaseEvents?
  /// Wakes the conductor when all workers and the events have ended.
  let woken = Parker()
  var lastReportedAt: UInt64 = 0
  private var longestStandstillNanoseconds: UInt64 = 0
  private var collections: [TimingCollection]
  /// The due arrivals of each actor; nil for a closed load, in a phase that counts operations, and while the phase
  /// runs.
  private var dueArrivals: [Int?]
  /// The number of allocations of each actor's workers; nil while the phase runs, and if they are not counted.
  private var allocations: [Int?]
  private let digits: Int
  private var runStart: UInt64 = 0
  private var result: PhaseResult
  private var samples: [EngineSample] = []
  private var isOver = false
  /// The expectations that the measurements so far break, and the time of the next judgement.
  private var broken: [Expectation] = []
  private var nextJudgement: UInt64 = 0
  private let latencyLog: LatencyLogRelay?
  private let notificationLag: NotificationLag

  init(_ settings: PhaseSettings, _ context: RunContext) throws {
    let running = RunningPhase(settings, conductor: woken)
    let digits = context.scenario.measure.histogramDigits
    self.running = running
    self.digits = digits
    latencyLog = context.latencyLog
    notificationLag = context.notificationLag
    actors = try settings.actors.map { try RunningActor($0.settings, in: running, context) }
    events = settings.events.isEmpty ? nil : PhaseEvents(in: running, actors, context)
    collections = actors.map { TimingCollection($0.timings, threads: $0.settings.threads, digits: digits) }
    dueArrivals = Array(repeating: nil, count: actors.count)
    allocations = dueArrivals
    result = PhaseResult(name: settings.name, isRecorded: settings.records)
    result.end = .cutShort
    if case .until(let awaited, _) = settings.end { result.condition = awaited.source }
  }

  /// Starts every worker and the thread of the events; they wait for the gate.
  func startWorkers() throws -> [WorkerThread] {
    var threads: [WorkerThread] = []
    do {
      for actor in actors {
        for thread in 0..<actor.settings.threads {
          // The worker's recorder is allocated here, so that the worker does not begin with the allocation.
          let worker = Worker(actor, thread: thread)
          actor.timings.prepare(spares: 1)
          threads.append(
            try WorkerThread(name: actor.settings.name) {
              var worker = worker
              worker.run()
            }
          )
        }
      }
      if let events { threads.append(try WorkerThread(name: EventResult.actorName) { events.run() }) }
      return threads
    } catch {
      running.end(at: 0)
      running.begin(at: MonotonicClock.now)
      for thread in threads { thread.join() }
      throw RunError(
        problem: "phase \"\(running.settings.name)\": \(error)",
        remedy: "give its actors fewer threads, or raise the limit of threads (ulimit -u)"
      )
    }
  }

  mutating func begin(at now: UInt64, _ runStart: UInt64) {
    self.runStart = runStart
    result.startNanoseconds = now - runStart
    result.endNanoseconds = now - runStart
    notificationLag.begin(start: result.startNanoseconds, at: now)
    running.begin(at: now)
  }

  mutating func end(_ end: PhaseResult.End, at now: UInt64) {
    result.end = end
    result.endNanoseconds = max(now - runStart, result.startNanoseconds)
    let tallies = actors.map(\.tally)
    let lastEnd = tallies.map(\.lastTransactionEnd).max() ?? 0
    result.lastTransactionEndNanoseconds = lastEnd - min(lastEnd, runStart)
    isOver = true
    allocations = tallies.map { $0.allocations.isEmpty ? nil : AllocationCount.total($0.allocations) }
    settleSchedules()
    collectTimings()
  }

  private mutating func settleSchedules() {
    guard keepsSchedules else { return }
    for (index, actor) in actors.enumerated() {
      guard let settlement = actor.schedule?.settle(at: result.durationNanoseconds, digits: digits) else { continue }
      collections[index].addUnbegun(settlement.unbegunWaits)
      dueArrivals[index] = settlement.due
    }
  }

  /// Whether due arrivals are counted. A phase that counts operations ends when they are done, not by its schedules.
  private var keepsSchedules: Bool { running.settings.end.plannedNanoseconds != nil }

  /// The names of actors with workers that have not ended, and that of the events if their thread still runs.
  var workingActors: [String] {
    actors.filter(\.isWorking).map(\.settings.name) + (events?.isRunning ?? false ? [EventResult.actorName] : [])
  }

  /// The events that have begun and not ended, as text.
  var unfinishedEvents: [String] { (events?.log.unfinished ?? []).map { "\($0.action)" } }

  /// - Parameter nanoseconds: the time since the previous pass of the conductor's loop.
  mutating func noticeStandstill(_ nanoseconds: UInt64) {
    longestStandstillNanoseconds = max(longestStandstillNanoseconds, nanoseconds)
  }

  mutating func add(_ sample: EngineSample) { samples.append(sample) }

  mutating func collectTimings() {
    for index in collections.indices {
      collections[index].collect(
        start: result.startNanoseconds,
        end: isOver ? result.endNanoseconds : nil
      ) { [latencyLog, runStart, result, actor = actors[index].settings.name] second in
        let latencies = result.latencies(of: second.operations, actor: actor)
        latencyLog?.append(from: runStart + second.start, to: runStart + second.end, latencies)
      }
    }
  }

  /// Writes the events' times to the latency log, as one span for the whole phase.
  func logEvents(_ record: PhaseRecord) {
    let start = runStart + result.startNanoseconds
    let latencies = result.latencies(of: record.eventTimes, actor: EventResult.actorName)
    latencyLog?.append(from: start, to: runStart + result.endNanoseconds, latencies)
  }

  /// The measurements so far; complete when the phase is over.
  func record(_ sampler: Sampler) -> PhaseRecord {
    PhaseRecord(
      result: result,
      actors: actors.indices.map { index in
        let (actor, collection) = (actors[index], collections[index])
        return PhaseRecord.Actor(
          settings: actor.settings,
          slots: actor.timings.slots,
          histograms: collection.totals,
          intervals: collection.intervals,
          waitIntervals: collection.waitIntervals,
          dueArrivals: dueArrivals[index],
          droppedArrivals: actor.droppedArrivals,
          deadlocks: actor.deadlocks,
          tally: actor.tally,
          allocations: allocations[index]
        )
      },
      samples: samples,
      checkpoints: sampler.checkpoints.filter { $0.phase == result.name },
      notificationLag: notificationLag.histogram,
      notificationLagIntervals: notificationLag.intervals(until: isOver ? result.endNanoseconds : nil),
      events: events?.log.results(start: result.startNanoseconds) ?? [],
      isOver: isOver,
      longestStandstillNanoseconds: longestStandstillNanoseconds,
      hasEngineProcess: sampler.hasEngineProcess,
      frameBytes: sampler.frameBytes,
      digits: digits
    )
  }

  /// Whether the phase's condition holds by the samples so far.
  func holds(_ condition: PhaseCondition, _ frameBytes: Int) -> Bool {
    switch condition.rule {
    case .compares(let comparison, let expected):
      let value = samples.last.flatMap { SampledMetrics.value(of: condition.metric, in: $0, frameBytes: frameBytes) }
      return value.map { comparison.holds($0, expected) } ?? false
    case .steady(let tolerance, let window):
      let series = SteadyState.series(of: condition.metric, in: samples, frameBytes)
      return SteadyState(tolerance: tolerance, windowNanoseconds: window).holds(
        series,
        isTotal: condition.metric == .throughput
      )
    }
  }

  /// The first abort expectation that does not hold by the measurements so far.
  func brokenAbort(_ expectations: [Expectation], _ sampler: Sampler) -> Expectation? {
    judged(expectations.filter(\.isAbort), sampler).first { !$0.expectation.comparison.holds($0.value, $0.limit) }?
      .expectation
  }

  /// Judges the phase's expectations by the measurements so far, at most once a second.
  mutating func judge(_ expectations: [Expectation], _ sampler: Sampler, at now: UInt64) {
    guard now >= nextJudgement else { return }
    nextJudgement = now + 1_000_000_000
    broken = judged(expectations, sampler).filter { $0.expectation.isBroken(by: $0.value, limit: $0.limit) }
      .map(\.expectation)
  }

  /// The expectations of the phase that compare with a value, each with its figure by the measurements so far, without
  /// those whose figure is not known yet.
  private func judged(
    _ expectations: [Expectation],
    _ sampler: Sampler
  ) -> [(expectation: Expectation, value: Double, limit: Double)] {
    let own = expectations.filter { $0.figure.scope.phase == result.name }
    guard !own.isEmpty, let last = samples.last else { return [] }
    var record = record(sampler)
    record.result.endNanoseconds = last.elapsedNanoseconds
    return own.compactMap { expectation in
      guard case .value(let limit) = expectation.bound else { return nil }
      return record.value(of: expectation.figure).map { (expectation, $0, limit) }
    }
  }

  func moment(_ sample: EngineSample, since before: EngineSample?, _ frameBytes: Int) -> RunMoment {
    let seconds = Double(sample.elapsedNanoseconds - (before?.elapsedNanoseconds ?? sample.elapsedNanoseconds)) / 1e9
    let pinning = sample.wal?.pinnedBy.flatMap { name in sample.connections.first { $0.name == name } }
    let actors = zip(self.actors, collections).map { actor, collection in
      let name = actor.settings.name
      let (finished, dropped) = (sample.finishedTransactions[name] ?? 0, sample.droppedArrivals[name] ?? 0)
      let count = finished - (before?.finishedTransactions[name] ?? 0)
      return RunMoment.Actor(
        name: name,
        transactionsPerSecond: seconds > 0 ? Double(count) / seconds : 0,
        p99Nanoseconds: collection.lastInterval?.p99Nanoseconds,
        pendingArrivals: sample.dueArrivals[name].map { max($0 - finished - dropped, 0) },
        droppedArrivals: actor.settings.deadlineNanoseconds.map { _ in dropped }
      )
    }
    return RunMoment(
      phase: sample.phase,
      elapsedNanoseconds: sample.elapsedNanoseconds - min(result.startNanoseconds, sample.elapsedNanoseconds),
      plannedNanoseconds: running.settings.end.plannedNanoseconds,
      transactionsPerSecond: actors.reduce(0) { $0 + $1.transactionsPerSecond },
      actors: actors,
      brokenExpectations: broken.map(\.source),
      walBytes: sample.wal?.bytes,
      walBacklogBytes: sample.wal.map { $0.backlogFrames * frameBytes },
      pinnedBy: sample.wal?.pinnedBy,
      pinnedNanoseconds: pinning?.pinnedNanoseconds,
      pinnedBytes: pinning.map { $0.framesHeldAlone * frameBytes }
    )
  }
}

extension Expectation {
  /// Whether the figure of a phase that still runs breaks the expectation. A lower bound may still be reached, unless
  /// it is one of the least value.
  fileprivate func isBroken(by measured: Double, limit: Double) -> Bool {
    let aggregate = figure.aggregate
    return switch comparison {
    case .less, .lessOrEqual: aggregate != .last && !comparison.holds(measured, limit)
    case .greater, .greaterOrEqual: aggregate == .min && !comparison.holds(measured, limit)
    case .equal: [nil, .sum, .max].contains(aggregate) && measured > limit
    }
  }
}
