internal import BenchModel

/// How far a phase has come: a state machine without clock, threads or engine.
///
///     running ──(time is up, condition holds, operations done, broken off)──▶ stopping ──(workers gone)──▶ ended
///
/// A phase that has begun to stop stays with its first reason. Workers that go by themselves have done all operations.
struct PhaseProgress: Equatable {
  enum State: Equatable {
    case running
    /// No transaction begins any more; those that run are waited for.
    case stopping(PhaseResult.End, at: UInt64)
    case ended(PhaseResult.End, at: UInt64)
  }

  enum Event: Equatable {
    /// Nothing but time.
    case tick
    /// The condition that the phase waits for was looked at.
    case condition(holds: Bool)
    /// The last worker has gone.
    case workersFinished
    /// The run must end before its time.
    case brokenOff
  }

  enum Action: Equatable {
    case keepRunning
    case stopWorkers
    case finish(PhaseResult.End, at: UInt64)
  }

  private(set) var state = State.running
  private let end: PhaseEnd
  /// The time at which the phase stops by itself; nil where it has none.
  let deadline: UInt64?

  init(_ end: PhaseEnd, start: UInt64) {
    self.end = end
    switch end {
    case .duration(let nanoseconds), .until(_, let nanoseconds): deadline = start + nanoseconds
    case .operations: deadline = nil
    }
  }

  mutating func handle(_ event: Event, at now: UInt64) -> Action {
    switch state {
    case .running:
      if let reason = reason(event, now) {
        // A phase of fixed length ends on time, even if nobody looked just then.
        let time = reason == .cutShort ? now : min(now, deadline ?? now)
        if event == .workersFinished { return finish(reason, at: time) }
        state = .stopping(reason, at: time)
        return .stopWorkers
      }
      return .keepRunning
    case .stopping(let reason, let time):
      return event == .workersFinished ? finish(reason, at: time) : .keepRunning
    case .ended(let reason, let time):
      return .finish(reason, at: time)
    }
  }

  /// Why the phase must stop now, if it must.
  private func reason(_ event: Event, _ now: UInt64) -> PhaseResult.End? {
    switch event {
    case .brokenOff: return .cutShort
    case .condition(true): return .reached
    case .tick, .condition(false): return isTimeUp(now) ? reasonInTime : nil
    // Workers stop by themselves when the time is up. Before that they only go because something broke.
    case .workersFinished: return isCounting ? .reached : isTimeUp(now) ? reasonInTime : .cutShort
    }
  }

  private func isTimeUp(_ now: UInt64) -> Bool { deadline.map { now >= $0 } ?? false }

  private var reasonInTime: PhaseResult.End {
    if case .until = end { .notReached } else { .reached }
  }

  private var isCounting: Bool {
    if case .operations = end { true } else { false }
  }

  private mutating func finish(_ reason: PhaseResult.End, at time: UInt64) -> Action {
    state = .ended(reason, at: time)
    return .finish(reason, at: time)
  }
}
