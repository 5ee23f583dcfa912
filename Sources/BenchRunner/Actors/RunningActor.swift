internal import BenchModel
internal import LatencyMetrics
internal import SeededRandom
internal import Synchronization
internal import ThreadingPrimitives

/// An actor of the phase that is running, shared by all of its workers.
final class RunningActor: Sendable {
  let settings: ActorSettings
  let context: RunContext
  let phase: RunningPhase
  /// Never empty; its workers take them in turn.
  let connections: [MeasuredConnection]
  /// The connections on which it writes inside of its own transactions.
  let connectionsWrittenInside: [MeasuredConnection]
  /// nil only where every operation is `empty`.
  let collection: CheckedCollection?
  /// The view that it reads; nil if it reads none.
  let view: ViewSettings?
  /// The registration of that view, if an event registers it.
  let registration: LateView?
  let timings: ActorTimings
  /// nil for a closed load.
  let schedule: ArrivalSchedule?
  /// Opens when the actor's first worker has moved or ended the bookmarks as the phase demands.
  let hasEntered = StartGate()
  private let finished = Atomic<Int>(0)
  private let stored = Atomic<Int>(0)
  private let begun = Atomic<Int>(0)
  private let lastEnd = Atomic<UInt64>(0)
  private let workingThreads: Atomic<Int>
  private let dropped = Atomic<Int>(0)
  private let droppedByHarness = Atomic<Int>(0)
  private let stallEnd = Atomic<UInt64>(0)
  private let stalled = Atomic<UInt64>(0)
  private let checking = Atomic<UInt64>(0)
  private let lags = Guarded(Lag())
  private let allocationCounts = Guarded(AllocationCounts())
  private let drawn = Guarded<[WorkerDigest]>([])
  private let committed = Guarded(CommitTimesSum())
  /// Refused nested transactions, by the index of their operation.
  private let refusals: Guarded<[Int]>

  init(_ settings: ActorSettings, in phase: RunningPhase, _ context: RunContext) throws {
    let connections = settings.connections.flatMap { context.connections[$0] ?? [] }
    guard !connections.isEmpty else {
      throw RunError(problem: "actor \"\(settings.name)\" names no connection of the scenario")
    }
    self.settings = settings
    workingThreads = Atomic(settings.threads)
    self.context = context
    self.phase = phase
    self.connections = connections
    connectionsWrittenInside = settings.connectionsWrittenInside.flatMap { context.connections[$0] ?? [] }
    refusals = Guarded(settings.operations.map { _ in 0 })
    registration = settings.view.flatMap { context.lateViews[$0] }
    collection = settings.collection.flatMap { context.collections[$0] }
    view = context.scenario.views.first { $0.name == settings.view }
    timings = ActorTimings(
      actor: settings.name,
      slots: TimingSlots(settings),
      digits: context.scenario.measure.histogramDigits
    )
    switch settings.load {
    case .closed: schedule = nil
    case .open(let rate, let arrival):
      schedule = ArrivalSchedule(
        rate,
        arrival,
        phaseLength: Double(phase.settings.end.plannedNanoseconds ?? 0) / 1e9,
        random: RandomStream(seed: context.seed, phase.settings.name, settings.name, "arrivals")
      )
    }
  }

  /// Transactions that have ended.
  var finishedTransactions: Int { finished.load(ordering: .relaxed) }
  /// Bytes of keys, objects and metadata that its transactions have stored.
  var logicalBytes: Int { stored.load(ordering: .relaxed) }
  /// Transactions that have begun; complete once all workers have ended.
  var begunTransactions: Int { begun.load(ordering: .relaxed) }
  /// Arrivals that were dropped because they had waited past the deadline.
  var droppedArrivals: Int { dropped.load(ordering: .relaxed) }
  /// The part of the dropped arrivals that waited for the harness and not for the engine.
  var arrivalsDroppedByHarness: Int { droppedByHarness.load(ordering: .relaxed) }
  /// The time for which events have stalled its workers, summed over the workers; complete once all workers have ended.
  var stalledNanoseconds: UInt64 { stalled.load(ordering: .relaxed) }
  /// The time until which its workers are stalled, in nanoseconds of the monotonic clock; 0 before the first stall.
  @inline(__always) var stalledUntil: UInt64 { stallEnd.load(ordering: .relaxed) }
  /// The digests of each worker's draws, by thread; complete once all workers have ended.
  var digests: [WorkerDigest] { drawn.withLock { $0.sorted { $0.thread < $1.thread } } }
  /// The parts of its commits' time; complete once all workers have ended.
  var commitTimes: CommitTimesSum { committed.withLock { $0 } }
  var isWorking: Bool { workingThreads.load(ordering: .acquiring) > 0 }

  @inline(__always)
  func transactionFinished() { finished.add(1, ordering: .relaxed) }

  /// Adds the bytes of keys, objects and metadata that a transaction has committed.
  @inline(__always)
  func transactionStored(bytes: Int) { stored.add(bytes, ordering: .relaxed) }

  /// The time at which the last transaction ended; complete once all workers have ended.
  var lastTransactionEnd: UInt64 { lastEnd.load(ordering: .relaxed) }

  /// Makes the workers pause between two transactions until `end`.
  func stall(until end: UInt64) { _ = stallEnd.max(end, ordering: .relaxed) }

  func heldStill(for nanoseconds: UInt64) { stalled.add(nanoseconds, ordering: .relaxed) }

  func arrivalDropped(byHarness: Bool) {
    dropped.add(1, ordering: .relaxed)
    if byHarness { droppedByHarness.add(1, ordering: .relaxed) }
  }

  func drew(_ digest: OperationDigest, thread: Int) {
    drawn.withLock { $0.append(WorkerDigest(thread: thread, marks: digest.marks)) }
  }

  /// Adds the commit times of a worker that has ended.
  func add(_ times: CommitTimesSum) { committed.withLock { $0 += times } }

  /// Counts a nested transaction that the engine has refused.
  func refused(_ operation: Int) { refusals.withLock { $0[operation] += 1 } }

  /// The number of nested transactions refused so far, for each operation that begins some.
  var deadlocks: [String: Int] {
    let counts = refusals.withLock { $0.map { $0 } }
    let nesting = zip(settings.operations, counts).filter { $0.0.kind.nestedConnection != nil }
    return Dictionary(uniqueKeysWithValues: nesting.map { ($0.0.kind.description, $0.1) })
  }

  /// The time that its workers have spent on checking answers; complete once all workers have ended.
  var checkingNanoseconds: UInt64 { checking.load(ordering: .relaxed) }

  /// The number of allocations in its workers' threads; nil if allocations are not counted. Complete once all workers
  /// have ended.
  var allocations: Int? { allocationCounts.withLock { $0.read() } }

  /// Adds the allocation counter of a worker that has stopped counting.
  func allocated(_ count: AllocationCount.Finished) { allocationCounts.withLock { $0.unread.append(count) } }

  /// The lag of the workers that were behind when the phase ended; complete once all workers have ended.
  var lagAtEnd: Lag { lags.withLock { $0 } }

  func workerFinished(begunTransactions count: Int, lastEnd end: UInt64, lag: Lag, checkingNanoseconds: UInt64) {
    lags.withLock { $0 += lag }
    checking.add(checkingNanoseconds, ordering: .relaxed)
    begun.add(count, ordering: .relaxed)
    _ = lastEnd.max(end, ordering: .relaxed)
    workingThreads.subtract(1, ordering: .acquiringAndReleasing)
    phase.workerFinished(at: MonotonicClock.now)
  }
}

/// The allocations of an actor's workers: a sum of counters already read, and the counters of workers that have ended
/// since.
private struct AllocationCounts {
  var unread: [AllocationCount.Finished] = []
  private var sum: Int?

  mutating func read() -> Int? {
    guard !unread.isEmpty else { return sum }
    sum = (sum ?? 0) + AllocationCount.total(unread)
    unread = []
    return sum
  }
}
