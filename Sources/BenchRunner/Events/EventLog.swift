internal import BenchModel
internal import ThreadingPrimitives

/// The progress of a phase's events. One thread writes; the conductor reads. Times are nanoseconds since the phase
/// began.
final class EventLog: Sendable {
  private struct Entry {
    var begun: UInt64?
    var ended: UInt64?
    var outcome = EventResult.Outcome.notReached
    var detail = ""
    var recovery: EventResult.Recovery?
  }

  let events: [PhaseEvent]
  private let entries: Guarded<[Entry]>

  init(_ events: [PhaseEvent]) {
    self.events = events
    entries = Guarded(events.map { _ in Entry() })
  }

  func begin(_ event: Int, at time: UInt64) {
    entries.withLock { entries in
      entries[event].begun = time
      entries[event].outcome = .unfinished
    }
  }

  /// Records the recovery of the engine after the event had ended its process or closed the database.
  func note(_ event: Int, _ recovery: EventResult.Recovery) { entries.withLock { $0[event].recovery = recovery } }

  func end(_ event: Int, at time: UInt64, _ outcome: EventResult.Outcome, _ detail: String) {
    entries.withLock { entries in
      entries[event].ended = time
      entries[event].outcome = outcome
      entries[event].detail = detail
    }
  }

  /// The events that have begun and not ended.
  var unfinished: [PhaseEvent] {
    let entries = entries.withLock { $0.map { $0 } }
    return zip(events, entries).filter { $1.outcome == .unfinished }.map(\.0)
  }

  /// - Parameter start: the beginning of the phase, in nanoseconds since the run's first phase began.
  func results(start: UInt64) -> [EventResult] {
    let entries = entries.withLock { $0.map { $0 } }
    return zip(events, entries).map { event, entry in
      EventResult(
        word: event.action.word,
        arguments: event.action.arguments,
        dueNanoseconds: start + event.atNanoseconds,
        begunNanoseconds: entry.begun.map { start + $0 },
        endedNanoseconds: entry.ended.map { start + $0 },
        outcome: entry.outcome,
        detail: entry.detail,
        recovery: entry.recovery
      )
    }
  }
}
