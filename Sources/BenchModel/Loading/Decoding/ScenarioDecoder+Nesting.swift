/// Transactions that begin inside of others.
extension ScenarioDecoder {
  /// What an actor does on other connections, against what they permit.
  func checkPermissionsInside(_ actor: ActorSettings, _ context: ActorContext, at place: Place) {
    for kind in actor.operations.map(\.kind) {
      guard let connection = kind.nestedConnection.flatMap({ context.connections[$0]?.value }),
        let permitted = connection.permitted
      else { continue }
      let needed = kind.writesInside ? PermittedTransaction.syncReadWrite : .syncRead
      guard !permitted.contains(needed) else { continue }
      log.report(
        "the connection \(quoted(connection.name)) does not permit \(quoted(needed.rawValue)), which "
          + "\(quoted(kind.description)) needs",
        at: place
      )
    }
  }

  /// An engine in a process of its own serves each connection by a thread of its own, so that it could not see whose
  /// transaction is inside of whose.
  func checkNestingBesideEnds(_ phases: PhaseParts, actors: NamedParts<ActorSettings>) {
    guard let ending = phases.values.flatMap(\.events).first(where: \.action.endsProcess)?.action else { return }
    var told: Set<String> = []
    for actor in phases.values.flatMap(\.actors).map(\.settings) {
      guard let nested = actor.operations.first(where: { $0.kind.nestedConnection != nil })?.kind,
        told.insert(actor.name).inserted, let place = actors[actor.name]?.place
      else { continue }
      log.report(
        "\(quoted(nested.description)) needs the engine in the harness's own process, which finds deadlocks by "
          + "threads, and the event \(quoted(ending.word)) puts it into one of its own; leave one of them out",
        at: place
      )
    }
  }
}
