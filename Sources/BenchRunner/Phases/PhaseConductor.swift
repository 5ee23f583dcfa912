internal import BenchResults
internal import BenchScenario
internal import ThreadingPrimitives

/// Runs phases: starts their workers, samples at fixed times while they work, and decides when they stop.
///
/// One thread does all of it, so that samples, conditions and the end of a phase have one order.
struct PhaseConductor {
  /// Limits of the time that workers may take to end their transactions once their phase is over.
  struct Patience {
    /// The wait before the delay is reported, and before each further report.
    var untilReported: UInt64 = 2_000_000_000
    /// The wait before the workers are given up.
    var untilGivenUp: UInt64 = 120_000_000_000
    /// The wait before the workers are given up after an interruption.
    var whenInterrupted: UInt64 = 5_000_000_000
  }

  /// The longest sleep after which the conductor asks again whether the run must stop.
  private static let longestSleepNanoseconds: UInt64 = 10_000_000

  let context: RunContext
  let interruption: StopFlag
  let onProgress: @Sendable (RunProgress) -> Void
  var patience = Patience()
  /// Whether expectations are judged while a phase runs.
  var judgesExpectations = true
  private(set) var sampler: Sampler
  private(set) var records: [PhaseRecord] = []
  /// The abort expectation that ended the run; nil if none has.
  private(set) var abortedBy: Expectation?
  /// Whether workers that are blocked in the engine were abandoned. The database can then no longer be used or closed.
  private(set) var hasGivenUp = false
  /// The processor time of sampling so far: of the engine's state, the process, and the workers' times.
  private(set) var samplerCPUNanoseconds: UInt64 = 0
  private var nextSample: UInt64 = 0
  private var files: DatabaseFileWatch?

  /// - Parameter disk: The use of the database's disk since before its load; nil if it is not measured.
  init(
    _ context: RunContext,
    disk: DiskUse? = nil,
    interruption: StopFlag,
    onProgress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.context = context
    self.interruption = interruption
    self.onProgress = onProgress
    files = context.databasePath.map { DatabaseFileWatch(path: $0, outage: context.outage) }
    sampler = Sampler(
      context.database,
      every: context.scenario.measure.everyNanoseconds,
      disk: disk,
      processorWaits: context.processorWaits
    )
  }

  /// Whether no further phase may begin.
  var mustStop: Bool { interruption.isRaised || context.mustStop || abortedBy != nil }

  /// Runs one phase to its end, and keeps its record.
  mutating func run(_ settings: PhaseSettings, number: Int, of count: Int) throws {
    var phase = try ConductedPhase(settings, context)
    let threads = try phase.startWorkers()
    context.processorWaits.refresh()
    let start = MonotonicClock.now
    if records.isEmpty {
      sampler.runStart = start
      nextSample = start
    }
    phase.begin(at: start, sampler.runStart)
    let planned = settings.end.plannedNanoseconds
    onProgress(.phaseBegan(name: settings.name, number: number, of: count, plannedNanoseconds: planned))
    var progress = PhaseProgress(settings.end, start: start, isTimed: phase.running.turns == nil)
    sample(&phase, at: start, isOfPhase: true)
    var lastLook = start
    while true {
      // After its count, the phase ends with its workers.
      let isTimed = progress.state == .running && phase.running.endingCount == nil
      let deadline = isTimed ? progress.deadline ?? .max : .max
      phase.woken.park(deadline: min(nextSample, deadline, MonotonicClock.now + Self.longestSleepNanoseconds))
      let now = MonotonicClock.now
      phase.noticeStandstill(now - lastLook)
      context.liveness?.lookIfDue(at: now, isEventRunning: !phase.unfinishedEvents.isEmpty)
      lastLook = now
      let wasRunning = progress.state == .running
      // Read before the sample, which then contains all that the workers have done.
      let finishedAt = phase.running.finishedAt
      // A condition is checked once more when its time is up.
      let isSampled = now >= nextSample || now >= deadline
      if isSampled { sample(&phase, at: now, isOfPhase: wasRunning) }
      let otherwise: PhaseProgress.Event = finishedAt == nil ? .tick : .workersFinished
      let event = event(phase, otherwise: otherwise, hasNewSample: isSampled && wasRunning)
      let time = event == .workersFinished ? finishedAt ?? now : now
      let action = progress.handle(event, at: time, phase.running.endingCount)
      // The phase's last sample is taken now, because changes while the last transactions end do not belong to the
      // phase.
      if wasRunning, !isSampled, progress.state != .running { sample(&phase, at: now, isOfPhase: true) }
      switch action {
      case .keepRunning:
        guard givesUp(&phase, progress, at: now) else { continue }
        for thread in threads { thread.detach() }
        keep(&phase, .cutShort, by: nil, at: now, since: start)
        return
      case .stopWorkers: phase.running.end(at: progress.admitsArrivalsBefore)
      case .finish(let end, let time):
        for thread in threads { thread.join() }
        keep(&phase, end, by: progress.endedBy, at: time, since: start)
        return
      }
    }
  }

  private mutating func keep(
    _ phase: inout ConductedPhase,
    _ end: PhaseResult.End,
    by key: PhaseEnd.Key?,
    at time: UInt64,
    since start: UInt64
  ) {
    phase.end(end, by: key, at: time)
    sampler.collectCheckpoints(phase: phase.running.settings.name)
    let record = phase.record(sampler)
    phase.logEvents(record)
    records.append(record)
    let result = record.tree
    onProgress(
      .phaseEnded(
        name: result.name,
        end: end,
        nanoseconds: time - start,
        endedBy: result.endedBy,
        rates: result.endRates
      )
    )
  }

  /// - Parameters:
  ///   - otherwise: the event if nothing else ends the phase.
  ///   - hasNewSample: whether the phase was sampled just now, so that it may end by a condition.
  private mutating func event(
    _ phase: ConductedPhase,
    otherwise: PhaseProgress.Event,
    hasNewSample: Bool
  ) -> PhaseProgress.Event {
    if mustStop { return otherwise == .tick ? .brokenOff : otherwise }
    guard hasNewSample else { return otherwise }
    if let broken = phase.judgement.brokenAbort(by: phase.record(sampler)) {
      abortedBy = broken
      return .brokenOff
    }
    guard let condition = phase.running.settings.end.until else { return otherwise }
    return .condition(holds: condition.holds(by: phase.samples, frameBytes: sampler.frameBytes))
  }

  private mutating func sample(_ phase: inout ConductedPhase, at now: UInt64, isOfPhase: Bool) {
    let name = phase.running.settings.name
    let begun = ThreadFigures.cpuNanoseconds()
    defer { samplerCPUNanoseconds += ThreadFigures.cpuNanoseconds() - begun }
    let before = sampler.samples.last.flatMap { $0.phase == name ? $0 : nil }
    let sample = sampler.sample(phase: name, phase.actors, at: now)
    if isOfPhase { phase.add(sample) }
    if let problem = files?.check() { context.failures.report(problem) }
    phase.collectTimings()
    if judgesExpectations { phase.judge(sampler, at: now) }
    while nextSample <= now { nextSample += sampler.intervalNanoseconds }
    onProgress(.sampled(RunMoment(sample, since: before, in: phase, frameBytes: sampler.frameBytes)))
  }

  /// Reports workers that do not end. Returns whether they must be abandoned, because they exceeded the limit.
  private mutating func givesUp(_ phase: inout ConductedPhase, _ progress: PhaseProgress, at now: UInt64) -> Bool {
    guard let since = progress.awaitsWorkersSince else { return false }
    let waited = now - min(since, now)
    if waited > patience.untilReported, now > phase.lastReportedAt + patience.untilReported {
      phase.lastReportedAt = now
      onProgress(.waiting(phase: phase.running.settings.name, actors: phase.workingActors, nanoseconds: waited))
    }
    // Events alone get the full time: a checkpoint or a vacuum that completes leaves the file in a better state.
    let isInHurry = interruption.isRaised && phase.workingActors != [EventResult.actorName]
    guard waited > (isInHurry ? patience.whenInterrupted : patience.untilGivenUp) else { return false }
    hasGivenUp = true
    let actors = phase.workingActors.map { "\"\($0)\"" }.joined(separator: ", ")
    context.failures.report(
      "phase \"\(phase.running.settings.name)\": a transaction of \(actors) did not end within "
        + "\(waited / 1_000_000_000) s after the phase was over"
        + (phase.unfinishedEvents.isEmpty
          ? "" : "; its event \(phase.unfinishedEvents.joined(separator: ", ")) had begun but not ended")
    )
    return true
  }
}
