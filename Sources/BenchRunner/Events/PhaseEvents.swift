internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// Performs the events of the phase that is running, on a thread of its own, so that no event delays a sample.
///
/// The failure of an event is logged. It ends the run only if the file is damaged or the engine does not come back.
final class PhaseEvents: Sendable {
  /// The longest sleep after which the thread asks again whether the phase is over.
  private static let longestSleepNanoseconds: UInt64 = 10_000_000
  /// The interval at which checkpoints are counted while an event waits for them.
  private static let countingNanoseconds: UInt64 = 1_000_000

  let log: EventLog
  private let phase: RunningPhase
  private let actors: [String: RunningActor]
  private let context: RunContext
  /// The counts of the phase before it begins; nil if no event waits for a count.
  private let counts: PhaseCounts?
  private let running = Atomic<Bool>(true)

  init(in phase: RunningPhase, _ actors: [RunningActor], _ context: RunContext) {
    log = EventLog(phase.settings.events)
    self.phase = phase
    self.actors = Dictionary(uniqueKeysWithValues: actors.map { ($0.settings.name, $0) })
    self.context = context
    counts = PhaseCounts(for: phase.settings.events.map(\.at), context)
  }

  var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Works until the phase is over, the run must end, or no event and no stall is left.
  func run() {
    phase.gate.wait()
    var schedule = EventSchedule(log.events.map(\.at))
    var counts = counts
    var checks = CheckCounts()
    work: while !phase.isOver(at: MonotonicClock.now), !context.mustStop {
      let counted = counts?.update(for: schedule) ?? EventSchedule.Counts()
      switch schedule.step(at: elapsed, counted) {
      case .wait(let time):
        let longest = schedule.awaitsCheckpoints ? Self.countingNanoseconds : Self.longestSleepNanoseconds
        context.commitAlarm.woken.park(deadline: phase.startedAt + min(time, elapsed + longest))
      case .begin(let event): begin(event, in: &schedule, &checks)
      case .endStall(let event): log.end(event, at: elapsed, .done)
      case .finished: break work
      }
    }
    for event in schedule.openStalls { log.end(event, at: elapsed, .done, detail: "until the end of the phase") }
    context.add(checks)
    running.store(false, ordering: .releasing)
    phase.eventsFinished()
  }

  /// Nanoseconds since the phase began.
  private var elapsed: UInt64 {
    let now = MonotonicClock.now
    return now - min(phase.startedAt, now)
  }

  private func begin(_ event: Int, in schedule: inout EventSchedule, _ checks: inout CheckCounts) {
    let action = log.events[event].action
    let begun = elapsed
    log.begin(event, at: begun)
    do {
      if case .stall(let name, let nanoseconds) = action {
        let end = begun + nanoseconds
        try actor(name).stall(until: phase.startedAt + end)
        return schedule.beginStall(ofEvent: event, until: end)
      }
      let (outcome, detail) = try perform(event, &checks)
      log.end(event, at: elapsed, outcome, detail: detail)
    } catch {
      log.end(event, at: elapsed, .failed, detail: "\(error)")
      guard context.database.isDamage(error) else { return }
      context.report(error, in: "the event \(action) in phase \"\(phase.settings.name)\"")
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
      try context.vacuum()
      return (.done, "")
    case .advance(let name):
      let connections = try actor(name).connections
      for connection in connections { try connection.advance(&checks, atLeast: context.acknowledged) }
      return (.done, "to snapshot " + connections.map { String($0.bookmarkedSnapshot) }.joined(separator: ", "))
    case .register(let view):
      return (.done, "registered by commit \(try context.register(view))")
    case .reopen, .kill:
      let action = log.events[event].action
      let recovery = try context.restartEngine(
        isKilled: action == .kill,
        in: "the event \(action) in phase \"\(phase.settings.name)\""
      )
      log.setRecovery(recovery, ofEvent: event)
      let duration = Quantity.duration(nanoseconds: recovery.durationNanoseconds)
      let frames = recovery.frames.map { ", with \($0) frames in the WAL" } ?? ""
      return (.done, "reopened and read in \(duration)" + frames)
    case .stall:
      preconditionFailure("a stall must not be awaited")
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
  /// Whether all frames were copied; for a passive checkpoint, all frames that pinned snapshots allow.
  fileprivate func isAll(of mode: CheckpointModeSetting) -> Bool {
    outcome.copiesEverything || (mode == .passive && [.overtaken, .partialPinned].contains(outcome))
  }

  /// The outcome in a few words.
  fileprivate var summary: String {
    "\(outcome): \(framesCopied) frames copied, \(framesLeft) left"
      + (pinnedBy.map { ", blocked by \"\($0)\"" } ?? "")
  }
}

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

  /// Records the engine's recovery after the event had ended its process.
  func setRecovery(_ recovery: EventResult.Recovery, ofEvent event: Int) {
    entries.withLock { $0[event].recovery = recovery }
  }

  func end(_ event: Int, at time: UInt64, _ outcome: EventResult.Outcome, detail: String = "") {
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
      var result = EventResult(
        word: event.action.word,
        arguments: event.action.arguments,
        dueNanoseconds: start + (event.at.nanoseconds ?? entry.begun ?? 0),
        outcome: entry.outcome
      )
      result.condition = event.at.nanoseconds == nil ? "\(event.at)" : nil
      result.begunNanoseconds = entry.begun.map { start + $0 }
      result.endedNanoseconds = entry.ended.map { start + $0 }
      (result.detail, result.recovery) = (entry.detail, entry.recovery)
      return result
    }
  }
}
