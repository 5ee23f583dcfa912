extension ScenarioDecoder {
  /// - Parameter overridden: the keys that a phase overrides; a contradiction that involves one is reported there.
  func actor(
    _ name: String,
    _ node: YAMLNode,
    validator: ScenarioValidator,
    overridden: Set<String> = []
  ) -> ActorSettings? {
    guard let reader = MappingReader(node, ScenarioGrammar.actor, log: log) else { return nil }
    let operations = operations(reader, validator)
    let transaction = reader.reader("transaction", ScenarioGrammar.transaction)
    let kind: TransactionKind? = transaction?.word("kind")
    let writes = operations.contains { $0.kind.isWrite }
    let size = transaction?.scalar("operations", Scalars.transactionSize) ?? .drawn(1...1)
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
      snapshot: snapshot(reader) ?? .latest,
      collection: reader.name("collection"),
      keys: reader.scalar("keys", Scalars.keyDistribution) ?? .uniform,
      load: load(reader) ?? .closed(thinkNanoseconds: 0),
      deadlineNanoseconds: reader.scalar("deadline", Scalars.duration)
    )
    if let collection = actor.collection {
      validator.dataset.check(collection, noun: "collection", at: reader.valueLocation("collection"), log: log)
    }
    actor.view = view(reader, of: actor, validator)
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

  private func snapshot(_ reader: MappingReader) -> SnapshotMode? {
    guard let node = reader.node("snapshot") else { return nil }
    guard node.pairs != nil else {
      let expected = reader.expectation("snapshot")
      func latest(_ text: String) throws(ScalarProblem) -> SnapshotMode {
        guard text == "latest" else { throw ScalarProblem(expected: expected, found: text) }
        return .latest
      }
      return log.parse(node, expected: expected, by: latest)
    }
    let move = reader.reader("snapshot", ScenarioGrammar.snapshot)?.scalar("longLived", Scalars.snapshotMove)
    return move.map { .longLived($0) }
  }

  /// Returns the name of the view that the actor reads; nil if it reads none, and after reporting a problem.
  private func view(_ reader: MappingReader, of actor: ActorSettings, _ validator: ScenarioValidator) -> String? {
    let own = validator.views.filter { $0.collection == actor.collection }
    let operation = actor.operations.first(where: \.kind.readsView)?.kind
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

// MARK: Loads

extension ScenarioDecoder {
  private func load(_ actor: MappingReader) -> LoadModel? {
    guard let node = actor.node("load") else { return nil }
    guard node.pairs != nil else {
      let expected = actor.expectation("load")
      func closed(_ text: String) throws(ScalarProblem) -> LoadModel {
        if text == "closed" { return .closed(thinkNanoseconds: 0) }
        let isRate = (try? Scalars.rateOrZero.parse(text)) != nil
        throw ScalarProblem(expected: expected, found: text, because: isRate ? "write {rate: \(text)}" : nil)
      }
      return log.parse(node, expected: expected, by: closed)
    }
    guard let reader = actor.reader("load", ScenarioGrammar.load) else { return nil }
    let kinds = reader.grammar.exactlyOne
    let present = kinds.filter { reader.has($0) }
    guard let kind = present.first, present.count == 1 else {
      if present.isEmpty {
        log.report("a load needs one of " + kinds.joined(separator: ", "), at: reader.location)
      } else {
        reader.report(
          "a load is one of " + kinds.joined(separator: ", ")
            + "; found \(quoted(present[0])) and \(quoted(present[1]))",
          at: present[1]
        )
      }
      return nil
    }
    let arrival: ArrivalProcess = reader.word("arrival") ?? .constant
    if kind == "trace", reader.has("arrival") {
      reader.report("the times of a trace are in its file; leave \"arrival\" out", at: "arrival")
    }
    guard kind != "closed" else { return closed(reader) }
    return curve(reader, kind).map { .open(rate: $0, arrival: arrival) }
  }

  private func closed(_ reader: MappingReader) -> LoadModel? {
    if reader.has("arrival") {
      reader.report("a closed load has no \"arrival\": a transaction starts when the previous one ended", at: "arrival")
    }
    let closed = reader.reader("closed", ScenarioGrammar.closedLoad)
    return closed?.scalar("think", Scalars.durationOrZero).map { .closed(thinkNanoseconds: $0) }
  }

  private func curve(_ reader: MappingReader, _ kind: String) -> RateCurve? {
    switch kind {
    case "rate": return reader.scalar("rate", Scalars.rate).map { .constant(perSecond: $0) }
    case "ramp":
      guard let ramp = reader.reader("ramp", ScenarioGrammar.ramp) else { return nil }
      let (from, to) = (ramp.scalar("from", Scalars.rate), ramp.scalar("to", Scalars.rate))
      guard let from, let to else { return nil }
      return .ramp(fromPerSecond: from, toPerSecond: to)
    case "burst": return burst(reader)
    case "trace":
      func trace(_ name: String) throws(ScalarProblem) -> RateCurve {
        .trace(try files.value(in: name, by: ArrivalTrace.init(text:)))
      }
      return reader.scalar("trace", by: trace)
    default: return sine(reader)
    }
  }

  private func burst(_ reader: MappingReader) -> RateCurve? {
    guard let burst = reader.reader("burst", ScenarioGrammar.burst) else { return nil }
    let (base, peak) = (burst.scalar("base", Scalars.rate), burst.scalar("peak", Scalars.rate))
    let (every, length) = (burst.scalar("every", Scalars.duration), burst.scalar("for", Scalars.duration))
    if let every, let length, length >= every {
      burst.report("a burst must be shorter than \"every\", the time from one burst to the next", at: "for")
    }
    if let base, let peak, peak < base {
      burst.report("the peak of a burst must not be lower than its base", at: "peak")
    }
    guard let base, let peak, let every, let length else { return nil }
    return .burst(basePerSecond: base, peakPerSecond: peak, everyNanoseconds: every, forNanoseconds: length)
  }

  private func sine(_ reader: MappingReader) -> RateCurve? {
    guard let sine = reader.reader("sine", ScenarioGrammar.sine) else { return nil }
    let (low, high) = (sine.scalar("low", Scalars.rate), sine.scalar("high", Scalars.rate))
    let period = sine.scalar("period", Scalars.duration)
    if let low, let high, high < low {
      sine.report("the high rate of a sine must not be lower than its low rate", at: "high")
    }
    guard let low, let high, let period else { return nil }
    return .sine(lowPerSecond: low, highPerSecond: high, periodNanoseconds: period)
  }
}
