internal import BenchModel
internal import LatencyMetrics

/// The measurements of one phase: complete when the phase is over, partial while it runs.
struct PhaseRecord {
  struct Actor {
    var settings: ActorSettings
    var slots: TimingSlots
    /// One histogram for each slot.
    var histograms: [LatencyHistogram]
    /// The seconds that are over.
    var intervals: [IntervalResult]
    var waitIntervals: [WaitIntervalResult] = []
    /// nil for a closed load, in a phase that counts operations, and while the phase runs.
    var dueArrivals: Int?
    var begunTransactions: Int
    var droppedArrivals = 0
    var arrivalsDroppedByHarness = 0
    /// The lag of the workers that were behind their schedule when the phase ended.
    var lagAtEnd = Lag()
    /// The number of refused nested transactions, for each operation that begins some.
    var deadlocks: [String: Int] = [:]
    /// The time for which events stalled its workers, summed over the workers.
    var stalledNanoseconds: UInt64 = 0
    /// The time that its workers spent on checking answers, summed over the workers.
    var checkingNanoseconds: UInt64 = 0
    /// The number of allocations by its workers; nil while the phase runs, and if allocations are not counted.
    var allocations: Int?
    /// The parts of its commits' time.
    var commitTimes = CommitTimesSum()
    var digests: [DigestResult] = []

    var name: String { settings.name }
    var lateness: LatencyHistogram { histograms[slots.lateness] }
    /// Arrivals that were due and did not begin.
    var unbegunArrivals: Int { histograms[slots.unbegun].count }
    /// Operations that have ended.
    var operations: Int {
      Set(slots.operations.map(\.description)).reduce(0) {
        $0 + (slots.operation($1, .service, in: histograms)?.count ?? 0)
      }
    }
  }

  var result: PhaseResult
  var actors: [Actor]
  var samples: [EngineSample]
  var checkpoints: [CheckpointResult] = []
  /// nil if it was not measured.
  var notificationLag: LatencyHistogram?
  var notificationLagIntervals: [WaitIntervalResult] = []
  var events: [EventResult] = []
  /// Whether the measurements are complete.
  var isOver: Bool
  /// The longest time between two passes of the conductor's loop, which sleeps 10 ms at most.
  var longestStandstillNanoseconds: UInt64 = 0
  let frameBytes: Int
  let digits: Int

  var name: String { result.name }

  /// All histograms that a report shows.
  var latencies: [LatencyResult] {
    actors.flatMap { actor in
      actor.slots.latencies(actor.histograms, phase: name, actor: actor.name, digits: digits)
    } + latenciesOfEvents
  }

  var deadlocks: [DeadlockResult] {
    actors.flatMap { actor in
      actor.deadlocks.sorted { $0.key < $1.key }.map { operation, count in
        DeadlockResult(phase: name, actor: actor.name, operation: operation, count: count)
      }
    }
  }

  var allocations: [AllocationResult] {
    actors.compactMap { actor in
      guard let count = actor.allocations else { return nil }
      return AllocationResult(phase: name, actor: actor.name, count: count, operations: actor.operations)
    }
  }

  /// The parts of the commits' time, for each actor that has made commits.
  var commitTimes: [CommitTimesResult] {
    actors.compactMap { $0.commitTimes.result(phase: name, actor: $0.name) }
  }

  /// Waits inside the engine, where it has reported any.
  var waits: [WaitResult] {
    func result(_ metric: Metric, _ actor: String?, _ histogram: LatencyHistogram?) -> WaitResult? {
      guard let histogram, !histogram.isEmpty else { return nil }
      return WaitResult(metric: metric.rawValue, phase: name, actor: actor, histogram: histogram)
    }
    let lanes = actors.flatMap { actor in
      [Metric.laneWait, .writeLaneWait].compactMap { metric in
        result(metric, actor.name, actor.slots.waits(metric, in: actor.histograms))
      }
    }
    return lanes + [result(.notificationLag, nil, notificationLag)].compactMap { $0 }
  }

  var intervals: [IntervalResult] { actors.flatMap(\.intervals) }

  var waitIntervals: [WaitIntervalResult] { actors.flatMap(\.waitIntervals) + notificationLagIntervals }

  var digests: [DigestResult] { actors.flatMap(\.digests) }

  /// The share of the checks in the time of checks and transactions together.
  private func checkingShare(of actor: Actor) -> Double? {
    guard actor.checkingNanoseconds > 0 else { return nil }
    let service = actor.slots.transactions(.service, in: actor.histograms, digits: digits)
    let checking = Double(actor.checkingNanoseconds)
    return checking / (checking + service.mean * Double(service.count))
  }

  var generators: [HarnessResult.Generator] {
    actors.map { actor in
      HarnessResult.Generator(
        phase: name,
        actor: actor.name,
        connection: actor.settings.ownConnection,
        isClosed: actor.settings.load.isClosed,
        dueArrivals: actor.dueArrivals,
        begunArrivals: actor.begunTransactions,
        droppedArrivals: actor.settings.deadlineNanoseconds.map { _ in actor.droppedArrivals },
        lateness: actor.lateness,
        checkingShare: checkingShare(of: actor)
      )
    }
  }
}

extension ActorSettings {
  /// The connection that all its transactions use; nil if there is more than one.
  fileprivate var ownConnection: String? {
    connections.count == 1 && connectionLifetime == .kept ? connections[0] : nil
  }
}
