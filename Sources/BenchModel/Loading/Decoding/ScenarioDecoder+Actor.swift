/// What actors may name, and what the phases in which they act are checked against.
struct ActorContext {
  let driver: DriverKind
  let connections: NamedParts<ConnectionSettings>
  let dataset: NamedParts<DatasetCollection>
  let views: [ViewSettings]
  let samplingNanoseconds: UInt64
}

extension ScenarioDecoder {
  /// - Parameter overridden: the keys that a phase overrides; a contradiction is told at one of them where it can be.
  func actor(
    _ name: String,
    _ node: YAMLNode,
    _ context: ActorContext,
    overridden: Set<String> = []
  ) -> ActorSettings? {
    guard let reader = MappingReader(node, ScenarioGrammar.actor, log: log) else { return nil }
    let operations = operations(reader, context)
    let transaction = reader.reader("transaction", ScenarioGrammar.transaction)
    let kind: TransactionKind? = transaction?.word("kind")
    let writes = operations.contains { $0.kind.isWrite }
    var actor = ActorSettings(
      name: name,
      connections: connections(reader, context),
      threads: reader.integer("threads").map { Int($0) } ?? 1,
      operations: operations,
      transactionKind: kind ?? (writes ? .readWrite : .read),
      operationsPerTransaction: operationsPerTransaction(transaction) ?? 1...1,
      snapshot: snapshot(reader) ?? .latest,
      collection: collection(reader, context),
      keys: reader.scalar("keys") { (text) throws(ScalarProblem) in try KeyDistributionScalar.parse(text) } ?? .uniform,
      load: load(reader) ?? .closed(thinkNanoseconds: 0),
      deadlineNanoseconds: reader.duration("deadline")
    )
    actor.transactionCall = transaction?.word("api") ?? .sync
    actor.connectionLifetime = reader.word("connectionLifetime") ?? .kept
    actor.view = view(reader, of: actor, context)
    check(actor, reader, context, overridden: overridden)
    return actor
  }

  private func connections(_ reader: MappingReader, _ context: ActorContext) -> [String] {
    guard let node = reader.node("connection") else { return [] }
    if node.elements?.isEmpty ?? false {
      log.report("expected \(ValueKind.nameOrNames.expectation), found an empty one", at: node.place)
    }
    var names: [String] = []
    for element in node.elements ?? [node] {
      let name = MappingReader.scalar(element, expected: "the name of a connection", log: log) {
        (text) throws(ScalarProblem) in try NameScalar.parse(text)
      }
      guard let name else { continue }
      context.connections.check(name, noun: "connection", at: element.place, log: log)
      if names.contains(name) { log.report("the connection \(quoted(name)) is here twice", at: element.place) }
      names.append(name)
    }
    return names
  }

  private func collection(_ reader: MappingReader, _ context: ActorContext) -> String? {
    guard let name = reader.name("collection"), let place = reader.node("collection")?.place else { return nil }
    context.dataset.check(name, noun: "collection", at: place, log: log)
    return name
  }

  private func operations(_ reader: MappingReader, _ context: ActorContext) -> [OperationWeight] {
    guard let node = reader.node("operations") else { return [] }
    guard let pairs = node.pairs, !pairs.isEmpty else {
      let found = node.pairs == nil ? node.found : "an empty one"
      log.report("expected \(ValueKind.weights.expectation), found \(found)", at: node.place)
      return []
    }
    var result: [OperationWeight] = []
    for pair in pairs {
      let kind = log.reporting(at: pair.keyPlace) { () throws(ScalarProblem) in try OperationScalar.parse(pair.key) }
      let weight = MappingReader.scalar(pair.value, expected: "a weight such as 95", log: log) {
        (text) throws(ScalarProblem) in
        let weight = try CountScalar.parse(text)
        guard weight >= 1, weight <= 1_000_000 else {
          throw ScalarProblem(expected: "a weight from 1 to 1000000", found: text)
        }
        return weight
      }
      guard let kind else { continue }
      if result.contains(where: { $0.kind == kind }) {
        log.report("the operation \(quoted(kind.description)) is here twice", at: pair.keyPlace)
      }
      if let connection = kind.nestedConnection {
        context.connections.check(connection, noun: "connection", at: pair.keyPlace, log: log)
      }
      result.append(OperationWeight(kind, weight: weight ?? 1))
    }
    return result
  }

  private func operationsPerTransaction(_ transaction: MappingReader?) -> ClosedRange<Int>? {
    transaction?.scalar("operations") { (text) throws(ScalarProblem) in
      let range = try RangeScalar.parse(text)
      guard range.lowerBound >= 1, range.upperBound <= 1_000_000 else {
        throw ScalarProblem(expected: "from 1 to 1000000 operations", found: text)
      }
      return range
    }
  }

  private func snapshot(_ reader: MappingReader) -> SnapshotMode? {
    guard let node = reader.node("snapshot") else { return nil }
    guard node.pairs != nil else {
      let expected = reader.grammar.key("snapshot")?.kind.expectation ?? "a snapshot"
      return MappingReader.scalar(node, expected: expected, log: log) { (text) throws(ScalarProblem) in
        guard text == "latest" else { throw ScalarProblem(expected: expected, found: text) }
        return .latest
      }
    }
    let move = reader.reader("snapshot", ScenarioGrammar.snapshot)?.scalar("longLived") {
      (text) throws(ScalarProblem) in try SnapshotMoveScalar.parse(text)
    }
    return move.map { .longLived($0) }
  }
}
