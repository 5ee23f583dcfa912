internal import BenchResults
internal import BenchScenario

/// The measurements of one actor in the phase that is running.
struct ActorMeasurement {
  let actor: RunningActor
  private var timings: TimingCollection
  /// nil for a closed load, in a phase that a count has ended, of an actor that has done its own number of operations,
  /// and while the phase runs.
  private var dueArrivals: Int?
  /// The rate at the end of the phase, of a ramp or of stages that had not ended; nil for any other load.
  private(set) var endRatePerSecond: Double?
  /// nil while the phase runs, and if allocations are not counted.
  private var allocations: Int?

  init(_ actor: RunningActor, digits: Int) {
    self.actor = actor
    timings = TimingCollection(actor.timings, threads: actor.settings.threads, digits: digits)
  }

  var name: String { actor.settings.name }

  /// Collects the times that the workers have handed over: see `TimingCollection.collect`.
  mutating func collect(
    start: UInt64,
    end: UInt64?,
    isShared: (_ start: UInt64, _ end: UInt64) -> Bool,
    onClosed: (_ actor: String, TimingCollection.ClosedSecond) -> Void
  ) {
    timings.collect(start: start, end: end, isShared: isShared) { [name] in onClosed(name, $0) }
  }

  /// Records the end of the workers.
  /// - Parameters:
  ///   - duration: The duration of the phase in nanoseconds.
  ///   - isCounted: Whether a count has ended the phase, and not its schedules, so that due arrivals are not counted.
  mutating func end(after duration: UInt64, isCounted: Bool) {
    if case .open(let rate, _) = actor.settings.load, let planned = actor.phase.settings.end.plannedNanoseconds,
      duration < planned
    {
      endRatePerSecond = rate.changingRate(at: Double(duration) / 1e9, phaseLength: Double(planned) / 1e9)
    }
    let counts = actor.tally.allocations
    allocations = counts.isEmpty ? nil : AllocationCount.total(counts)
    guard !isCounted, let settlement = actor.runningSchedule?.settle(at: duration, digits: timings.digits) else {
      return
    }
    timings.addUnbegun(settlement.unbegunWaits)
    dueArrivals = settlement.due
  }

  var record: PhaseRecord.Actor {
    PhaseRecord.Actor(
      settings: actor.settings,
      slots: actor.timings.slots,
      histograms: timings.totals,
      intervals: timings.intervals,
      waitIntervals: timings.waitIntervals,
      dueArrivals: dueArrivals,
      endRatePerSecond: endRatePerSecond,
      droppedArrivals: actor.droppedArrivals,
      deadlocks: actor.deadlocks,
      tally: actor.tally,
      allocations: allocations
    )
  }

  /// - Parameters:
  ///   - before: The phase's previous sample; nil for the first.
  ///   - seconds: The time between the samples.
  func moment(_ sample: EngineSample, since before: EngineSample?, seconds: Double) -> RunMoment.Actor {
    let (finished, dropped) = (sample.finishedTransactions[name] ?? 0, sample.droppedArrivals[name] ?? 0)
    let count = finished - (before?.finishedTransactions[name] ?? 0)
    return RunMoment.Actor(
      name: name,
      transactionsPerSecond: seconds > 0 ? Double(count) / seconds : 0,
      p99Nanoseconds: timings.lastInterval?.p99Nanoseconds,
      pendingArrivals: sample.dueArrivals[name].map { max($0 - finished - dropped, 0) },
      droppedArrivals: actor.settings.deadlineNanoseconds.map { _ in dropped }
    )
  }
}
