internal import BenchResults
internal import BenchScenario
internal import LatencyMetrics

/// Reasons not to trust the figures of a run: faults of the harness and of the host.
enum Distrust {
  /// If a smaller share of the due arrivals began or was dropped, the figures belong to another load.
  static let leastBegunShare = 0.95
  /// If one arrival in a hundred begins later than this although a worker is free, the figures are not trusted.
  static let greatestLatenessNanoseconds: UInt64 = 10_000_000
  /// If the engine took a smaller share of the time that an actor's workers were behind, the harness is the cause.
  static let leastEngineShare = 0.8
  /// If the conductor's thread stands still for a longer time, the process or the machine was paused.
  static let greatestStandstillNanoseconds: UInt64 = 250_000_000
  static let greatestStealShare = 0.10
  /// If other processes had a greater share of the processor time that a phase needed, its figures belong to a slower
  /// machine, unless the waits of each transaction are known.
  static let greatestLostShare = 0.10
  /// A loss of less time is not judged, because the kernel counts the time of processors in ticks of 10 ms.
  static let leastLostNanoseconds: UInt64 = 50_000_000
  static let greatestClockStepNanoseconds: Int64 = 100_000_000
  /// If CPU quotas stopped the process for a greater share of the time that a phase needed, its figures describe the
  /// quota.
  static let greatestThrottledShare = 0.10

  /// The figures that a fault can change.
  enum Effect {
    /// The load: all figures of the phase belong to another one.
    case load
    /// Times, by an unknown part.
    case times
    /// Times, by the workers' waits for a processor, which are measured.
    case waits
    /// Times, by the workers' waits for a processor or for the disk, which are measured.
    case diskWaits
  }

  struct Reason: Equatable {
    /// nil if it concerns all phases.
    var phase: String?
    /// A sentence.
    var text: String
    /// The cause with its size, such as "machine busy: other processes took 20 % of the processor time in stall".
    var headline: String
    var effect = Effect.load
  }

  /// Returns all reasons not to trust the figures.
  /// - Parameter limits: the limits of the process on its use of processors.
  static func reasons(
    _ phases: [PhaseRecord],
    limits: ProcessorLimits? = nil,
    stealShare: Double,
    clockStepNanoseconds: Int64
  ) -> [Reason] {
    let ofPhases = phases.filter(\.result.isRecorded).flatMap { reasons($0, limits) }
    return ofPhases + reasons(stealShare: stealShare, clockStepNanoseconds: clockStepNanoseconds)
  }

  private static func reasons(stealShare: Double, clockStepNanoseconds: Int64) -> [Reason] {
    var reasons: [Reason] = []
    if stealShare > greatestStealShare {
      let taken = "other guests of the host took \(percent(stealShare)) of the processor time"
      reasons.append(
        Reason(
          text: "\(taken), expected at most \(percent(greatestStealShare)): use a less busy machine",
          headline: "machine busy: \(taken)",
          effect: .times
        )
      )
    }
    if clockStepNanoseconds.magnitude > greatestClockStepNanoseconds.magnitude {
      let step = "the wall clock stepped by \(clockStepNanoseconds / 1_000_000) ms"
      reasons.append(Reason(text: "\(step) against the monotonic clock during the run", headline: step))
    }
    return reasons
  }

  private static func reasons(_ phase: PhaseRecord, _ limits: ProcessorLimits?) -> [Reason] {
    // The waits of an engine in its own process are not known for each transaction, and those of a worker may not be.
    let areWaitsKnown = !phase.hasEngineProcess && !phase.actors.contains(where: \.tally.missesWaits)
    return processorReasons(phase, limits, waits: areWaitsKnown ? .waits : .times)
      + diskReasons(phase, waits: areWaitsKnown ? .diskWaits : .times)
  }

  private static func reason(in phase: PhaseRecord, _ text: String, _ effect: Effect, headline: String) -> Reason {
    Reason(
      phase: phase.name,
      text: "phase \"\(phase.name)\": \(text)",
      headline: "\(headline) in \(phase.name)",
      effect: effect
    )
  }

  /// - Parameter waits: The effect of waits for a processor.
  private static func processorReasons(
    _ phase: PhaseRecord,
    _ limits: ProcessorLimits?,
    waits: Effect
  ) -> [Reason] {
    // A quota that stops the process also makes it late, and its threads wait, so other causes are not reported.
    if let throttled = phase.throttled, isInvalidating(throttled) {
      return [
        reason(
          in: phase,
          "\(stops(throttled, limits)), \(percent(throttled.share)) of what the phase needed, expected at most "
            + "\(percent(greatestThrottledShare)): raise the quota, or lower the load",
          waits,
          headline: "CPU quota too small: it stopped the process for \(percent(throttled.share)) of the time needed"
        )
      ]
    }
    var reasons = phase.actors.flatMap { self.reasons($0, in: phase) }
    if phase.longestStandstillNanoseconds > greatestStandstillNanoseconds {
      let length = "the harness did not run for \(phase.longestStandstillNanoseconds / 1_000_000) ms"
      let cause =
        wasThrottled(for: phase.longestStandstillNanoseconds, in: phase)
        ? "its CPU quota stopped it" : "the process or the machine was paused"
      reasons.append(reason(in: phase, "\(length): \(cause)", .times, headline: length))
    }
    // Measured waits show what they can do to each figure; others may be the whole of a time.
    if let lost = phase.lostProcessorTime, lost.nanoseconds >= leastLostNanoseconds,
      waits == .waits || lost.share > greatestLostShare
    {
      let time = Quantity.duration(nanoseconds: lost.nanoseconds)
      reasons.append(
        reason(
          in: phase,
          "other processes took \(time) of processor time, \(percent(lost.share)) of what the phase needed: end them, "
            + "or use a less busy machine",
          waits,
          headline: "machine busy: other processes took \(percent(lost.share)) of the processor time"
        )
      )
    }
    return reasons
  }

  /// - Parameter waits: The effect of waits of any kind.
  private static func diskReasons(_ phase: PhaseRecord, waits: Effect) -> [Reason] {
    guard let use = phase.othersDiskUse, use.isTooMuch else { return [] }
    return [
      reason(
        in: phase,
        "other processes used the database's disk with \(use.text), expected at most "
          + "\(DiskRate.greatestOfOthers.text): end them, or use another disk with --data-dir",
        waits,
        headline: "machine busy: other processes used the disk with \(use.text)"
      )
    ]
  }

  private static func reasons(_ actor: PhaseRecord.Actor, in phase: PhaseRecord) -> [Reason] {
    var reasons: [Reason] = []
    let tally = actor.tally
    let place = "\(phase.name)/\(actor.name)"
    func append(_ text: String, _ effect: Effect, headline: String) {
      let location = "phase \"\(phase.name)\", actor \"\(actor.name)\""
      reasons.append(Reason(phase: phase.name, text: "\(location): \(text)", headline: headline, effect: effect))
    }
    if let due = actor.dueArrivals, isBehind(actor), tally.lagAtEnd.isOfHarness {
      append(
        "the generator was saturated: it started \(tally.begunTransactions) of \(due) arrivals, and only "
          + "\(percent(tally.lagAtEnd.engineShare)) of its lag at the end was time in the engine; lower the rate, or "
          + "give the actor more threads",
        .load,
        headline: "generator saturated: \(place) started \(tally.begunTransactions) of \(due) arrivals"
      )
    }
    if let due = actor.dueArrivals, Double(tally.arrivalsDroppedByHarness) > (1 - leastBegunShare) * Double(due) {
      append(
        "the generator was saturated: \(tally.arrivalsDroppedByHarness) of \(due) arrivals were dropped "
          + "because it missed their deadline; lower the rate, or give the actor more threads",
        .load,
        headline: "generator saturated: \(place) dropped \(tally.arrivalsDroppedByHarness) of \(due) arrivals"
      )
    }
    // With fewer arrivals the 99th percentile is the greatest delay, which is not typical.
    if actor.lateness.count >= 100 {
      let late = actor.lateness.value(atPercentile: 99)
      if late > greatestLatenessNanoseconds {
        append(
          "one arrival in a hundred started at least \(late / 1_000_000) ms late although a worker was "
            + "free: "
            + (wasThrottled(for: late, in: phase) ? "its CPU quota stopped the process" : "the machine is too busy"),
          .times,
          headline: "machine busy: one arrival in a hundred of \(place) was \(late / 1_000_000) ms late"
        )
      }
    }
    return reasons
  }

  /// Whether a quota stopped the process for long enough to explain a delay.
  private static func wasThrottled(for nanoseconds: UInt64, in phase: PhaseRecord) -> Bool {
    phase.throttled.map { $0.nanoseconds >= nanoseconds } ?? false
  }

  private static func isInvalidating(_ throttled: (periods: Int, nanoseconds: UInt64, share: Double)) -> Bool {
    throttled.share > greatestThrottledShare && throttled.nanoseconds >= leastLostNanoseconds
  }

  private static func stops(
    _ throttled: (periods: Int, nanoseconds: UInt64, share: Double),
    _ limits: ProcessorLimits?
  ) -> String {
    let quota = limits?.quota.map { "the CPU quota of \($0.text)" } ?? "a CPU quota of its control group"
    return "\(quota) stopped the process in \(throttled.periods) period\(throttled.periods == 1 ? "" : "s"), for "
      + Quantity.duration(nanoseconds: throttled.nanoseconds)
  }

  /// Describes the recorded phases in which a CPU quota stopped the process too briefly to make their figures invalid.
  static func shortThrottling(_ phases: [PhaseRecord], _ limits: ProcessorLimits?) -> [String] {
    phases.filter(\.result.isRecorded).compactMap { phase in
      guard let throttled = phase.throttled, !isInvalidating(throttled) else { return nil }
      return "In phase \"\(phase.name)\" \(stops(throttled, limits)), \(percent(throttled.share)) of what the phase "
        + "needed. The longest times contain these stops."
    }
  }

  /// Whether more than 5 % of the due arrivals neither began nor were dropped, although no event stalled the workers.
  /// Up to one arrival per worker is tolerated: each worker may have been about to begin one at the end of the phase.
  private static func isBehind(_ actor: PhaseRecord.Actor) -> Bool {
    let handled = actor.tally.begunTransactions + actor.droppedArrivals
    guard actor.tally.stalledNanoseconds == 0, let due = actor.dueArrivals, due - handled > actor.settings.threads
    else { return false }
    return Double(handled) < leastBegunShare * Double(due)
  }

  /// Describes the actors with which the engine did not keep up, in sentences. An overload is no error of the
  /// measurement.
  static func overloads(_ phases: [PhaseRecord]) -> [String] {
    phases.flatMap { phase in
      phase.actors.filter { isBehind($0) && !$0.tally.lagAtEnd.isOfHarness }.map { actor in
        "In phase \"\(phase.name)\" the engine did not keep up with actor \"\(actor.name)\": "
          + "\(actor.tally.begunTransactions) of \(actor.dueArrivals ?? 0) arrivals started. The others count in wait "
          + "and response with the time until they were dropped or the phase ended."
      }
    }
  }

  private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
}
