internal import BenchResults
internal import BenchScenario
internal import LatencyMetrics

/// The measurements of one phase: complete when the phase is over, partial while it runs.
struct PhaseRecord {
  struct Actor {
    var settings: ActorSettings
    var slots: TimingSlots
    /// One histogram for each slot.
    var histograms: [LatencyHistogram]
    /// The times of transactions in each second that is over.
    var intervals: [TimeKind: IntervalSeries] = [:]
    /// The waits for lanes in each second that is over.
    var waitIntervals: [Metric: IntervalSeries] = [:]
    /// The number of arrivals that were due; nil for a closed load, if a count ended the phase or the actor's work, and
    /// while the phase runs.
    var dueArrivals: Int?
    /// The rate at the end of the phase, of a ramp or of stages that had not ended; nil for any other load.
    var endRatePerSecond: Double?
    var droppedArrivals = 0
    /// The number of refused nested transactions, for each operation that begins nested transactions.
    var deadlocks: [String: Int] = [:]
    /// The sum over the workers that have ended.
    var tally = WorkerTally()
    /// The number of allocations by its workers; nil while the phase runs, and if allocations are not counted.
    var allocations: Int?

    var name: String { settings.name }
    var lateness: LatencyHistogram { histograms[slots.lateness] }
  }

  var result: PhaseResult
  var actors: [Actor]
  var samples: [EngineSample]
  var checkpoints: [CheckpointResult] = []
  /// nil if it was not measured.
  var notificationLag: LatencyHistogram?
  var notificationLagIntervals = IntervalSeries()
  var events: [EventResult] = []
  /// Whether the measurements are complete.
  var isOver: Bool
  /// The longest time between two passes of the conductor's loop, which sleeps 10 ms at most.
  var longestStandstillNanoseconds: UInt64 = 0
  /// Whether the engine ran in a process of its own, whose processor time the samples do not contain.
  var hasEngineProcess = false
  /// The disturbance of the phase's times, by `Distrust`; nil without one.
  var disturbance: Disturbance?
  let frameBytes: Int
  let digits: Int

  var name: String { result.name }

  /// The processor time that other processes had while threads of this process or the engine's waited for a processor,
  /// and its share in the time that both needed. nil if the kernel does not report it.
  var lostProcessorTime: (nanoseconds: UInt64, share: Double)? {
    guard let first = samples.first, let last = samples.last, last.runDelayNanoseconds != nil else { return nil }
    // Beside the workers, the conductor and the checkpointer run.
    let threads = actors.reduce(2) { $0 + $1.settings.threads }
    let lost = samples.windows.reduce(0) { $0 + $1.last.lostNanoseconds(since: $1.first, threads: threads) }
    let own = last.cpuNanoseconds - min(first.cpuNanoseconds, last.cpuNanoseconds)
    return (lost, own + lost > 0 ? Double(lost) / Double(own + lost) : 0)
  }

  /// The time in which other processes used the processors, or a CPU quota stopped this process.
  private var sharedNanoseconds: UInt64 {
    samples.windows.reduce(0) { sum, window in
      let length = window.last.elapsedNanoseconds - window.first.elapsedNanoseconds
      return window.last.isShared(since: window.first) ? sum + length : sum
    }
  }

  /// The periods and the time for which CPU quotas stopped the process, and that time as a share of the processor time
  /// that the process and the engine's needed; nil if they did not.
  var throttled: (periods: Int, nanoseconds: UInt64, share: Double)? {
    guard let first = samples.first, let last = samples.last,
      let before = first.throttledNanoseconds, let after = last.throttledNanoseconds, after > before
    else { return nil }
    let own = last.cpuNanoseconds - min(first.cpuNanoseconds, last.cpuNanoseconds)
    let periods = (last.throttledPeriods ?? 0) - (first.throttledPeriods ?? 0)
    let nanoseconds = after - before
    return (periods, nanoseconds, Double(nanoseconds) / Double(own + nanoseconds))
  }

  /// The use of the database's disk by other processes; nil if it is not known, as with a driver that does not count
  /// its syncs.
  var othersDiskUse: DiskRate? {
    guard let first = samples.first, let last = samples.last,
      let before = first.diskTraffic, let after = last.diskTraffic,
      let syncs = first.writes?.syncs, let syncsAtEnd = last.writes?.syncs
    else { return nil }
    let seconds = Double(last.elapsedNanoseconds - min(first.elapsedNanoseconds, last.elapsedNanoseconds)) / 1e9
    return DiskRate(after - before, syncs: syncsAtEnd - syncs, seconds: seconds)
  }

  /// The phase with its actors and events, as a result holds it.
  var tree: PhaseResult {
    var phase = result
    let shared = sharedNanoseconds
    phase.actors = actors.map { $0.result(digits: digits, disturbance, sharedNanoseconds: shared) }
    phase.disturbance = disturbance
    phase.events = events
    phase.eventTimes = eventTimes
    phase.notificationLag = WaitResult(reported: notificationLag, notificationLagIntervals)
    return phase
  }

  /// The phase's figures, by the measurements so far.
  var figures: PhaseFigures {
    PhaseFigures(
      tree,
      samples: samples,
      checkpoints: checkpoints,
      frameBytes: frameBytes,
      connections: Dictionary(actors.map { ($0.name, $0.settings.connections) }) { first, _ in first },
      isOver: isOver
    )
  }

  /// The durations of events, as one operation for each word that an event has.
  var eventTimes: [OperationResult] {
    let words = events.reduce(into: [String]()) { if !$0.contains($1.word) { $0.append($1.word) } }
    return words.map { word in
      let times = TimeKind.allCases.map { ($0, eventHistogram($0, of: word)) }
      return OperationResult(name: word, times: Dictionary(uniqueKeysWithValues: times))
    }
  }

  /// Returns the times of the events with this word. Failed events count, because they took time as well.
  func eventHistogram(_ kind: TimeKind, of word: String) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: digits)
    for event in events where event.word == word {
      guard let begun = event.begunNanoseconds, let ended = event.endedNanoseconds else { continue }
      switch kind {
      case .wait: histogram.record(begun - min(event.dueNanoseconds, begun))
      case .service: histogram.record(ended - min(begun, ended))
      case .response: histogram.record(ended - min(event.dueNanoseconds, ended))
      }
    }
    return histogram
  }
}

extension PhaseRecord.Actor {
  /// - Parameter sharedNanoseconds: The time in which a wait for a processor may have been another process's fault.
  fileprivate func result(digits: Int, _ disturbance: Disturbance?, sharedNanoseconds: UInt64) -> ActorResult {
    var actor = ActorResult(name: name, load: settings.load.isClosed ? .closed : .open)
    actor.connection = settings.ownConnection
    actor.dueArrivals = dueArrivals
    actor.endRatePerSecond = endRatePerSecond
    actor.begunArrivals = tally.begunTransactions
    actor.droppedArrivals = settings.deadlineNanoseconds.map { _ in droppedArrivals }
    actor.lateness = lateness
    actor.checkingShare = checkingShare(digits: digits)
    actor.operations = slots.results(histograms, digits: digits)
    for index in actor.operations.indices {
      actor.operations[index].deadlocks = deadlocks[actor.operations[index].name]
    }
    let isOfDisk = disturbance == .disk
    let delayed = isOfDisk ? slots.delayedByWaits : slots.delayedByProcessorWaits
    actor.disturbed = slots.disturbed(delayed, in: histograms)
    let longestWait = sharedNanoseconds &* UInt64(settings.threads)
    let waited = isOfDisk ? tally.waits.ofAnyKind : min(tally.waits.forProcessors, longestWait)
    if disturbance != nil { actor.waitedNanoseconds = waited }
    actor.intervals = intervals
    actor.laneWait = wait(.laneWait)
    actor.writeLaneWait = wait(.writeLaneWait)
    actor.notificationToRead = wait(.notificationToRead)
    actor.commitTimes = tally.commitTimes.count > 0 ? tally.commitTimes : nil
    actor.allocations = allocations
    actor.digests = tally.digests.sorted { $0.thread < $1.thread }
    return actor
  }

  private func wait(_ metric: Metric) -> WaitResult? {
    WaitResult(reported: slots.waits(metric, in: histograms), waitIntervals[metric] ?? IntervalSeries())
  }

  /// The share of the checks in the time of checks and transactions together. The time of a check contains the
  /// recording of its transaction.
  private func checkingShare(digits: Int) -> Double? {
    guard tally.checkingNanoseconds > 0 else { return nil }
    let service = slots.transactions(.service, in: histograms, digits: digits)
    let checking = Double(tally.checkingNanoseconds)
    return checking / (checking + service.mean * Double(service.count))
  }
}

extension WaitResult {
  /// Returns nil if the engine has reported no waits.
  fileprivate init?(reported histogram: LatencyHistogram?, _ intervals: IntervalSeries) {
    guard let histogram, !histogram.isEmpty else { return nil }
    self.init(histogram: histogram, intervals: intervals)
  }
}

extension ActorSettings {
  /// The connection or pool that all its transactions use; nil if it names several, or opens one for each transaction.
  fileprivate var ownConnection: String? {
    connections.count == 1 && connectionLifetime == .kept ? connections[0] : nil
  }
}

extension EngineSample {
  fileprivate var diskTraffic: DiskTraffic? {
    foreignDiskBytes.flatMap { bytes in diskSyncs.map { DiskTraffic(bytes: bytes, syncs: $0) } }
  }
}
