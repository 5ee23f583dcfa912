internal import BenchResults

extension ScenarioValidator {
  /// Checks the keys of an actor against each other, against the driver, and against the parts that they name.
  ///
  /// - Parameter overridden: the keys that a phase overrides; a contradiction that involves one is reported there.
  func check(_ actor: ActorSettings, _ reader: SectionReader<ActorSettings>, overridden: Set<String>) {
    func report(_ message: String, at keys: PartialKeyPath<ActorSettings>...) {
      let present = keys.filter { reader.has($0) }
      let key = present.first { overridden.contains(reader.name($0)) } ?? present.first ?? keys[0]
      log.report(message, at: reader.keyLocation(key))
    }
    let kinds = actor.operations.map(\.kind)
    if let write = kinds.first(where: \.verb.isWrite), actor.transactionKind == .read {
      let problem = "a read transaction cannot \(quoted(write.description))"
      report("\(problem); expected kind: readWrite, or operations that only read", at: \.transaction, \.weights)
    } else if actor.snapshot.isLongLived, actor.writes {
      report(
        "a connection in a long-lived read cannot write, since a write would end the read and move the snapshot; "
          + "write with another actor on another connection",
        at: \.snapshotChoice,
        \.weights,
        \.transaction
      )
    }
    let unassigned = actor.operations.first { $0.kind.verb.needsCollection && $0.collection == nil }
    if let operation = unassigned?.kind, !reader.has(\.collection) {
      let remedy = Suggestion.remedy(for: "", among: dataset.names)
      report("the operation \(quoted(operation.description)) needs \"collection\"; \(remedy)", at: \.weights)
    }
    if actor.deadlineNanoseconds != nil, actor.load.isClosed {
      let reason = "a transaction starts when the previous one ended"
      report("a closed load has no \"deadline\": \(reason); give a rate", at: \.deadlineNanoseconds, \.load)
    }
    checkOperations(of: actor, reader)
    if let lack = driver.lacking(actor.transactionCall) {
      report("\(theDriver) has no \(quoted(actor.transactionCall.rawValue)): \(lack)", at: \.transaction)
    }
    if let problem = problemOfReaction(actor, reader) { report(problem, at: \.snapshotChoice, \.collection) }
    if let problem = problemOfBegin(actor) { report(problem, at: \.weights, \.transaction, \.snapshotChoice) }
    if actor.connectionLifetime == .perTransaction, actor.snapshot.isLongLived {
      let problem = "a connection that is opened for each transaction keeps no snapshot"
      report("\(problem); leave out \"connectionLifetime\"", at: \.connectionLifetime, \.snapshotChoice)
    }
    for problem in problemsOfPermissions(actor) { report(problem, at: \.connections, \.weights, \.transaction) }
    if let problem = problemOfPool(actor) { report(problem, at: \.snapshotChoice, \.connections, \.threads) }
    for problem in kinds.compactMap(problemOfNested) { report(problem, at: \.weights) }
    for operation in actor.operations {
      guard let collection = actor.collection(of: operation).flatMap({ dataset[$0]?.value }) else { continue }
      if let problem = problem(of: operation.kind, on: collection) { report(problem, at: \.weights, \.collection) }
    }
    if actor.performsEach, actor.operationsPerTransaction.upperBound > Scalars.mostOperations {
      let most = Scalars.mostOperations
      report("the weights add up to more than \(most) operations of a transaction", at: \.transaction)
    }
  }

  /// Reports the operations that the driver lacks. One without effect can be left out if others remain.
  private func checkOperations(of actor: ActorSettings, _ reader: SectionReader<ActorSettings>) {
    let lacks = actor.operations.map { driver.lacking($0.kind) }
    let pairs = reader.node(\.weights)?.pairs ?? []
    for ((operation, lack), pair) in zip(zip(actor.operations, lacks), pairs) {
      guard let lack else { continue }
      let name = operation.kind.description
      let canBeLeftOut = operation.kind.verb == .touch && lacks.contains { $0 == nil }
      let subject = "operation \(quoted(name)) of \(quoted(actor.name))"
      log.report(
        "\(theDriver) has no operation \(quoted(name)): \(lack)",
        at: reader.keyLocation(\.weights),
        canBeLeftOut ? .excludes(pair.keyLocation, subject, because: lack.reason) : nil
      )
    }
  }

  private func problemOfReaction(_ actor: ActorSettings, _ reader: SectionReader<ActorSettings>) -> String? {
    guard actor.reactingRows != nil else { return nil }
    if let reason = driver.lacking(.changes) { return "\(theDriver) has no \"react\": \(reason); leave it out" }
    switch actor.snapshot {
    case .longLived(.onNotification), .longLived(.every): break
    case .latest, .longLived(.behind), .longLived(.after), .longLived(.never):
      return "\"react\" reads rows when the snapshot moves by itself to each change; write \"longLived: "
        + "onNotification\" or \"longLived: every(16ms)\""
    }
    guard !reader.has(\.collection) else { return nil }
    return "\"react\" reads rows of the actor's \"collection\"; \(Suggestion.remedy(for: "", among: dataset.names))"
  }

  private func problemOfBegin(_ actor: ActorSettings) -> String? {
    guard actor.operations.contains(where: { $0.kind.verb == .begin }) else { return nil }
    if !actor.snapshot.isLongLived {
      return
        "\"begin\" moves the long-lived read, and the actor has none; give it \"snapshot: {longLived: never}\""
    }
    guard actor.operationsPerTransaction.upperBound > 1 || actor.transactionCall == .async else { return nil }
    return "\"begin\" cannot be part of a transaction; leave \"transaction\" out"
  }

  private func problemsOfPermissions(_ actor: ActorSettings) -> [String] {
    let needed = PermittedTransaction(actor)
    let needs = actor.snapshot.isLongLived && needed != .syncRead ? [needed, .syncRead] : [needed]
    return actor.connections.compactMap { connections[$0]?.value }.compactMap { connection in
      guard let permitted = connection.permitted else { return nil }
      return needs.first { !permitted.contains($0) }.map { lacking in
        "the connection \(quoted(connection.name)) does not permit \(quoted(lacking.rawValue)), which the actor needs"
      }
    }
  }

  private func problemOfPool(_ actor: ActorSettings) -> String? {
    guard case .longLived(.behind(let commits)) = actor.snapshot else { return nil }
    let settings = actor.connections.compactMap { connections[$0]?.value }
    let count = settings.reduce(0) { $0 + $1.count }
    guard settings.count == actor.connections.count, count != commits + 1 || actor.threads > 1 else { return nil }
    return "behind(\(commits)) needs one thread and a pool of \(commits + 1) connections, each of which moves in its "
      + "turn; write \"count: \(commits + 1)\" at the connection"
  }

  /// Returns the problem if the connection of a nested transaction does not permit it; otherwise nil.
  private func problemOfNested(_ kind: OperationKind) -> String? {
    guard let connection = kind.nestedConnection.flatMap({ connections[$0]?.value }) else { return nil }
    let needed = kind.verb.writesInside ? PermittedTransaction.syncReadWrite : .syncRead
    guard let permitted = connection.permitted, !permitted.contains(needed) else { return nil }
    return "the connection \(quoted(connection.name)) does not permit \(quoted(needed.rawValue)), which "
      + "\(quoted(kind.description)) needs"
  }

  /// Returns the problem if the operation does not fit its collection; otherwise nil.
  private func problem(of operation: OperationKind, on collection: DatasetCollection) -> String? {
    // The object of a row contains its balance after the header.
    let least = ValueShape.headerBytes + ValueShape.balanceBytes
    let smallest = collection.value.size.namedBytes.lowerBound
    if operation.verb == .transfer, smallest < least {
      return
        "\"transfer\" needs values of at least \(least)B, for the header and the balance; those of the collection "
        + "\(quoted(collection.name)) have \(smallest)B"
    }
    if operation.verb == .insert, collection.inserts == 0 {
      return
        "\"insert\" needs room for new rows; give the collection \(quoted(collection.name)) \"inserts\", the most rows "
        + "that its actors insert, such as inserts: 1M"
    }
    // Written metadata has the size that the dataset gives for metadata.
    if operation.verb == .setMetadata, collection.metadata == nil {
      return "\"setMetadata\" needs the size of metadata; the collection \(quoted(collection.name)) has no \"metadata\""
    }
    return nil
  }
}
