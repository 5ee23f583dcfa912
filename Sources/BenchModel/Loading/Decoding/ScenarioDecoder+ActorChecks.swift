extension ScenarioDecoder {
  /// What one key says against another.
  func check(_ actor: ActorSettings, _ reader: MappingReader, _ context: ActorContext, overridden: Set<String>) {
    let place = { (keys: [String]) in
      let present = keys.filter { reader.has($0) }
      return reader.keyPlace(present.first { overridden.contains($0) } ?? present.first ?? keys[0])
    }
    let write = actor.operations.first { $0.kind.isWrite }?.kind
    let declaresRead = actor.transactionKind == .read
    if let write, declaresRead {
      log.report(
        "a read transaction cannot \(quoted(write.description)); "
          + "expected kind: readWrite, or operations that only read",
        at: place(["transaction", "operations"])
      )
    } else if actor.snapshot.isLongLived, actor.writes {
      log.report(
        "a connection in a long-lived read cannot write, since a write would end the read and move the snapshot; "
          + "give the writing to another actor on another connection",
        at: place(["snapshot", "operations", "transaction"])
      )
    }
    if let operation = actor.operations.first(where: { $0.kind.needsCollection })?.kind, !reader.has("collection") {
      log.report(
        "the operation \(quoted(operation.description)) needs \"collection\"; "
          + Suggestion.remedy(for: "", among: context.dataset.names),
        at: place(["operations"])
      )
    }
    if actor.deadlineNanoseconds != nil, actor.load.isClosed {
      log.report(
        "a closed load has no \"deadline\": a transaction starts when the last one has ended; give a rate",
        at: place(["deadline", "load"])
      )
    }
    checkDriver(actor, context.driver, place)
    checkBegin(actor, at: place(["operations", "transaction", "snapshot"]))
    checkConnections(actor, context, place)
    checkPermissionsInside(actor, context, at: place(["operations"]))
    checkTransfer(actor, context, at: place(["operations", "collection"]))
    checkMetadata(actor, context, at: place(["operations", "collection"]))
  }

  /// Metadata that is written needs a size, which only the dataset gives.
  private func checkMetadata(_ actor: ActorSettings, _ context: ActorContext, at place: Place) {
    guard actor.operations.contains(where: { $0.kind == .setMetadata }),
      let collection = actor.collection.flatMap({ context.dataset[$0]?.value }), collection.metadata == nil
    else { return }
    log.report(
      "\"setMetadata\" needs the size of metadata; the collection \(quoted(collection.name)) has no \"metadata\"",
      at: place
    )
  }

  private func checkDriver(_ actor: ActorSettings, _ driver: DriverKind, _ place: ([String]) -> Place) {
    for operation in actor.operations {
      guard let reason = driver.lacking(operation.kind) else { continue }
      log.report(
        "the driver \(quoted(driver.rawValue)) has no operation \(quoted(operation.kind.description)): \(reason)",
        at: place(["operations"])
      )
    }
    if let reason = driver.lacking(actor.transactionCall) {
      log.report(
        "the driver \(quoted(driver.rawValue)) has no \(quoted(actor.transactionCall.rawValue)): \(reason)",
        at: place(["transaction"])
      )
    }
  }

  private func checkBegin(_ actor: ActorSettings, at place: Place) {
    guard actor.operations.contains(where: { $0.kind == .begin }) else { return }
    if !actor.snapshot.isLongLived {
      log.report(
        "\"begin\" begins the long-lived read anew, and the actor has none; give it \"snapshot: {longLived: never}\"",
        at: place
      )
    } else if actor.operationsPerTransaction.upperBound > 1 || actor.transactionCall == .async {
      log.report("\"begin\" is no part of a transaction; leave \"transaction\" out", at: place)
    }
  }

  /// What an actor does against what its connections are.
  private func checkConnections(_ actor: ActorSettings, _ context: ActorContext, _ place: ([String]) -> Place) {
    if actor.connectionLifetime == .perTransaction, actor.snapshot.isLongLived {
      log.report(
        "a connection that is opened for each transaction keeps no snapshot; leave out \"connectionLifetime\"",
        at: place(["connectionLifetime", "snapshot"])
      )
    }
    let settings = actor.connections.compactMap { context.connections[$0]?.value }
    let needed = PermittedTransaction(actor)
    let needs = actor.snapshot.isLongLived && needed != .syncRead ? [needed, .syncRead] : [needed]
    for connection in settings {
      guard let permitted = connection.permitted, let lacking = needs.first(where: { !permitted.contains($0) }) else {
        continue
      }
      log.report(
        "the connection \(quoted(connection.name)) does not permit \(quoted(lacking.rawValue)), which the actor needs",
        at: place(["connection", "operations", "transaction"])
      )
    }
    if case .longLived(.behind(let commits)) = actor.snapshot {
      let count = settings.reduce(0) { $0 + $1.count }
      if settings.count == actor.connections.count, count != commits + 1 || actor.threads > 1 {
        log.report(
          "behind(\(commits)) needs one thread and a pool of \(commits + 1) connections, each of which moves in its "
            + "turn; write \"count: \(commits + 1)\" at the connection",
          at: place(["snapshot", "connection", "threads"])
        )
      }
    }
  }

  /// Balances stand in the values, and a collection whose balances are moved must have room for them.
  private func checkTransfer(_ actor: ActorSettings, _ context: ActorContext, at place: Place) {
    guard actor.operations.contains(where: \.kind.isTransfer),
      let collection = actor.collection.flatMap({ context.dataset[$0]?.value })
    else { return }
    let least = ValueShape.headerBytes + ValueShape.balanceBytes
    guard collection.value.size.smallestNamedBytes < least else { return }
    log.report(
      "\"transfer\" needs values of at least \(least)B, for the header and the balance; those of the collection "
        + "\(quoted(collection.name)) have \(collection.value.size.smallestNamedBytes)B",
      at: place
    )
  }
}
