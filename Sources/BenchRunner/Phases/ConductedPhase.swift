internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// The phase that is running, from the conductor's side.
struct ConductedPhase {
  let running: RunningPhase
  /// nil for a phase without events.
  let events: PhaseEvents?
  private(set) var measurements: [ActorMeasurement]
  var judgement: RunningJudgement
  /// Wakes the conductor when all workers and the events have ended.
  let woken = Parker()
  var lastReportedAt: UInt64 = 0
  private var longestStandstillNanoseconds: UInt64 = 0
  private let digits: Int
  private var runStart: UInt64 = 0
  private(set) var result: PhaseResult
  private(set) var samples: [EngineSample] = []
  private var isOver = false
  private let latencyLog: LatencyLogRelay?
  private let notificationLag: NotificationLag

  init(_ settings: PhaseSettings, _ context: RunContext) throws {
    let running = RunningPhase(settings, conductor: woken, takesTurns: context.takesTurns)
    let digits = context.scenario.measure.histogramDigits
    self.running = running
    self.digits = digits
    latencyLog = context.latencyLog
    notificationLag = context.notificationLag
    let actors = try settings.actors.map { try RunningActor($0.settings, in: running, context) }
    events = settings.events.isEmpty ? nil : PhaseEvents(in: running, actors, context)
    measurements = actors.map { ActorMeasurement($0, digits: digits) }
    judgement = RunningJudgement(phase: settings.name, context.takesTurns ? [] : context.scenario.expectations)
    result = PhaseResult(name: settings.name, isRecorded: settings.records)
    result.end = .cutShort
    result.countsOperations = settings.end.plannedNanoseconds == nil
    result.condition = settings.end.until?.source
  }

  var actors: [RunningActor] { measurements.map(\.actor) }

  mutating func begin(at now: UInt64, _ runStart: UInt64) {
    self.runStart = runStart
    result.startNanoseconds = now - runStart
    result.endNanoseconds = now - runStart
    notificationLag.begin(start: result.startNanoseconds, at: now)
    running.begin(at: now)
  }

  /// - Parameter key: The condition that ended the phase; nil if none did.
  mutating func end(_ end: PhaseResult.End, by key: PhaseEnd.Key?, at now: UInt64) {
    result.end = end
    if running.settings.hasSeveralEnds { result.endedBy = key?.rawValue }
    if running.endingCount != nil { result.countsOperations = true }
    result.endNanoseconds = max(now - runStart, result.startNanoseconds)
    let lastEnd = actors.map(\.tally.lastTransactionEnd).max() ?? 0
    result.lastTransactionEndNanoseconds = lastEnd - min(lastEnd, runStart)
    isOver = true
    for index in measurements.indices {
      measurements[index].end(after: result.durationNanoseconds, isCounted: result.countsOperations)
    }
    collectTimings()
  }

  /// - Parameter nanoseconds: the time since the previous pass of the conductor's loop.
  mutating func noticeStandstill(_ nanoseconds: UInt64) {
    longestStandstillNanoseconds = max(longestStandstillNanoseconds, nanoseconds)
  }

  mutating func add(_ sample: EngineSample) { samples.append(sample) }

  mutating func collectTimings() {
    for index in measurements.indices {
      measurements[index].collect(
        start: result.startNanoseconds,
        end: isOver ? result.endNanoseconds : nil,
        isShared: samples.areShared
      ) { [latencyLog, runStart, result] actor, second in
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

  /// Judges the phase's expectations by the measurements so far, at most once a second.
  mutating func judge(_ sampler: Sampler, at now: UInt64) {
    let phase = self
    judgement.judge(by: phase.record(sampler), at: now)
  }

  /// The measurements so far; complete when the phase is over.
  func record(_ sampler: Sampler) -> PhaseRecord {
    PhaseRecord(
      result: result,
      actors: measurements.map(\.record),
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
}
