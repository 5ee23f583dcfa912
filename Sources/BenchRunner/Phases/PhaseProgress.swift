internal import BenchResults
internal import BenchScenario

/// The progress of a phase: a state machine without clock, threads or engine.
///
///     running ──(time is up, condition holds, broken off)──▶ stopping ──(workers ended)──▶ ended
///
/// A running phase ends directly if its workers have ended, as they do when a count of the phase is done. A phase that
/// is stopping keeps its first reason.
struct PhaseProgress: Equatable {
  enum State: Equatable {
    case running
    /// No transaction begins any more; running ones are awaited.
    case stopping(PhaseResult.End, at: UInt64)
    case ended(PhaseResult.End, at: UInt64)
  }

  enum Event: Equatable {
    /// Time has passed, and nothing else has happened.
    case tick
    /// The phase's condition was checked.
    case condition(holds: Bool)
    /// All workers and the events have ended.
    case workersFinished
    /// The run must end early.
    case brokenOff
  }

  enum Action: Equatable {
    case keepRunning
    case stopWorkers
    case finish(PhaseResult.End, at: UInt64)
  }

  private(set) var state = State.running
  /// The condition that ended the phase; nil while it runs, and if it timed out or was cut short.
  private(set) var endedBy: PhaseEnd.Key?
  /// The time at which a count of the phase was first seen done; nil before.
  private var countedAt: UInt64?
  private let end: PhaseEnd
  /// The time at which the phase stops by itself; nil for a phase that only counts end, or that takes turns.
  let deadline: UInt64?

  /// - Parameter isTimed: whether time ends the phase, and not only its workers.
  init(_ end: PhaseEnd, start: UInt64, isTimed: Bool = true) {
    self.end = end
    deadline = isTimed ? end.plannedNanoseconds.map { start + $0 } : nil
  }

  /// Arrivals due before this time belong to the phase: `.max` while it runs, then its end; 0 after a run that was cut
  /// short.
  var admitsArrivalsBefore: UInt64 {
    switch state {
    case .running: .max
    case .stopping(.cutShort, _), .ended(.cutShort, _): 0
    case .stopping(_, let time), .ended(_, let time): time
    }
  }

  /// - Parameter count: The count that has ended the phase; nil if none has. The phase then ends with its workers.
  mutating func handle(_ event: Event, at now: UInt64, _ count: PhaseEnd.Key? = nil) -> Action {
    if count != nil { countedAt = countedAt ?? now }
    switch state {
    case .running:
      guard let reason = reason(event, at: now, count) else { return .keepRunning }
      // A phase with a time limit ends on time, even if the conductor ran later.
      let time = reason == .cutShort || count != nil ? now : min(now, deadline ?? now)
      if reason == .reached { endedBy = count ?? (event == .condition(holds: true) ? .until : .time) }
      if event == .workersFinished { return finish(reason, at: time) }
      state = .stopping(reason, at: time)
      return .stopWorkers
    case .stopping(let reason, let time):
      return event == .workersFinished ? finish(reason, at: time) : .keepRunning
    case .ended(let reason, let time):
      return .finish(reason, at: time)
    }
  }

  /// The reason why the phase must stop now; nil if it continues.
  private func reason(_ event: Event, at now: UInt64, _ count: PhaseEnd.Key?) -> PhaseResult.End? {
    switch event {
    case .brokenOff: return .cutShort
    case .condition(holds: true) where count == nil: return .reached
    case .tick, .condition: return count == nil && isTimeUp(now) ? reasonInTime : nil
    // Workers end by themselves when a count is done or the time is up. They end earlier only after a failure.
    case .workersFinished:
      return count != nil || deadline == nil ? .reached : isTimeUp(now) ? reasonInTime : .cutShort
    }
  }

  /// The time since which no transaction begins, and running ones are awaited; nil if the phase runs or has ended.
  var awaitsWorkersSince: UInt64? {
    switch state {
    case .running: countedAt
    case .stopping(_, let time): time
    case .ended: nil
    }
  }

  private func isTimeUp(_ now: UInt64) -> Bool { deadline.map { now >= $0 } ?? false }

  private var reasonInTime: PhaseResult.End {
    end.withinNanoseconds == nil ? .reached : .notReached
  }

  private mutating func finish(_ reason: PhaseResult.End, at time: UInt64) -> Action {
    state = .ended(reason, at: time)
    return .finish(reason, at: time)
  }
}
