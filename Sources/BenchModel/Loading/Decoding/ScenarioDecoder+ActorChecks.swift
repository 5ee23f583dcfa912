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
}
