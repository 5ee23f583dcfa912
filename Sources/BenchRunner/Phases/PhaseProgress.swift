internal import BenchResults
internal import BenchScenario

/// The progress of a phase: a state machine without clock, threads or engine.
///
///     running ──(time is up, condition holds, broken off)──▶ stopping ──(workers ended)──▶ ended
///
/// A running phase ends directly if its workers have ended, as they do when all operations are done. A phase that is
/// stopping keeps its first reason.
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
  private let end: PhaseEnd
  /// The time at which the phase stops by itself; nil for a phase that counts operations or takes turns.
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

  mutating func handle(_ event: Event, at now: UInt64) -> Action {
    switch state {
    case .running:
      guard let reason = reason(event, now) else { return .keepRunning }
      // A phase with a time limit ends on time, even if the conductor ran later.
      let time = reason == .cutShort ? now : min(now, deadline ?? now)
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
  private func reason(_ event: Event, _ now: UInt64) -> PhaseResult.End? {
    switch event {
    case .brokenOff: return .cutShort
    case .condition(true): return .reached
    case .tick, .condition(false): return isTimeUp(now) ? reasonInTime : nil
    // Workers end by themselves when all operations are done or the time is up. They end earlier only after a failure.
    case .workersFinished: return deadline == nil ? .reached : isTimeUp(now) ? reasonInTime : .cutShort
    }
  }

  private func isTimeUp(_ now: UInt64) -> Bool { deadline.map { now >= $0 } ?? false }

  private var reasonInTime: PhaseResult.End {
    if case .until = end { .notReached } else { .reached }
  }

  private mutating func finish(_ reason: PhaseResult.End, at time: UInt64) -> Action {
    state = .ended(reason, at: time)
    return .finish(reason, at: time)
  }
}
