internal import BenchResults

extension ScenarioDecoder {
  /// - Parameter overridden: the keys that a phase overrides; a contradiction that involves one is reported there.
  func actor(
    _ name: String,
    _ node: YAMLNode,
    validator: ScenarioValidator,
    overridden: Set<String> = []
  ) -> ActorSettings? {
    let problemsBefore = log.count
    guard let reader = MappingReader(node, ScenarioGrammar.actor, log: log) else { return nil }
    let operations = operations(reader, validator)
    let transaction = reader.reader("transaction", ScenarioGrammar.transaction)
    let kind: TransactionKind? = transaction?.word("kind")
    let writes = operations.contains { $0.kind.isWrite }
    let size = transaction?.scalar("operations", Scalars.transactionSize) ?? .drawn(1...1)
    let (snapshot, reaction) = snapshot(reader)
    var actor = ActorSettings(
      name: name,
      connections: connections(reader, validator),
      connectionLifetime: reader.word("connectionLifetime") ?? .kept,
      threads: reader.integer("threads").map { Int($0) } ?? 1,
      operations: operations,
      transactionKind: kind ?? (writes ? .readWrite : .read),
      transactionCall: transaction?.word("api") ?? .sync,
      operationsPerTransaction: size.operationCount(of: operations),
      performsEach: size.isEach,
      snapshot: snapshot ?? .latest,
      reactingRows: reaction,
      collection: reader.name("collection"),
      keys: reader.scalar("keys", Scalars.keyDistribution) ?? .uniform,
      load: load(reader) ?? .closed(thinkNanoseconds: 0),
      deadlineNanoseconds: reader.scalar("deadline", Scalars.duration)
    )
    if let collection = actor.collection {
      validator.dataset.check(collection, noun: "collection", at: reader.valueLocation("collection"), log: log)
    }
    actor.view = view(reader, of: actor, validator)
    guard log.count == problemsBefore else { return nil }
    validator.check(actor, reader, overridden: overridden)
    return actor
  }

  private func connections(_ reader: MappingReader, _ validator: ScenarioValidator) -> [String] {
    guard let node = reader.node("connection") else { return [] }
    if node.elements?.isEmpty ?? false {
      log.report("expected \(ValueKind.nameOrNames.expectation), found an empty one", at: node.location)
    }
    var names: [String] = []
    for element in node.elements ?? [node] {
      let expected = Scalars.connectionName.description.expectation
      guard let name = log.parse(element, expected: expected, by: Scalars.name.parse) else { continue }
      validator.connections.check(name, noun: "connection", at: element.location, log: log)
      if names.contains(name) { log.report("the connection \(quoted(name)) is listed twice", at: element.location) }
      names.append(name)
    }
    return names
  }

  private func operations(_ reader: MappingReader, _ validator: ScenarioValidator) -> [OperationWeight] {
    guard let node = reader.node("operations"),
      let pairs = log.pairs(of: node, expected: ValueKind.weights.expectation)
    else { return [] }
    var result: [OperationWeight] = []
    for pair in pairs {
      let operation = log.parse(pair.key, at: pair.keyLocation, by: Scalars.operation)
      let weight = log.parse(pair.value, expected: "a weight such as 95", by: Scalars.weight.parse)
      guard let (collection, kind) = operation else { continue }
      let found = OperationWeight(kind, in: collection, weight: weight ?? 1)
      if result.contains(where: { $0.name == found.name }) {
        log.report("the operation \(quoted(found.name)) is listed twice", at: pair.keyLocation)
      }
      if let collection { check(collection, namedBy: kind, at: pair.keyLocation, validator) }
      if let connection = kind.nestedConnection {
        validator.connections.check(connection, noun: "connection", at: pair.keyLocation, log: log)
      }
      result.append(found)
    }
    return result
  }

  private func check(
    _ collection: String,
    namedBy kind: OperationKind,
    at location: SourceLocation,
    _ validator: ScenarioValidator
  ) {
    guard kind.mayNameCollection else {
      let reason = kind.needsCollection ? "uses the actor's \"collection\"" : "uses no collection"
      return log.report("\(quoted(kind.description)) \(reason); leave out \(quoted(collection + "."))", at: location)
    }
    validator.dataset.check(collection, noun: "collection", at: location, log: log)
  }

  private func snapshot(_ reader: MappingReader) -> (mode: SnapshotMode?, reactingRows: Int?) {
    guard let node = reader.node("snapshot") else { return (nil, nil) }
    guard node.pairs != nil else {
      let expected = reader.expectation("snapshot")
      func latest(_ text: String) throws(ScalarProblem) -> SnapshotMode {
        guard text == "latest" else { throw ScalarProblem(expected: expected, found: text) }
        return .latest
      }
      return (log.parse(node, expected: expected, by: latest), nil)
    }
    guard let snapshot = reader.reader("snapshot", ScenarioGrammar.snapshot) else { return (nil, nil) }
    let move = snapshot.scalar("longLived", Scalars.snapshotMove)
    return (move.map { .longLived($0) }, snapshot.scalar("react", Scalars.reaction))
  }

  /// Returns the name of the view that the actor reads; nil if it reads none, and after reporting a problem.
  private func view(_ reader: MappingReader, of actor: ActorSettings, _ validator: ScenarioValidator) -> String? {
    let own = validator.views.filter { $0.collection == actor.collection }
    let operation = actor.operations.first(where: \.kind.readsView)?.kind
    if let operation, own.isEmpty, !validator.driver.has(.views) {
      let reads = "\(quoted(operation.description)) reads one"
      reader.report("\(validator.theDriver) has no views, and \(reads); choose the driver \"yap\"", at: "operations")
      return nil
    }
    if let name = reader.name("view") {
      guard operation != nil else {
        reader.report("the actor reads no view; leave \"view\" out", at: "view")
        return nil
      }
      guard own.contains(where: { $0.name == name }) else {
        let remedy = Suggestion.remedy(for: name, among: own.map(\.name))
        log.report("the actor's collection has no view \(quoted(name)); \(remedy)", at: reader.valueLocation("view"))
        return nil
      }
      return name
    }
    guard let operation, reader.has("collection") else { return nil }
    if own.count == 1 { return own[0].name }
    let problem = own.isEmpty ? "the actor's collection has no view" : "the actor's collection has several views"
    let remedy = own.isEmpty ? "register one under \"views\"" : "name one with \"view\""
    reader.report("\(quoted(operation.description)) reads a view, and \(problem); \(remedy)", at: "operations")
    return nil
  }
}

extension Scalars.TransactionSize {
  fileprivate var isEach: Bool {
    if case .each = self { true } else { false }
  }

  fileprivate func operationCount(of operations: [OperationWeight]) -> ClosedRange<Int> {
    switch self {
    case .drawn(let range): return range
    case .each:
      let count = max(operations.reduce(0) { $0 + $1.weight }, 1)
      return count...count
    }
  }
}
