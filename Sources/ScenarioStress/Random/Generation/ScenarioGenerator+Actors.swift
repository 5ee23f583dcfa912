internal import BenchScenario
internal import HarnessPrimitives

extension ScenarioGenerator {
  /// Draws an actor for each planned combination, each on a connection of its own, and one or two that write.
  mutating func drawActors() {
    for (index, combination) in planned.enumerated() {
      drawActor((combination.operation.isWrite ? "w" : "r") + "\(index + 1)", for: combination)
    }
    if !scenario.actors.contains(where: \.writes) { drawWriter("w0") }
    // Most planned combinations are reads, but joint commits need writers that wait for each other.
    if random.chance(50) { drawWriter("w\(planned.count + 1)") }
    scenario.connections.append(.plain(Names.inner))
    spreadNestedOperations()
  }

  private mutating func drawWriter(_ name: String) {
    let write = random.pick(OperationVerb.allCases.filter(\.isWrite))
    let policy = random.pick(planned.map(\.policy))
    drawActor(name, for: Combination(operation: write, snapshot: .latest, policy: policy, event: event))
  }

  private mutating func drawActor(_ name: String, for combination: Combination) {
    let snapshot = combination.snapshot
    var verbs = [combination.operation] + extraVerbs(on: snapshot)
    // The writer's own caches and views are read on the thread that changes them.
    if combination.operation.isWrite, random.chance(30) {
      verbs.append(random.pick([.get, .readModifyWrite, .viewAt, .viewRange]))
    }
    // A nested write on the actor's own connection is refused, and the refusal rolls back the actor's earlier writes.
    if combination.operation.isWrite, !hasProcess, random.chance(20) { verbs.append(.nestedWrite) }
    let weighed = verbs.map { verb in
      OperationWeight(kind(verb), in: collection(of: verb), weight: random.pick([1, 1, 2, 5, 20]))
    }
    let operations = weighed.enumerated().filter { index, operation in
      !weighed[..<index].contains { $0.name == operation.name }
    }.map(\.element)
    var connection = connection("c\(scenario.connections.count + 1)", combination.policy)
    var actor = ActorSettings(name, on: connection.name, operations)
    actor.collection = Names.rows
    actor.view = actor.operations.contains(where: \.kind.verb.readsView) ? random.pick(scenario.views).name : nil
    if snapshot == .latest, random.chance(10) { actor.transactionKind = .readWrite }
    actor.snapshot = mode(snapshot)
    if snapshot.reacts { actor.reactingRows = random.chance(50) ? .max : random.number(in: 1...10) }
    if !actor.usesOwnCollection { actor.collection = nil }
    if case .longLived(.behind(let commits)) = actor.snapshot { connection.count = commits + 1 }
    let threads = scenario.actors.reduce(0) { $0 + $1.threads }
    let isAlone = snapshot == .behind || threads + 2 + planned.count > Self.mostThreads
    actor.threads = isAlone ? 1 : random.pick([1, 1, 2])
    actor.keys = keys()
    for (index, operation) in actor.operations.enumerated() where operation.kind.drawnRowCount > 0 {
      if random.chance(15) { actor.operations[index].keys = keys() }
    }
    // The bookmark moves between transactions.
    if !operations.contains(where: { $0.kind.verb == .begin }) { drawTransaction(of: &actor) }
    if snapshot == .latest, random.chance(15) { actor.connectionLifetime = .perTransaction }
    actor.load = load(isSlow: operations.contains { $0.kind.verb == .insert })
    if !actor.load.isClosed, random.chance(15) { actor.deadlineNanoseconds = random.milliseconds(in: 5...100) }
    scenario.connections.append(connection)
    scenario.actors.append(actor)
  }

  private mutating func extraVerbs(on snapshot: SnapshotForm) -> [OperationVerb] {
    let fitting = OperationVerb.allCases.filter { verb in
      Combination(operation: verb, snapshot: snapshot, policy: .share, event: event).isPossible
        && !(verb.nests && hasProcess) && verb != .begin
    }
    return (0..<random.pick([0, 1, 1, 2, 3])).map { _ in random.pick(fitting) }
  }

  private mutating func kind(_ verb: OperationVerb) -> OperationKind {
    if verb.nests { return OperationKind(verb, on: Names.inner) }
    return switch verb {
    case .multiGet: OperationKind(verb, random.number(in: 1...12))
    case .scan: OperationKind(verb, 1...random.number(in: 1...20))
    case .viewRange: OperationKind(verb, random.number(in: 1...20))
    case .transfer: OperationKind(verb, random.number(in: 2...4))
    default: OperationKind(verb)
    }
  }

  /// Returns the collection that an operation names; nil for the actor's.
  private mutating func collection(of verb: OperationVerb) -> String? {
    // Other writes would change the sum of the balances.
    if verb == .transfer { return Names.accounts }
    // The rows of the other collection have no metadata, and it has no room for inserts.
    guard verb.mayNameCollection, ![.getMetadata, .getRow, .setMetadata, .insert].contains(verb) else { return nil }
    return random.chance(12) ? Names.others : nil
  }

  private mutating func connection(_ name: String, _ policy: CachePolicySetting) -> ConnectionSettings {
    var connection = ConnectionSettings.plain(name)
    if policy != scenario.engine.defaultObjectPolicy { connection.objectPolicy = policy }
    if random.chance(20) { connection.metadataPolicy = random.pick(CachePolicySetting.allCases) }
    connection.objectCache = !random.chance(8)
    connection.metadataCache = !random.chance(8)
    let limits = [1, 2, 7, 1_000_000]
    if connection.objectCache, random.chance(50) { connection.objectCacheLimit = random.pick(limits) }
    if connection.metadataCache, random.chance(50) { connection.metadataCacheLimit = random.pick(limits) }
    if random.chance(20) { connection.count = random.number(in: 2...3) }
    return connection
  }

  private mutating func mode(_ form: SnapshotForm) -> SnapshotMode {
    switch form {
    case .latest: .latest
    case .never: .longLived(.never)
    case .onNotification, .onNotificationReacting: .longLived(.onNotification)
    case .every, .everyReacting: .longLived(.every(nanoseconds: random.milliseconds(in: 1...30)))
    case .behind: .longLived(.behind(commits: random.number(in: 1...3)))
    case .after: .longLived(.after(nanoseconds: random.milliseconds(in: 0...150)))
    }
  }

  private mutating func keys() -> KeyDistribution {
    random.pick([
      .uniform, .uniform, .sequential, .zipfian(theta: 0.99), .scrambledZipfian, .latest,
      .hotspot(dataShare: 0.2, operationShare: 0.8), .exponential(percentile: 0.95, fraction: 0.857),
    ])
  }

  private mutating func drawTransaction(of actor: inout ActorSettings) {
    if random.chance(20) { actor.transactionCall = .async }
    switch random.below(5) {
    case 0, 1: break
    case 2: actor.operationsPerTransaction = 1...random.number(in: 2...8)
    case 3:
      let count = random.number(in: 2...6)
      actor.operationsPerTransaction = count...count
    default:
      for index in actor.operations.indices { actor.operations[index].weight = random.number(in: 1...3) }
      let sum = actor.operations.reduce(0) { $0 + $1.weight }
      actor.performsEach = true
      actor.operationsPerTransaction = sum...sum
    }
  }

  /// Lets some nested operations use connections of actors, often their own, so that the engine refuses some.
  private mutating func spreadNestedOperations() {
    let free = scenario.actors.filter { !$0.snapshot.isLongLived }.flatMap(\.connections)
    guard !free.isEmpty else { return }
    for actor in scenario.actors.indices {
      let own = scenario.actors[actor].connections
      for index in scenario.actors[actor].operations.indices where random.chance(60) {
        let connection = random.pick(scenario.actors[actor].writes && random.chance(50) ? own : free)
        let verb = scenario.actors[actor].operations[index].kind.verb
        if verb.nests { scenario.actors[actor].operations[index].kind = OperationKind(verb, on: connection) }
      }
    }
  }
}
