internal import BenchResults
internal import BenchScenario
internal import HarnessPrimitives

extension ScenarioGenerator {
  private typealias DrawnEvent = (action: PhaseEvent.Action, isPlanned: Bool)

  /// Draws a phase with the planned combinations, and sometimes another with a part of the actors.
  mutating func drawPhases() {
    let all = scenario.actors.map { PhaseActor($0) }
    var events: [DrawnEvent] = []
    if event != .none {
      if let action = action(event, all.map(\.settings)) { events.append((action, true)) }
      events += extraEvents(all)
    }
    scenario.phases.append(phase("run", of: all, events))
    guard random.chance(35) else { return }
    let some = all.filter { _ in random.chance(70) }
    var overridden = some.isEmpty ? all : some
    if random.chance(40) {
      let index = random.below(overridden.count)
      overridden[index].settings.load = .open(rate: .constant(perSecond: 500), arrival: .constant)
      overridden[index].overriddenKeys = ["load"]
    }
    scenario.phases.append(phase("more", of: overridden, extraEvents(overridden)))
    if random.chance(30) { scenario.phases[0].records = false }
  }

  private mutating func extraEvents(_ actors: [PhaseActor]) -> [DrawnEvent] {
    let fitting = EventForm.allCases.filter { form in
      form != .none && form != .register && (hasProcess || !form.endsProcess)
    }
    return (0..<random.pick([0, 0, 1, 1, 2, 3])).compactMap { _ in
      action(random.pick(fitting), actors.map(\.settings)).map { ($0, false) }
    }
  }

  /// Returns the action of an event; nil if no actor of the phase has a snapshot to move.
  private mutating func action(_ form: EventForm, _ actors: [ActorSettings]) -> PhaseEvent.Action? {
    switch form {
    case .none: return nil
    case .checkpointPassive: return .checkpoint(.passive)
    case .checkpointFull: return .checkpoint(.full)
    case .checkpointRestart: return .checkpoint(.restart)
    case .checkpointTruncate: return .checkpoint(.truncate)
    case .flushMemory: return .flushMemory
    case .vacuum: return .vacuum
    case .advance:
      let holders = actors.filter(\.snapshot.isLongLived)
      return holders.isEmpty ? nil : .advance(actor: random.pick(holders).name)
    case .stall: return .stall(actor: random.pick(actors).name, nanoseconds: random.milliseconds(in: 5...120))
    case .register: return .register(view: scenario.views[0].name)
    case .reopen: return .reopen
    case .kill: return .kill
    }
  }

  private mutating func phase(_ name: String, of actors: [PhaseActor], _ events: [DrawnEvent]) -> PhaseSettings {
    // Another process takes a part of a second to start.
    let length = random.milliseconds(in: events.contains { $0.action.endsProcess } ? 500...900 : 150...450)
    let writes = actors.contains { $0.settings.writes || !$0.settings.connectionsWrittenInside.isEmpty }
    var end = PhaseEnd.duration(nanoseconds: length)
    if countsOperations {
      end = .operations(random.number(in: 200...3_000))
    } else if !hasProcess, writes, random.chance(8) {
      let condition = PhaseCondition(source: "wal.frames > 40", .walFrames, .greater, than: 40)
      end = .until(condition, withinNanoseconds: length)
    }
    let drawn = events.map { event in
      PhaseEvent(at: time(in: length, isEarly: event.isPlanned || countsOperations, counts: writes), event.action)
    }
    var phase = PhaseSettings(name, end: end, actors)
    phase.events = drawn.enumerated().sorted {
      ($0.element.at.nanoseconds ?? .max, $0.offset) < ($1.element.at.nanoseconds ?? .max, $1.offset)
    }.map(\.element)
    return phase
  }

  /// - Parameters:
  ///   - isEarly: whether the event must be reached.
  ///   - counts: whether the phase has commits.
  private mutating func time(in length: UInt64, isEarly: Bool, counts: Bool) -> EventTime {
    switch random.below(4) {
    case 0 where counts: return .commits(random.number(in: 1...60))
    case 1 where counts && !isEarly: return .checkpoints(random.number(in: 1...3))
    default:
      let latest = Int(length / 1_000_000) * (isEarly ? 1 : 3) / 4
      return .time(nanoseconds: random.milliseconds(in: 0...latest))
    }
  }

  /// Drops the connections, collections and views that no actor uses, of which the loader would warn.
  mutating func dropUnusedParts() {
    let used = scenario.phases.flatMap(\.actors).map(\.settings)
    let nested = used.flatMap(\.operations).compactMap(\.kind.nestedConnection)
    let connections = Set(used.flatMap(\.connections) + nested)
    scenario.connections.removeAll { !connections.contains($0.name) }
    let registered = scenario.phases.flatMap(\.events).compactMap(\.action.view)
    let views = Set(used.compactMap(\.view) + registered)
    // An actor that reads the only view of a collection needs no name of it; the second view is written in any case.
    if random.chance(70) { scenario.views.removeAll { !views.contains($0.name) } }
    let collections = Set(used.flatMap(\.collections) + scenario.views.map(\.collection))
    scenario.dataset.removeAll { !collections.contains($0.name) }
    guard !used.flatMap(\.operations).contains(where: { $0.kind.verb == .insert }) else { return }
    for index in scenario.dataset.indices { scenario.dataset[index].inserts = 0 }
  }
}
