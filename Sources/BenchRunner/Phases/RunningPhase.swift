internal import BenchModel
internal import Synchronization
internal import ThreadingPrimitives

/// The phase that is running, as its workers see it.
final class RunningPhase: Sendable {
  let settings: PhaseSettings
  /// Holds the workers back until all are there.
  let gate = StartGate()
  /// Raised when the phase is over: no transaction begins any more.
  let stop = StopFlag()
  private let start = Atomic<UInt64>(0)
  private let deadline = Atomic<UInt64>(.max)
  private let lastEnd = Atomic<UInt64>(0)
  private let unfinished: Atomic<Int>
  /// Operations that may still begin; without limit in a phase that does not count them.
  private let operationsLeft: Atomic<Int>
  private let conductor: Parker

  /// - Parameter conductor: is woken when the last worker has finished, and the events have.
  init(_ settings: PhaseSettings, conductor: Parker) {
    self.settings = settings
    self.conductor = conductor
    let workers = settings.actors.reduce(0) { $0 + $1.settings.threads }
    unfinished = Atomic(workers + (settings.events.isEmpty ? 0 : 1))
    if case .operations(let count) = settings.end { operationsLeft = Atomic(count) } else { operationsLeft = Atomic(0) }
  }

  /// Nanoseconds of the monotonic clock; what every schedule of the phase counts from.
  var startedAt: UInt64 { start.load(ordering: .acquiring) }

  /// Whether no transaction may begin any more. A phase with a time of its own is over on time, even if nobody has come
  /// to raise the flag.
  @inline(__always)
  func isOver(at now: UInt64) -> Bool { stop.isRaised || now >= deadline.load(ordering: .relaxed) }

  /// Lets the workers go.
  func begin(at now: UInt64) {
    start.store(now, ordering: .releasing)
    let planned = settings.end.plannedNanoseconds
    deadline.store(planned > 0 ? now + planned : .max, ordering: .releasing)
    gate.open()
  }

  /// Takes operations from what the phase still has to do.
  /// - Returns: whether they may begin. The last transaction may be larger than what was left.
  @inline(__always)
  func take(operations count: Int) -> Bool {
    guard case .operations = settings.end else { return true }
    let left = operationsLeft.subtract(count, ordering: .relaxed).oldValue
    // Those who wait for an arrival need not wait for it to learn that nothing is left to do.
    if left <= count { stop.raise() }
    return left > 0
  }

  func workerFinished(at now: UInt64) {
    _ = lastEnd.max(now, ordering: .acquiringAndReleasing)
    if unfinished.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { conductor.unpark() }
  }

  /// No event comes any more. When that was says nothing about how long the actors took.
  func eventsFinished() { workerFinished(at: 0) }

  /// When the last worker finished; nil while one has not, or an event is under way.
  var finishedAt: UInt64? {
    unfinished.load(ordering: .acquiring) == 0 ? lastEnd.load(ordering: .acquiring) : nil
  }
}
