internal import BenchDrivers
internal import BenchModel
internal import Synchronization
internal import ThreadingPrimitives

/// Performs the events of the phase that is running, on a thread of its own, so that no event delays a sample.
///
/// The failure of an event is logged and does not end the run, unless the engine reports that its file is damaged.
final class PhaseEvents: Sendable {
  /// The longest sleep after which the thread asks again whether the phase is over.
  private static let longestSleepNanoseconds: UInt64 = 10_000_000

  let log: EventLog
  private let phase: RunningPhase
  private let actors: [String: RunningActor]
  private let context: RunContext
  private let running = Atomic<Bool>(true)

  init(in phase: RunningPhase, _ actors: [RunningActor], _ context: RunContext) {
    log = EventLog(phase.settings.events)
    self.phase = phase
    self.actors = Dictionary(uniqueKeysWithValues: actors.map { ($0.settings.name, $0) })
    self.context = context
  }

  var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Works until the phase is over, or no event and no stall is left.
  func run() {
    phase.gate.wait()
    var schedule = EventSchedule(log.events.map(\.atNanoseconds))
    var checks = CheckCounts()
    let woken = Parker()
    work: while !phase.isOver(at: MonotonicClock.now), !context.mustStop {
      switch schedule.step(at: elapsed) {
      case .wait(let time):
        woken.park(deadline: phase.startedAt + min(time, elapsed + Self.longestSleepNanoseconds))
      case .begin(let event): begin(event, &schedule, &checks)
      case .endStall(let event): log.end(event, at: elapsed, .done, "")
      case .finished: break work
      }
    }
    for event in schedule.openStalls { log.end(event, at: elapsed, .done, "until the end of the phase") }
    context.add(checks)
    running.store(false, ordering: .releasing)
    phase.eventsFinished()
  }

  /// Nanoseconds since the phase began.
  private var elapsed: UInt64 {
    let now = MonotonicClock.now
    return now - min(phase.startedAt, now)
  }

  private func begin(_ event: Int, _ schedule: inout EventSchedule, _ checks: inout CheckCounts) {
    let action = log.events[event].action
    let begun = elapsed
    log.begin(event, at: begun)
    do {
      if case .stall(let name, let nanoseconds) = action {
        let end = begun + nanoseconds
        try actor(name).stall(until: phase.startedAt + end)
        return schedule.stalls(event: event, until: end)
      }
      let (outcome, detail) = try perform(event, &checks)
      log.end(event, at: elapsed, outcome, detail)
    } catch {
      log.end(event, at: elapsed, .failed, "\(error)")
      guard context.database.isDamage(error) else { return }
      context.report(error, "the event \(action) in phase \"\(phase.settings.name)\"")
    }
  }

  private func perform(_ event: Int, _ checks: inout CheckCounts) throws -> (EventResult.Outcome, String) {
    switch log.events[event].action {
    case .checkpoint(let mode):
      let made = try context.database.checkpoint(mode)
      return (made.isAll(of: mode) ? .done : .failed, made.summary)
    case .flushMemory:
      for connection in context.allConnections { try connection.connection.flushMemory() }
      return (.done, "")
    case .vacuum:
      try context.database.vacuum()
      return (.done, "")
    case .advance(let name):
      let connections = try actor(name).connections
      for connection in connections { try connection.advance(&checks, atLeast: context.acknowledged) }
      return (.done, "to snapshot " + connections.map { String($0.bookmarkedSnapshot) }.joined(separator: ", "))
    case .register(let view):
      return (.done, "registered by commit \(try context.register(view))")
    case .reopen, .kill:
      let action = log.events[event].action
      let place = "the event \(action) in phase \"\(phase.settings.name)\""
      let recovery = try context.restartEngine(isKilled: action == .kill, place)
      log.note(event, recovery)
      let duration = MeasuredText.make(Double(recovery.durationNanoseconds), .nanoseconds)
      return (.done, "opened again and read in \(duration), with \(recovery.frames) frames in the WAL")
    case .stall:
      preconditionFailure("a stall has no end of its own to wait for")
    }
  }

  private func actor(_ name: String) throws -> RunningActor {
    guard let actor = actors[name] else {
      throw RunError(problem: "no actor \"\(name)\" acts in phase \"\(phase.settings.name)\"")
    }
    return actor
  }
}

extension CheckpointResult {
  /// Whether the checkpoint did what its mode promises. A passive one promises no more than readers allow.
  fileprivate func isAll(of mode: CheckpointModeSetting) -> Bool {
    outcome.copiesEverything || (mode == .passive && outcome == .partialPinned)
  }

  /// The outcome in a few words.
  fileprivate var summary: String {
    "\(outcome): \(framesCopied) frames copied, \(framesLeft) left"
      + (pinnedBy.map { ", blocked by \"\($0)\"" } ?? "")
  }
}
