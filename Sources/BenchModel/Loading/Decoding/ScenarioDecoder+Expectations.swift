extension ScenarioDecoder {
  func expectations(_ scenario: MappingReader, phases: PhaseParts, driver: DriverKind) -> [Expectation] {
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
      if let reason = unreachable(expectation, phases: phases, driver: driver) {
        log.report("unreachable expectation: " + reason, at: element.place)
      }
      return expectation
    }
  }

  /// Why nothing could ever be measured for it, or `nil`.
  private func unreachable(_ expectation: Expectation, phases: PhaseParts, driver: DriverKind) -> String? {
    let scope = expectation.scope
    guard let part = phases.parts.first(where: { $0.name == scope.phase }) else {
      guard phases.isComplete else { return nil }
      let remedy = Suggestion.remedy(for: scope.phase, among: phases.parts.map(\.name))
      return "there is no phase \(quoted(scope.phase)); \(remedy)"
    }
    if scope.actor == PhaseEvent.actorName { return unreachable(expectation, ofEventsIn: part) }
    if let actor = scope.actor, !part.actorNames.contains(actor) {
      let remedy = Suggestion.remedy(for: actor, among: part.actorNames)
      return "no actor \(quoted(actor)) acts in the phase \(quoted(part.name)); \(remedy)"
    }
    guard let phase = part.value else { return nil }
    guard phase.records else { return notRecorded(phase.name) }
    let actors = phase.actors.map(\.settings).filter { scope.actor == nil || $0.name == scope.actor }
    if let operation = scope.operation, let actor = actors.first, !names(of: actor).contains(operation) {
      let remedy = Suggestion.remedy(for: operation, among: names(of: actor))
      return "the actor \(quoted(actor.name)) has no operation \(quoted(operation)) in the "
        + "phase \(quoted(phase.name)); \(remedy)"
    }
    if let operation = scope.operation, let actor = actors.first, expectation.metric.isOfTransaction {
      if let reason = lackingTransaction(operation, of: actor) { return reason }
    }
    if expectation.metric == .deadlocks {
      let asked = actors.flatMap(\.operations).map(\.kind).filter {
        scope.operation == nil || $0.description == scope.operation
      }
      if asked.allSatisfy({ $0.nestedConnection == nil }) {
        return
          "no transaction begins inside of another there; expect it of an actor that does \"nestedRead(CONNECTION)\""
      }
    }
    if scope.operation != nil, expectation.metric.isCacheCount {
      return "caches are counted by connection and not by operation; leave out the operation"
    }
    if expectation.metric == .harnessOverhead, expectation.isAbort {
      return "the harness measures itself after the run; leave out \"abort\""
    }
    if expectation.metric == .memoryAllocationsPerOperation {
      if scope.operation != nil { return "allocations are counted by thread; leave out the operation" }
      if expectation.isAbort { return "allocations are known when the phase is over; leave out \"abort\"" }
    }
    if expectation.metric == .harnessDropped {
      if scope.operation != nil { return "arrivals are dropped as a whole; leave out the operation" }
      if actors.allSatisfy({ $0.deadlineNanoseconds == nil }) {
        return "nothing is dropped without a \"deadline\"; give the actor one"
      }
    }
    if scope.operation != nil, expectation.metric == .throughput, expectation.aggregate != .mean {
      return "operations are not counted by the second; expect \"throughput.mean\", or leave out the operation"
    }
    if expectation.metric == .wait, actors.allSatisfy(\.load.isClosed) {
      return "a closed load never waits for its turn; expect \"service\", or give a rate"
    }
    if expectation.metric.isOfLane, let reason = lackingLane(expectation, of: actors) { return reason }
    if expectation.metric.isOfRecovery, !phase.events.contains(where: \.action.endsProcess) {
      return
        "the engine is not opened again in the phase \(quoted(phase.name)); give it the event \"kill\" or \"reopen\""
    }
    return lacking(expectation.metric, driver)
  }

  /// Events have times, each kind of them its own, and nothing else.
  private func unreachable(_ expectation: Expectation, ofEventsIn part: PhasePart) -> String? {
    guard !part.eventWords.isEmpty else { return "the phase \(quoted(part.name)) has no \"events\"" }
    guard let word = expectation.scope.operation else {
      return "events of different kinds have nothing in common; write for instance "
        + quoted("\(part.name)/\(PhaseEvent.actorName).\(part.eventWords[0])")
    }
    guard part.eventWords.contains(word) else {
      let remedy = Suggestion.remedy(for: word, among: part.eventWords)
      return "the phase \(quoted(part.name)) has no event \(quoted(word)); \(remedy)"
    }
    guard part.value?.records ?? true else { return notRecorded(part.name) }
    switch expectation.metric {
    case .wait, .service, .response: return nil
    default: return "an event has \"wait\", \"service\" and \"response\" only"
    }
  }

  private func notRecorded(_ phase: String) -> String {
    "the phase \(quoted(phase)) is not recorded; leave out \"record: false\""
  }

  /// Why a driver has not the metric, or `nil`.
  func lacking(_ metric: Metric, _ driver: DriverKind) -> String? {
    driver.lacking(metric).map { reason in
      "the driver \(quoted(driver.rawValue)) has no \(quoted(metric.rawValue)), since \(reason)"
    }
  }

  /// Why none of the actors has that wait for a lane.
  private func lackingLane(_ expectation: Expectation, of actors: [ActorSettings]) -> String? {
    if expectation.scope.operation != nil { return "a transaction waits as a whole; leave out the operation" }
    let timed = actors.filter { $0.transactionCall == .sync }
    if timed.isEmpty { return "waits of asynchronous calls are not timed; write \"api: sync\"" }
    if expectation.metric == .writeLaneWait, !timed.contains(where: { $0.transactionKind == .readWrite }) {
      return "who only reads never waits for writers; expect it of an actor that writes"
    }
    return nil
  }

  /// Why an operation has no times of a transaction: only one that is a transaction by itself has.
  private func lackingTransaction(_ operation: String, of actor: ActorSettings) -> String? {
    if operation == LatencyResult.advance {
      return "the move of a snapshot is no transaction, and has its service time only; expect \"service\""
    }
    let most = actor.operationsPerTransaction.upperBound
    guard most > 1 else { return nil }
    return
      "an operation of a transaction that has up to \(most) has its service time only; expect \"service\", or leave "
      + "out \(quoted("." + operation))"
  }

  /// The operations that an actor is measured by.
  private func names(of actor: ActorSettings) -> [String] {
    actor.operations.map(\.kind.description) + (actor.snapshot.movesByItself ? [LatencyResult.advance] : [])
  }
}
