internal import BenchModel
internal import LatencyMetrics
internal import ThreadingPrimitives

/// Runs phases: starts their workers, looks at everything at fixed times while they work, and decides when they stop.
///
/// One thread does all of it, so that a sample, a condition and the end of a phase have one order.
struct PhaseConductor {
  /// The longest that it sleeps without asking whether the run must stop.
  private static let longestSleepNanoseconds: UInt64 = 10_000_000
  /// How long workers may take to finish before somebody is told.
  private static let patienceNanoseconds: UInt64 = 2_000_000_000

  let context: RunContext
  let interruption: StopFlag
  let onProgress: @Sendable (RunProgress) -> Void
  private(set) var sampler: Sampler
  private(set) var records: [PhaseRecord] = []
  /// The abort expectation that ended the run.
  private(set) var abortedBy: Expectation?
  private var nextSample: UInt64
  private let samplingNanoseconds: UInt64

  init(
    _ context: RunContext,
    interruption: StopFlag,
    runStart: UInt64,
    onProgress: @escaping @Sendable (RunProgress) -> Void
  ) {
    self.context = context
    self.interruption = interruption
    self.onProgress = onProgress
    samplingNanoseconds = context.scenario.measure.everyNanoseconds
    sampler = Sampler(context.database, runStart: runStart)
    nextSample = runStart
  }

  /// Whether no further phase may begin.
  var mustStop: Bool { interruption.isRaised || context.mustStop || abortedBy != nil }

  /// Runs one phase to its end, and keeps its record.
  mutating func run(_ settings: PhaseSettings, number: Int, of count: Int) throws {
    var phase = try ConductedPhase(settings, context)
    let threads = try phase.startWorkers()
    let start = MonotonicClock.now
    let planned = settings.end.plannedNanoseconds
    onProgress(
      .phaseBegan(name: settings.name, number: number, of: count, plannedNanoseconds: planned > 0 ? planned : nil)
    )
    phase.begin(at: start, sampler.runStart)
    var progress = PhaseProgress(settings.end, start: start)
    sample(&phase, at: start)
    while true {
      let soon = MonotonicClock.now + Self.longestSleepNanoseconds
      let deadline = progress.state == .running ? progress.deadline ?? .max : .max
      phase.woken.park(deadline: min(nextSample, deadline, soon))
      let now = MonotonicClock.now
      let event = event(&phase, progress, at: now)
      switch progress.handle(event, at: event == .workersFinished ? phase.running.finishedAt ?? now : now) {
      case .keepRunning: tellOfWaiting(&phase, progress, at: now)
      case .stopWorkers: phase.running.stop.raise()
      case .finish(let end, let time):
        for thread in threads { thread.join() }
        phase.end(end, at: time)
        sample(&phase, at: MonotonicClock.now)
        records.append(phase.record(sampler))
        onProgress(.phaseEnded(name: settings.name, nanoseconds: time - start))
        return
      }
    }
  }

  private mutating func event(
    _ phase: inout ConductedPhase,
    _ progress: PhaseProgress,
    at now: UInt64
  ) -> PhaseProgress.Event {
    // A condition is looked at once more when its time is up.
    let isLastLook = progress.state == .running && now >= progress.deadline ?? .max
    let isSampled = now >= nextSample || isLastLook
    if isSampled { sample(&phase, at: now) }
    if phase.running.finishedAt != nil { return .workersFinished }
    if mustStop { return .brokenOff }
    guard isSampled else { return .tick }
    if let broken = phase.brokenAbort(context.scenario.expectations, sampler) {
      abortedBy = broken
      return .brokenOff
    }
    guard case .until(let condition, _) = phase.running.settings.end else { return .tick }
    let value = phase.lastSample.flatMap { SampledMetrics.value(of: condition.metric, in: $0, sampler.frameBytes) }
    return .condition(holds: value.map { condition.comparison.holds($0, condition.value) } ?? false)
  }

  private mutating func sample(_ phase: inout ConductedPhase, at now: UInt64) {
    let before = phase.lastSample
    let sample = sampler.sample(phase: phase.running.settings.name, phase.actors, at: now)
    phase.noticed(sample)
    phase.collectTimings()
    while nextSample <= now { nextSample += samplingNanoseconds }
    onProgress(.sampled(phase.moment(sample, since: before, sampler.frameBytes)))
  }

  private func tellOfWaiting(_ phase: inout ConductedPhase, _ progress: PhaseProgress, at now: UInt64) {
    guard case .stopping(_, let since) = progress.state else { return }
    guard now > max(since, phase.lastTold) + Self.patienceNanoseconds else { return }
    phase.lastTold = now
    let actors = phase.actors.filter(\.isWorking).map(\.settings.name)
    onProgress(.waiting(phase: phase.running.settings.name, actors: actors, nanoseconds: now - since))
  }
}
