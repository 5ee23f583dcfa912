extension ScenarioDecoder {
  func invariants(
    _ reader: MappingReader,
    driver: DriverKind,
    dataset: NamedParts<DatasetCollection>,
    phases: PhaseParts
  ) -> [Invariant] {
    let invariants = list(reader, "invariants") { (text) throws(ScalarProblem) in try Invariant.parse(text) }
    func place(_ invariant: Invariant) -> Place {
      reader.node("invariants")?.elements?.first { $0.text == invariant.rawValue }?.place
        ?? reader.keyPlace("invariants")
    }
    if driver == .null, !invariants.isEmpty {
      log.report(
        "the driver \"null\" keeps no data, so that nothing can be checked; leave \"invariants\" out, or choose "
          + "another driver",
        at: reader.keyPlace("invariants")
      )
    }
    for invariant in invariants {
      guard let reason = driver.lacking(invariant) else { continue }
      log.report(
        "\(quoted(invariant.rawValue)) cannot be checked with the driver \(quoted(driver.rawValue)): \(reason)",
        at: place(invariant)
      )
    }
    let hasInstances = dataset.parts.contains { $0.value.map { $0.codec == .json } ?? true }
    if invariants.contains(.noAliasing), driver.lacking(.noAliasing) == nil, !hasInstances, dataset.isComplete {
      log.report(
        "\"noAliasing\" needs objects that are instances of a class, and raw bytes are values; give a collection "
          + "\"codec: json\"",
        at: place(.noAliasing)
      )
    }
    guard phases.isComplete, phases.values.count == phases.parts.count else { return invariants }
    if invariants.contains(.noAliasing), let ending = phases.values.flatMap(\.events).first(where: \.action.endsProcess)
    {
      log.report(
        "\"noAliasing\" needs the engine's instances, and the event \(quoted(ending.action.word)) puts the engine into "
          + "a process of its own; leave one of them out",
        at: place(.noAliasing)
      )
    }
    let acting = phases.values.flatMap(\.actors).map(\.settings)
    if invariants.contains(.atomicCommits), !acting.contains(where: \.writesSeveralKeys) {
      log.report(
        "\"atomicCommits\" needs an actor that writes several keys in a transaction; give one "
          + "\"transaction: {operations: 2..8}\"",
        at: place(.atomicCommits)
      )
    }
    if invariants.contains(.conservation), !acting.contains(where: \.transfers) {
      log.report("\"conservation\" needs an actor that does \"transfer(2)\"", at: place(.conservation))
    }
    return invariants
  }

  /// Balances that are moved must not be changed by anybody else: their sum would be no longer known.
  func checkBalances(_ phases: PhaseParts, actors: NamedParts<ActorSettings>) {
    let acting = phases.values.flatMap(\.actors).map(\.settings)
    let moved = Set(acting.filter(\.transfers).compactMap(\.collection))
    var told: Set<String> = []
    for actor in acting {
      guard let collection = actor.collection, moved.contains(collection), !told.contains(actor.name),
        let changing = actor.operations.first(where: \.kind.changesObjects), let place = actors[actor.name]?.place
      else { continue }
      told.insert(actor.name)
      log.report(
        "the actor \(quoted(actor.name)) would \(quoted(changing.kind.description)) rows of "
          + "\(quoted(collection)), whose balances \"transfer\" moves, and their sum would be lost; give it another "
          + "collection",
        at: place
      )
    }
  }
}

extension ActorSettings {
  public var transfers: Bool { operations.contains(where: \.kind.isTransfer) }

  /// Whether one of its transactions may write the objects of more than one key.
  var writesSeveralKeys: Bool {
    transfers
      || operationsPerTransaction.upperBound > 1
        && operations.contains { [.set, .replace, .readModifyWrite].contains($0.kind) }
  }
}
