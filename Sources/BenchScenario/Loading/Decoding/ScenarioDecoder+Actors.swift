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
    guard let (read, reader) = ScenarioGrammar.actor.read(node, context) else { return nil }
    var actor = read
    actor.name = name
    checkConnections(reader, validator)
    checkOperations(reader, validator)
    if let collection = actor.collection {
      validator.dataset.check(collection, noun: "collection", at: reader.valueLocation(\.collection), log: log)
    }
    actor.view = view(reader, of: actor, validator)
    guard log.count == problemsBefore else { return nil }
    validator.check(actor, reader, overridden: overridden)
    return actor
  }

  private func checkConnections(_ reader: SectionReader<ActorSettings>, _ validator: ScenarioValidator) {
    guard let node = reader.node(\.connections) else { return }
    var seen: Set<String> = []
    for element in node.elements ?? [node] {
      guard let name = element.text, (try? Scalars.name.parse(name)) != nil else { continue }
      validator.connections.check(name, noun: "connection", at: element.location, log: log)
      if !seen.insert(name).inserted {
        log.report("the connection \(quoted(name)) is listed twice", at: element.location)
      }
    }
  }

  private func checkOperations(_ reader: SectionReader<ActorSettings>, _ validator: ScenarioValidator) {
    var seen: Set<String> = []
    for pair in reader.node(\.weights)?.pairs ?? [] {
      guard let (collection, kind) = try? Scalars.operation(pair.key) else { continue }
      let name = OperationWeight.name(of: kind, in: collection)
      if !seen.insert(name).inserted {
        log.report("the operation \(quoted(name)) is listed twice", at: pair.keyLocation)
      }
      if kind.drawnRowCount == 0, let keys = pair.value[ScenarioGrammar.operation.name(of: \.keys)] {
        log.report("\(quoted(kind.description)) draws no row; leave its keys out", at: keys.location)
      }
      if let collection { check(collection, namedBy: kind, at: pair.keyLocation, validator) }
      if let connection = kind.nestedConnection {
        validator.connections.check(connection, noun: "connection", at: pair.keyLocation, log: log)
      }
    }
  }

  private func check(
    _ collection: String,
    namedBy kind: OperationKind,
    at location: SourceLocation,
    _ validator: ScenarioValidator
  ) {
    guard kind.verb.mayNameCollection else {
      let reason = kind.verb.needsCollection ? "uses the actor's \"collection\"" : "uses no collection"
      return log.report("\(quoted(kind.description)) \(reason); leave out \(quoted(collection + "."))", at: location)
    }
    validator.dataset.check(collection, noun: "collection", at: location, log: log)
  }

  /// Returns the name of the view that the actor reads; nil if it reads none, and after reporting a problem.
  private func view(
    _ reader: SectionReader<ActorSettings>,
    of actor: ActorSettings,
    _ validator: ScenarioValidator
  ) -> String? {
    let own = validator.views.filter { $0.collection == actor.collection }
    let operation = actor.operations.first(where: \.kind.verb.readsView)?.kind
    if let operation, own.isEmpty, !validator.driver.has(.views) {
      let reads = "\(quoted(operation.description)) reads one"
      reader.report("\(validator.theDriver) has no views, and \(reads); choose the driver \"yap\"", at: \.weights)
      return nil
    }
    if reader.isRead(\.view), let name = actor.view {
      guard operation != nil else {
        reader.report("the actor reads no view; leave \"view\" out", at: \.view)
        return nil
      }
      guard own.contains(where: { $0.name == name }) else {
        let remedy = Suggestion.remedy(for: name, among: own.map(\.name))
        log.report("the actor's collection has no view \(quoted(name)); \(remedy)", at: reader.valueLocation(\.view))
        return nil
      }
      return name
    }
    guard let operation, reader.has(\.collection) else { return nil }
    if own.count == 1 { return own[0].name }
    let problem = own.isEmpty ? "the actor's collection has no view" : "the actor's collection has several views"
    let remedy = own.isEmpty ? "register one under \"views\"" : "name one with \"view\""
    reader.report("\(quoted(operation.description)) reads a view, and \(problem); \(remedy)", at: \.weights)
    return nil
  }
}
