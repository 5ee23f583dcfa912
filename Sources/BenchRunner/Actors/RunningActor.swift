internal import BenchScenario
internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives

/// An actor of the phase that is running, shared by all of its workers.
final class RunningActor: Sendable {
  let settings: ActorSettings
  let context: RunContext
  let phase: RunningPhase
  /// The connections of its transactions; never empty.
  let connections: [MeasuredConnection]
  /// The connections of its nested read-write transactions.
  let connectionsWrittenInside: [MeasuredConnection]
  /// The collections that its operations use and in which it reacts to changes, each once.
  let collections: [CheckedCollection]
  /// The view that it reads; nil if it reads none.
  let view: ViewSettings?
  /// The registration of that view, if an event registers it.
  let registration: LateView?
  let timings: ActorTimings
  /// nil for a closed load.
  let schedule: ArrivalSchedule?
  /// Opens when the actor's first worker has moved or ended the bookmarks as the phase demands, or has failed.
  let hasEntered = StartGate()
  /// Finished transactions of each worker. The words of two workers are in different cache lines.
  private let finished: ZeroedWords
  private let stored = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)
  private let stallEnd = Atomic<UInt64>(0)
  /// Whether the phase or the actor has a number of operations, commits or rows to do.
  let countsWork: Bool
  /// Its own operations that may still begin.
  private let operations: CountLimit
  /// For each of its operations, the commits and the rows that count for the end of the phase.
  private let counts: [(commits: Int, rows: Int)]
  /// Refused nested transactions, by the index of their operation.
  private let refusals: Guarded<[Int]>
  private let ended = Guarded(EndedWorkers())

  /// The distance between the counts of two workers: 128 bytes, because processors prefetch cache lines in pairs.
  private static let wordsApart = 16

  /// The workers that have ended.
  private struct EndedWorkers {
    var count = 0
    var tally = WorkerTally()
  }

  init(_ settings: ActorSettings, in phase: RunningPhase, _ context: RunContext) throws {
    let connections = settings.connections.flatMap { context.connections[$0] ?? [] }
    guard !connections.isEmpty else {
      throw RunError(problem: "actor \"\(settings.name)\" names no connection of the scenario")
    }
    self.settings = settings
    self.context = context
    self.phase = phase
    self.connections = connections
    finished = ZeroedWords(count: settings.threads * Self.wordsApart)
    connectionsWrittenInside = settings.connectionsWrittenInside.flatMap { context.connections[$0] ?? [] }
    refusals = Guarded(settings.operations.map { _ in 0 })
    countsWork = phase.settings.end.countsWork || settings.operationCount != nil
    operations = CountLimit(settings.operationCount)
    counts = settings.operations.map { ($0.kind.verb.writesInside ? 1 : 0, $0.kind.changedRowCount) }
    registration = settings.view.flatMap { context.lateViews[$0] }
    collections = settings.collections.compactMap { context.collections[$0] }
    view = context.scenario.views.first { $0.name == settings.view }
    timings = ActorTimings(
      actor: settings.name,
      slots: TimingSlots(settings, hasOutcomes: context.scenario.hasCacheOutcomes),
      digits: context.scenario.measure.histogramDigits
    )
    switch settings.load {
    case .closed: schedule = nil
    case .open(let rate, let arrival):
      schedule = ArrivalSchedule(
        rate,
        arrival,
        phaseLength: Double(phase.settings.end.plannedNanoseconds ?? 0) / 1e9,
        phaseEnd: phase.settings.end.plannedNanoseconds ?? .max,
        workers: settings.threads,
        random: RandomStream(seed: context.seed, phase.settings.name, settings.name, "arrivals")
      )
    }
  }

  /// The index, among its collections, of the one that operations use which name none; nil if none uses it.
  var ownCollection: Int? { collections.firstIndex { $0.name == settings.collection } }

  // MARK: Figures of working workers

  /// Transactions that have ended.
  var finishedTransactions: Int { (0..<settings.threads).reduce(0) { $0 + Int(finished[$1 * Self.wordsApart]) } }
  /// Bytes of keys, objects and metadata that its transactions have stored.
  var logicalBytes: Int { stored.load(ordering: .relaxed) }
  /// Arrivals that were dropped because they had waited past the deadline.
  var droppedArrivals: Int { dropped.load(ordering: .relaxed) }
  /// The time until which its workers are stalled, in nanoseconds of the monotonic clock; 0 before the first stall.
  @inline(__always) var stalledUntil: UInt64 { stallEnd.load(ordering: .relaxed) }

  /// The number of refused nested transactions so far, for each operation that begins nested transactions.
  var deadlocks: [String: Int] {
    let counts = refusals.withLock { $0.map { $0 } }
    let nesting = zip(settings.operations, counts).filter { $0.0.kind.nestedConnection != nil }
    return Dictionary(uniqueKeysWithValues: nesting.map { ($0.0.name, $0.1) })
  }

  @inline(__always)
  func finishTransaction(ofThread thread: Int) { finished[thread * Self.wordsApart] += 1 }

  /// Adds the bytes of keys, objects and metadata that a transaction has committed.
  @inline(__always)
  func addStored(bytes: Int) { stored.add(bytes, ordering: .relaxed) }

  /// Counts an arrival that has waited past the deadline.
  func dropArrival() { dropped.add(1, ordering: .relaxed) }

  /// Counts a nested transaction that the engine has refused.
  func addRefusal(ofOperation index: Int) { refusals.withLock { $0[index] += 1 } }

  /// The schedule of arrivals that are still due; nil for a closed load, and if the actor has no operations left.
  var runningSchedule: ArrivalSchedule? { operations.isUsedUp ? nil : schedule }

  /// Takes a transaction from the operations of the actor, and from the counts of the phase.
  /// - Returns: whether it may begin.
  func take(_ plan: borrowing TransactionPlan) -> Bool {
    guard operations.take(plan.operationCount, onLast: phase.actorFinished) else { return false }
    var (commits, rows) = (settings.writes ? 1 : 0, 0)
    for operation in plan.operations {
      commits += counts[operation.index].commits
      rows += counts[operation.index].rows
    }
    return phase.take(operations: plan.operationCount, commits: commits, rows: rows)
  }

  /// Makes the workers pause between two transactions until `end`.
  func stall(until end: UInt64) { _ = stallEnd.max(end, ordering: .relaxed) }

  func report(_ invariant: Invariant, _ what: String) {
    context.violations.report(invariant, "actor \"\(settings.name)\": \(what)")
  }

  // MARK: Workers that have ended

  var isWorking: Bool { ended.withLock { $0.count } < settings.threads }

  /// The sum of the tallies of the workers that have ended.
  var tally: WorkerTally { ended.withLock { $0.tally } }

  /// Adds the tally of a worker that has ended.
  func workerEnded(_ tally: WorkerTally) {
    context.add(tally.checks)
    ended.withLock { ended in
      ended.tally += tally
      ended.count += 1
    }
    phase.workerFinished(at: MonotonicClock.now)
  }
}
