internal import HarnessPrimitives
public import LatencyMetrics

/// One phase of a run, with its actors and its events.
public struct PhaseResult: Codable, Sendable {
  public enum End: String, Codable, Sendable {
    /// The condition was true, the operations were done, or the time of a phase without a condition was over.
    case reached
    /// The condition did not become true within the time.
    case notReached
    /// The run ended during the phase, by an interruption, a violation, an `abort` or a failure.
    case cutShort
  }

  public var name: String
  public var isRecorded: Bool
  public var startNanoseconds: UInt64 = 0
  public var endNanoseconds: UInt64 = 0
  /// The end of the last transaction that began in the phase; 0 without transactions. It may lie after the phase's end.
  public var lastTransactionEndNanoseconds: UInt64 = 0
  public var end = End.reached
  /// The condition that the phase waited for, as the scenario writes it; nil for a phase without a condition.
  public var condition: String?
  /// The scenario's key of the condition that ended the phase, such as `operations`; nil if the phase had only one
  /// condition, timed out or was cut short.
  public var endedBy: String?
  /// Whether the phase ended when a given number of operations, commits or rows was done.
  public var countsOperations = false
  /// The disturbance of the phase's times; nil without one.
  public var disturbance: Disturbance?
  public var actors: [ActorResult] = []
  /// In the order in which they were due.
  public var events: [EventResult] = []
  /// The times of the events: one operation for each word that an event of the phase has.
  public var eventTimes: [OperationResult] = []
  /// The lags of the notifications that were delivered in the phase; nil if there were none.
  public var notificationLag: WaitResult?

  public var durationNanoseconds: UInt64 { endNanoseconds - startNanoseconds }
  /// Returns a number of transactions, operations or events per second; nil if the phase took no time.
  ///
  /// The time is the phase's duration, or longer if its last transaction ended later. For an actor that has met its
  /// schedule it is the duration, because the schedule determines the number: its throughput is its rate.
  ///
  /// - Parameter actor: the actor that has made them; nil for events.
  public func ratePerSecond(of count: Int, by actor: ActorResult?) -> Double? {
    let hasMetSchedule = actor?.hasMetSchedule ?? false
    let end = hasMetSchedule ? endNanoseconds : max(endNanoseconds, lastTransactionEndNanoseconds)
    // The product is exact up to 9 million, so that 300 in 0.3 s are 1,000/s and not almost 1,000/s.
    return end > startNanoseconds ? Double(count) * 1e9 / Double(end - startNanoseconds) : nil
  }

  public func actor(_ name: String) -> ActorResult? { actors.first { $0.name == name } }

  /// The rates of loads that were changing when the phase ended.
  public var endRates: [EndRate] {
    actors.compactMap { actor in actor.endRatePerSecond.map { EndRate(actor: actor.name, perSecond: $0) } }
  }
}

extension PhaseResult {
  public init(name: String, isRecorded: Bool) { (self.name, self.isRecorded) = (name, isRecorded) }
}

/// The rate of an actor's arrivals when a phase ended.
public struct EndRate: Sendable {
  public var actor: String
  public var perSecond: Double

  public init(actor: String, perSecond: Double) { (self.actor, self.perSecond) = (actor, perSecond) }
}

/// A disturbance that made times of a phase longer.
public enum Disturbance: String, Codable, Sendable {
  /// Others had the processor. The workers' waits for it are known.
  case waits
  /// Others used the disk. The workers' waits of all kinds are known; any of them may have been longer because of it.
  case disk
  /// The process or the machine was paused, or was late for an unknown reason: the lost time is not known.
  case stop
}

/// One actor in one phase.
public struct ActorResult: Codable, Sendable {
  public enum Load: String, Codable, Sendable {
    /// A worker's next transaction begins after its previous one has ended, so there is no schedule to be late for.
    case closed
    /// Transactions are due at times that do not depend on the engine.
    case open
  }

  public var name: String
  public var load: Load
  /// The connection, or pool of connections, of all its transactions; nil if it names several, or if each transaction
  /// opens its own.
  public var connection: String?
  /// The arrivals that were due; nil for a closed load, and if a count ended the phase or the actor's work.
  public var dueArrivals: Int?
  /// The rate of arrivals at the end of the phase, of a ramp or of stages that had not ended; nil for any other load.
  public var endRatePerSecond: Double?
  public var begunArrivals = 0
  /// The arrivals that had waited past the deadline; nil without a deadline.
  public var droppedArrivals: Int?
  /// The delays with which free workers began due transactions, caused by the harness.
  public var lateness = LatencyHistogram()
  /// The share of the checks in the time of checks and transactions together; nil if nothing was checked.
  public var checkingShare: Double?
  /// Whole transactions first, then each operation inside them, then the moves of a bookmark if it has one.
  public var operations: [OperationResult] = []
  /// The whole transactions whose threads waited, which their times contain: for a processor and, if other processes
  /// used the disk, for anything. nil if none did.
  public var disturbed: [TimeKind: DisturbedTimes]?
  /// The time that its workers had work and waited, also between transactions, with the same waits as in `disturbed`;
  /// nil in a phase that was not disturbed. An idle worker's late start is such a wait, too.
  public var waitedNanoseconds: UInt64?
  /// The times of whole transactions, by the second in which they ended.
  public var intervals: [TimeKind: IntervalSeries] = [:]
  /// The waits for its connections; nil if the driver has reported none.
  public var laneWait: WaitResult?
  /// The waits for the write lane; nil if the driver has reported none.
  public var writeLaneWait: WaitResult?
  /// The times from commits to the moments at which the actor had read the changed rows; nil unless it reacts to
  /// notifications.
  public var notificationToRead: WaitResult?
  /// The parts of its commits' time; nil if it has committed nothing, or the driver does not report them.
  public var commitTimes: CommitTimesSum?
  /// The allocations of its threads, by the engine and by the harness; nil if they were not counted.
  public var allocations: Int?
  /// One for each worker.
  public var digests: [WorkerDigest] = []

  public init(name: String, load: Load) {
    self.name = name
    self.load = load
  }

  public func operation(_ name: String) -> OperationResult? { operations.first { $0.name == name } }

  /// Whether all arrivals of an open load that were due began or were dropped. false if due arrivals are not counted.
  public var hasMetSchedule: Bool { dueArrivals.map { begunArrivals + (droppedArrivals ?? 0) >= $0 } ?? false }

  /// The times of whole transactions.
  public var transactions: OperationResult? { operation(OperationResult.transaction) }

  /// The number of operations that ended. A transaction counts as the operations inside it.
  public var operationCount: Int {
    operations.filter(\.isInsideTransactions).map(\.endedCount).saturatingSum()
  }

  /// nil if no operation ended, or allocations were not counted.
  public var allocationsPerOperation: Double? {
    operationCount > 0 ? allocations.map { Double($0) / Double(operationCount) } : nil
  }
}

/// The times of one operation of an actor, its whole transactions, its bookmark's moves, or the events of one word.
public struct OperationResult: Codable, Sendable {
  /// The name that stands for whole transactions.
  public static let transaction = "transaction"
  /// The name that stands for the move of a bookmark.
  public static let advance = "advance"

  public var name: String
  /// Only the kinds that were recorded.
  public var times: [TimeKind: LatencyHistogram]
  /// The number of nested transactions that the engine refused, as nested or because threads would have waited for each
  /// other; nil for an operation that begins none.
  public var deadlocks: Int?
  /// The service times by the outcome in the connection's caches, without the outcomes that did not occur; nil for an
  /// operation that is not a read of one row, and for a driver that does not report outcomes.
  public var outcomes: [CacheOutcome: LatencyHistogram]?

  public init(name: String, times: [TimeKind: LatencyHistogram], deadlocks: Int? = nil) {
    self.name = name
    self.times = times
    self.deadlocks = deadlocks
  }

  /// The number of times that it ended.
  public var endedCount: Int { times[.service]?.count ?? 0 }

  public var isInsideTransactions: Bool { Self.isInsideTransactions(name) }

  /// Whether an operation of this name of an actor is a part of its transactions.
  public static func isInsideTransactions(_ name: String) -> Bool { name != transaction && name != advance }
}

/// The kinds of an operation's time. An arrival that did not begin has a wait and a response, which last until it was
/// dropped or the phase ended.
public enum TimeKind: String, Codable, CodingKeyRepresentable, Sendable, CaseIterable {
  /// From the intended start to the actual start.
  case wait
  /// From the actual start to the end.
  case service
  /// From the intended start to the end.
  case response
}

/// The times of some transactions, as measured and without their threads' waits.
public struct DisturbedTimes: Codable, Sendable {
  public var measured: LatencyHistogram
  public var undisturbed: LatencyHistogram

  public init(measured: LatencyHistogram, undisturbed: LatencyHistogram) {
    (self.measured, self.undisturbed) = (measured, undisturbed)
  }
}

/// Waits for a lane of the engine, or lags of notifications: in total, and for each second in which any ended.
public struct WaitResult: Codable, Sendable {
  public var histogram: LatencyHistogram
  public var intervals: IntervalSeries

  public init(histogram: LatencyHistogram, intervals: IntervalSeries = IntervalSeries()) {
    self.histogram = histogram
    self.intervals = intervals
  }
}
