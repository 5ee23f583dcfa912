extension ScenarioDecoder {
  func expectations(_ scenario: MappingReader, phases: PhaseParts) -> [Expectation] {
    guard let node = scenario.node("expect") else { return [] }
    guard let elements = node.elements else {
      log.report("expected \(ValueKind.expectations.expectation), found \(node.found)", at: node.place)
      return []
    }
    return elements.compactMap { element in
      let expectation = MappingReader.scalar(element, expected: ExpectationScalar.expectation, log: log) {
        (text) throws(ScalarProblem) in try ExpectationScalar.parse(text)
      }
      guard let expectation else { return nil }
      if let reason = unreachable(expectation, phases: phases) { log.report(reason, at: element.place) }
      return expectation
    }
  }

  /// Why nothing could ever be measured for it, or `nil`.
  private func unreachable(_ expectation: Expectation, phases: PhaseParts) -> String? {
    let scope = expectation.scope
    guard let part = phases.parts.first(where: { $0.name == scope.phase }) else {
      guard phases.isComplete else { return nil }
      let remedy = Suggestion.remedy(for: scope.phase, among: phases.parts.map(\.name))
      return "unreachable expectation: there is no phase \(quoted(scope.phase)); \(remedy)"
    }
    if let actor = scope.actor, !part.actorNames.contains(actor) {
      let remedy = Suggestion.remedy(for: actor, among: part.actorNames)
      return "unreachable expectation: no actor \(quoted(actor)) acts in the phase \(quoted(part.name)); \(remedy)"
    }
    guard let phase = part.value else { return nil }
    guard phase.records else {
      return "unreachable expectation: the phase \(quoted(phase.name)) is not recorded; leave out \"record: false\""
    }
    let actors = phase.actors.map(\.settings).filter { scope.actor == nil || $0.name == scope.actor }
    if let operation = scope.operation, let actor = actors.first, !names(of: actor).contains(operation) {
      let remedy = Suggestion.remedy(for: operation, among: names(of: actor))
      return "unreachable expectation: the actor \(quoted(actor.name)) has no operation \(quoted(operation)) in the "
        + "phase \(quoted(phase.name)); \(remedy)"
    }
    if expectation.metric == .wait, actors.allSatisfy(\.load.isClosed) {
      return "unreachable expectation: a closed load never waits for its turn; expect \"service\", or give a rate"
    }
    return nil
  }

  /// The operations that an actor is measured by.
  private func names(of actor: ActorSettings) -> [String] {
    actor.operations.map(\.kind.description) + (actor.snapshot.movesByItself ? ["advance"] : [])
  }
}
