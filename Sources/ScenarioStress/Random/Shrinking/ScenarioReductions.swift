internal import BenchScenario

/// The ways to make a scenario smaller, from those that change most to those that simplify a value.
///
/// Each returns candidates in a fixed order. A candidate may be invalid; the shrinker skips it. Every change leads
/// towards the same smallest values and none leads back, so that shrinking ends.
enum ScenarioReductions {
  typealias Reduction = @Sendable (Scenario) -> [Scenario]

  static let all: [Reduction] = [
    withPlainParts, withoutPhase, withoutActor, withoutEvents, withoutOperation, withoutView, withPlainEngine,
    withPlainConnection, withPlainActor, withPlainData, withPlainPhase,
  ]

  // MARK: Removals

  private static func withoutPhase(_ scenario: Scenario) -> [Scenario] {
    guard scenario.phases.count > 1 else { return [] }
    return scenario.phases.indices.map { index in changed(scenario) { $0.phases.remove(at: index) } }
  }

  private static func withoutActor(_ scenario: Scenario) -> [Scenario] {
    guard scenario.actors.count > 1 else { return [] }
    return scenario.actors.map { actor in
      changed(scenario) { scenario in
        scenario.actors.removeAll { $0.name == actor.name }
        for index in scenario.phases.indices { scenario.phases[index].actors.removeAll { $0.name == actor.name } }
        scenario.phases.removeAll(where: \.actors.isEmpty)
      }
    }
  }

  private static func withoutEvents(_ scenario: Scenario) -> [Scenario] {
    let without = changed(scenario) { scenario in
      for index in scenario.phases.indices { scenario.phases[index].events = [] }
    }
    let one = scenario.phases.indices.flatMap { phase in
      scenario.phases[phase].events.indices.map { event in
        changed(scenario) { $0.phases[phase].events.remove(at: event) }
      }
    }
    return [without] + one
  }

  private static func withoutOperation(_ scenario: Scenario) -> [Scenario] {
    scenario.actors.flatMap { actor in
      guard actor.operations.count > 1 else { return [Scenario]() }
      return actor.operations.map { operation in
        changed(scenario) { scenario in
          scenario.change(actor.name) { $0.operations.removeAll { $0.name == operation.name } }
        }
      }
    }
  }

  private static func withoutView(_ scenario: Scenario) -> [Scenario] {
    scenario.views.map { view in changed(scenario) { $0.views.removeAll { $0.name == view.name } } }
  }

  // MARK: Simplifications

  /// Simplifies all parts at once, then all but one, then each. One success saves many single steps.
  private static func withPlainParts(_ scenario: Scenario) -> [Scenario] {
    let parts: [(inout Scenario) -> Void] = [
      { scenario in
        scenario.engine = EngineSettings(of: scenario.engine.driver)
        for change in MeasureSettings.simplifications { change(&scenario.measure) }
      },
      { scenario in scenario.connections = scenario.connections.map { .plain($0.name) } },
      { scenario in for actor in scenario.actors { scenario.change(actor.name) { $0.simplify() } } },
      { scenario in
        for index in scenario.dataset.indices { scenario.dataset[index].simplify(keepsRows: true) }
      },
      { scenario in for index in scenario.phases.indices { scenario.phases[index].shorten() } },
      { scenario in for index in scenario.phases.indices { scenario.phases[index].events = [] } },
    ]
    let all = changed(scenario) { scenario in for part in parts { part(&scenario) } }
    let most = parts.indices.map { omitted in
      changed(scenario) { scenario in
        for (index, part) in parts.enumerated() where index != omitted { part(&scenario) }
      }
    }
    return [all] + most + parts.map { changed(scenario, $0) }
  }

  private static func withPlainEngine(_ scenario: Scenario) -> [Scenario] {
    let plain = EngineSettings(of: scenario.engine.driver)
    return ([{ $0 = plain }] + EngineSettings.simplifications).map { change in
      changed(scenario) { change(&$0.engine) }
    }
  }

  private static func withPlainConnection(_ scenario: Scenario) -> [Scenario] {
    let changes = [{ $0 = .plain($0.name) }] + ConnectionSettings.simplifications
    return scenario.connections.indices.flatMap { index in
      changes.map { change in changed(scenario) { change(&$0.connections[index]) } }
    }
  }

  private static func withPlainActor(_ scenario: Scenario) -> [Scenario] {
    let changes: [@Sendable (inout ActorSettings) -> Void] =
      [
        { $0.simplify() }, { $0.reactingRows = nil }, { $0.transactionKind = .read }, { $0.weighEqually() },
        { $0.drawByOneLaw() },
        { if $0.snapshot.isLongLived { $0.snapshot = .longLived(.never) } },
      ] + ActorSettings.simplifications
    return scenario.actors.flatMap { actor in
      changes.map { change in changed(scenario) { $0.change(actor.name, change) } }
    }
  }

  private static func withPlainData(_ scenario: Scenario) -> [Scenario] {
    let changes: [@Sendable (inout DatasetCollection) -> Void] =
      [
        { $0.simplify(keepsRows: false) }, { $0.rows = min($0.rows, 10) }, { $0.rows = max($0.rows / 2, 1) },
        { $0.value = ValueShape(.fixed(bytes: 64)) },
        { $0.metadata = $0.metadata.map { _ in ValueShape(.fixed(bytes: 32)) } },
      ] + DatasetCollection.simplifications
    let collections = scenario.dataset.indices.flatMap { index in
      changes.map { change in changed(scenario) { change(&$0.dataset[index]) } }
    }
    let views = scenario.views.indices.flatMap { index in
      ViewSettings.simplifications.map { change in changed(scenario) { change(&$0.views[index]) } }
    }
    return collections + views
  }

  private static func withPlainPhase(_ scenario: Scenario) -> [Scenario] {
    let changes: [(inout PhaseSettings) -> Void] = [
      { $0.records = true },
      { phase in
        phase.actors = phase.actors.map { actor in
          PhaseActor(scenario.actors.first { $0.name == actor.name } ?? actor.settings)
        }
      },
      { $0.shorten() },
    ]
    return scenario.phases.indices.flatMap { index in
      changes.map { change in changed(scenario) { change(&$0.phases[index]) } }
    }
  }

  /// Returns the changed scenario without the parts that nothing uses any more.
  private static func changed(_ scenario: Scenario, _ change: (inout Scenario) -> Void) -> Scenario {
    var result = scenario
    change(&result)
    result.dropDangling()
    return result
  }
}

extension Scenario {
  /// Changes an actor, and its settings in all phases.
  fileprivate mutating func change(_ name: String, _ change: (inout ActorSettings) -> Void) {
    for index in actors.indices where actors[index].name == name { change(&actors[index]) }
    for phase in phases.indices {
      for index in phases[phase].actors.indices where phases[phase].actors[index].name == name {
        change(&phases[phase].actors[index].settings)
      }
    }
  }

  /// Drops what refers to removed parts, parts that nothing refers to, and invariants that are not legal any more.
  fileprivate mutating func dropDangling() {
    for phase in phases.indices {
      let names = Set(phases[phase].actors.map(\.name))
      let held = Set(phases[phase].actors.filter(\.settings.snapshot.isLongLived).map(\.name))
      phases[phase].events.removeAll { event in
        switch event.action {
        case .advance(let actor): !held.contains(actor)
        case .stall(let actor, _): !names.contains(actor)
        case .register(let view): !views.contains { $0.name == view }
        case .checkpoint, .flushMemory, .vacuum, .reopen, .kill: false
        }
      }
    }
    let acting = Set(phases.flatMap(\.actors).map(\.name))
    actors.removeAll { !acting.contains($0.name) }
    for actor in actors {
      change(actor.name) { settings in
        if !settings.operations.contains(where: \.kind.verb.readsView) { settings.view = nil }
        if !settings.usesOwnCollection { settings.collection = nil }
        if settings.performsEach {
          let sum = settings.operations.reduce(0) { $0 + $1.weight }
          settings.operationsPerTransaction = sum...sum
        }
      }
    }
    let used = phases.flatMap(\.actors).map(\.settings)
    let connected = Set(used.flatMap(\.connections) + used.flatMap(\.operations).compactMap(\.kind.nestedConnection))
    connections.removeAll { !connected.contains($0.name) }
    let collected = Set(used.flatMap(\.collections) + views.map(\.collection))
    dataset.removeAll { !collected.contains($0.name) }
    if !used.flatMap(\.operations).contains(where: { $0.kind.verb == .insert }) {
      for index in dataset.indices { dataset[index].inserts = 0 }
    }
    let legal = legalInvariants
    invariants.removeAll { !legal.contains($0) }
  }
}

extension ActorSettings {
  /// Whether it uses its own collection, and not only those that its operations name.
  var usesOwnCollection: Bool {
    reactingRows != nil || operations.contains { $0.kind.verb.needsCollection && $0.collection == nil }
  }

  /// Sets everything but connections, operations, collection and snapshot to its default.
  fileprivate mutating func simplify() {
    threads = 1
    keys = .uniform
    load = .closed(thinkNanoseconds: 0)
    deadlineNanoseconds = nil
    operationCount = nil
    connectionLifetime = .kept
    transactionCall = .sync
    performOne()
    weighEqually()
    drawByOneLaw()
    if !operations.contains(where: \.kind.verb.isWrite) { transactionKind = .read }
  }

  fileprivate mutating func performOne() {
    performsEach = false
    operationsPerTransaction = 1...1
  }

  fileprivate mutating func weighEqually() {
    for index in operations.indices { operations[index].weight = 1 }
  }

  /// Lets all operations draw rows by the actor's keys.
  fileprivate mutating func drawByOneLaw() {
    for index in operations.indices { operations[index].keys = nil }
  }
}

extension PhaseSettings {
  private static let shortNanoseconds: UInt64 = 500_000_000

  /// Lets the phase end after a time of at most 500 ms.
  fileprivate mutating func shorten() {
    end = .duration(nanoseconds: min(end.nanoseconds ?? .max, Self.shortNanoseconds))
  }
}

extension DatasetCollection {
  fileprivate mutating func simplify(keepsRows: Bool) {
    if !keepsRows { rows = min(rows, 3) }
    key = .ordered
    value = ValueShape(.fixed(bytes: 64))
    codec = .raw
    metadata = nil
  }
}
