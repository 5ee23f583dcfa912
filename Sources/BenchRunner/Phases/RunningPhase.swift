internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// The phase that is running, from its workers' side.
final class RunningPhase: Sendable {
  let settings: PhaseSettings
  /// Blocks the workers until all are started.
  let gate = StartGate()
  /// Raised when the phase is over: no transaction begins any more, except for an arrival that the phase `admits`.
  let stop = StopFlag()
  /// nil unless the workers take turns. Then all times of the phase but its start are times of the turns.
  let turns: Turns?
  /// The time before which arrivals belong to the phase.
  private let lastAdmission = Atomic<UInt64>(.max)
  private let start = Atomic<UInt64>(0)
  private let deadline = Atomic<UInt64>(.max)
  private let lastEnd = Atomic<UInt64>(0)
  private let unfinished: Atomic<Int>
  /// The work that may still begin.
  private let operations: CountLimit
  private let commits: CountLimit
  private let rows: CountLimit
  /// The actors that have operations of their own left.
  private let actorsLeft: Atomic<Int>
  /// The index of the condition that has ended the phase as a count, among all; -1 for none.
  private let endedBy = Atomic<Int>(-1)
  private let conductor: Parker

  /// - Parameters:
  ///   - conductor: woken when all workers and the events have finished.
  ///   - takesTurns: whether the workers work one at a time.
  init(_ settings: PhaseSettings, conductor: Parker, takesTurns: Bool = false) {
    self.settings = settings
    self.conductor = conductor
    let workers = settings.actors.reduce(0) { $0 + $1.settings.threads }
    turns = takesTurns ? Turns(workers: workers) : nil
    unfinished = Atomic(workers + (settings.events.isEmpty ? 0 : 1))
    operations = CountLimit(settings.end.operations)
    commits = CountLimit(settings.end.commits)
    rows = CountLimit(settings.end.rows)
    actorsLeft = Atomic(settings.actors.count { $0.settings.operationCount != nil })
  }

  /// The start, in nanoseconds of the monotonic clock, from which every schedule of the phase counts.
  var startedAt: UInt64 { start.load(ordering: .acquiring) }

  /// Whether no transaction may begin any more. A phase with a time limit is over on time, even if the conductor has
  /// not raised the flag yet.
  @inline(__always)
  func isOver(at now: UInt64) -> Bool { stop.isRaised || now >= deadline.load(ordering: .relaxed) }

  /// Starts the phase: sets its deadline and opens the gate.
  func begin(at now: UInt64) {
    start.store(now, ordering: .releasing)
    deadline.store(settings.end.plannedNanoseconds.map { now + $0 } ?? .max, ordering: .releasing)
    gate.open()
  }

  /// Ends the phase.
  /// - Parameter time: the end; 0 if the run ends, so that nothing may begin any more.
  func end(at time: UInt64) {
    lastAdmission.store(time, ordering: .releasing)
    stop.raise()
  }

  /// Whether an arrival that was due at a time belongs to the phase, even if the phase is over now.
  func admits(arrivalAt time: UInt64) -> Bool { time < lastAdmission.load(ordering: .acquiring) }

  /// Takes a transaction from the numbers of operations, commits and rows that the phase still has to do.
  /// - Returns: whether it may begin. The last transaction may have more operations and rows than are left.
  func take(operations: Int, commits: Int = 0, rows: Int = 0) -> Bool {
    // Workers that wait for an arrival must end too, because none may begin.
    self.operations.take(operations) { end(by: .operations) }
      && self.commits.take(commits) { end(by: .commits) }
      && self.rows.take(rows) { end(by: .rows) }
  }

  /// Records that an actor has begun the last of its operations.
  func actorFinished() {
    if actorsLeft.subtract(1, ordering: .relaxed).newValue == 0 { end(by: .operationCount) }
  }

  private func end(by key: PhaseEnd.Key) {
    let index = PhaseEnd.Key.allCases.firstIndex(of: key) ?? -1
    _ = endedBy.compareExchange(expected: -1, desired: index, ordering: .acquiringAndReleasing)
    stop.raise()
  }

  /// The count that has ended the phase; nil if none has. Its last transactions may still run.
  var endingCount: PhaseEnd.Key? {
    let index = endedBy.load(ordering: .acquiring)
    return index < 0 ? nil : PhaseEnd.Key.allCases[index]
  }

  func workerFinished(at now: UInt64) {
    _ = lastEnd.max(now, ordering: .acquiringAndReleasing)
    if unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { conductor.unpark() }
  }

  /// Records that no more events will begin. `finishedAt` is the end of the last worker even if events end later.
  func eventsFinished() { workerFinished(at: 0) }

  /// The time at which the last worker finished; nil while a worker or the events have not.
  var finishedAt: UInt64? {
    unfinished.load(ordering: .acquiring) == 0 ? lastEnd.load(ordering: .acquiring) : nil
  }
}

/// A number of operations, commits or rows that may still begin.
struct CountLimit: ~Copyable, Sendable {
  private let isLimited: Bool
  private let left: Atomic<Int>

  /// - Parameter limit: nil for no limit.
  init(_ limit: Int?) {
    isLimited = limit != nil
    left = Atomic(limit ?? 0)
  }

  /// Whether no work may begin any more.
  var isUsedUp: Bool { isLimited && left.load(ordering: .relaxed) <= 0 }

  /// - Parameter onLast: called once, if nothing is left afterwards.
  /// - Returns: whether the work may begin.
  func take(_ count: Int, onLast: () -> Void) -> Bool {
    guard isLimited else { return true }
    let left = left.subtract(count, ordering: .relaxed).oldValue
    if left > 0, left <= count { onLast() }
    return left > 0
  }
}
