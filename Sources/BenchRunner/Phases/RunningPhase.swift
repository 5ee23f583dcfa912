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
  /// Operations that may still begin; not used in a phase that does not count them.
  private let operationsLeft: Atomic<Int>
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
    if case .operations(let count) = settings.end { operationsLeft = Atomic(count) } else { operationsLeft = Atomic(0) }
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

  /// Takes operations from the number that the phase still has to do.
  /// - Returns: whether they may begin. The last transaction may have more operations than are left.
  @inline(__always)
  func take(operations count: Int) -> Bool {
    guard case .operations = settings.end else { return true }
    let left = operationsLeft.subtract(count, ordering: .relaxed).oldValue
    // Workers that wait for an arrival must end too, because no operation is left.
    if left <= count { stop.raise() }
    return left > 0
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
