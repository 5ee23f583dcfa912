internal import BenchResults

extension ScenarioValidator {
  func check(_ expectation: Expectation, _ phases: PhaseParts, at location: SourceLocation) {
    func report(_ problem: String, prefix: String = "") {
      let subject = "expectation \(quoted(expectation.source))"
      log.report(prefix + problem, at: location, .excludes(location, subject, because: problem))
    }
    for choice in expectation.figures.compactMap(\.choice) {
      guard let problem = problem(of: choice) else { continue }
      return report(problem)
    }
    guard !comparesVariantsWithThemselves(expectation) else {
      return report("both figures are of the same variant; leave out the brackets before the second")
    }
    let isNamed = expectation.figure.belongs(to: settings)
    for figure in expectation.figures where figure.choice?.includes(settings) ?? isNamed {
      guard let reason = unreachable(figure, isAbort: expectation.isAbort, phases: phases) else { continue }
      return report(reason, prefix: "unreachable expectation: ")
    }
  }

  /// Checks a figure of `show`.
  func check(_ figure: FigureID, _ phases: PhaseParts, at location: SourceLocation) {
    guard let reason = unreachable(ExpectedFigure(id: figure), isAbort: false, phases: phases) else { return }
    let subject = "figure \(quoted(figure.description))"
    log.report("unreachable figure: " + reason, at: location, .excludes(location, subject, because: reason))
  }

  /// Reports an expectation with the meaning of an earlier one, perhaps in another spelling: results would have two
  /// cases of one name.
  func check(_ expectation: Expectation, isNoneOf earlier: [Expectation], at location: SourceLocation) {
    guard let first = earlier.first(where: { isSame($0, expectation) }) else { return }
    let isSpeltAlike = first.source == expectation.source
    log.report(
      "the expectation \(quoted(expectation.source)) is listed twice"
        + (isSpeltAlike ? "" : ", first as \(quoted(first.source))") + "; leave one out",
      at: location
    )
  }

  private func isSame(_ one: Expectation, _ other: Expectation) -> Bool {
    func meaning(_ expectation: Expectation) -> Expectation {
      var meaning = expectation
      meaning.source = ""
      meaning.figure.choice = nil
      if case .figure(var figure, let factor) = meaning.bound {
        figure.choice = nil
        meaning.bound = .figure(figure, factor: factor)
      }
      return meaning
    }
    func selected(_ expectation: Expectation) -> [[Bool]] {
      expectation.figures.map { figure in variants.map { figure.belongs(to: $0) } }
    }
    return meaning(one) == meaning(other) && selected(one) == selected(other)
      && (one.figureOfOtherVariant == nil) == (other.figureOfOtherVariant == nil)
  }

  private func comparesVariantsWithThemselves(_ expectation: Expectation) -> Bool {
    guard let choice = expectation.figureOfOtherVariant?.choice else { return false }
    return variants.indices.filter { expectation.figure.belongs(to: variants[$0]) }
      .allSatisfy { choice.counterpart(of: variants[$0], among: variants) == $0 }
  }

  /// Returns the reason why a choice selects no variant, or not a definite one; nil if it selects variants.
  private func problem(of choice: VariantChoice) -> String? {
    guard variants.contains(where: choice.includes) else {
      let values = variants.joined().map(\.value)
      let words = values.indices.filter { values.firstIndex(of: values[$0]) == $0 }.map { values[$0] }
      let remedy = words.isEmpty ? "the scenario has no \"matrix\"" : Suggestion.remedy(for: choice.text, among: words)
      return "there is no variant \(quoted(choice.text)); \(remedy)"
    }
    guard choice.isAmbiguous(among: variants) else { return nil }
    return "\(quoted(choice.text)) is a value of several keys of the matrix; write KEY=VALUE"
  }

  /// Returns the reason why the figure cannot have a measured value; nil if it can, or if that is unknown.
  private func unreachable(_ figure: ExpectedFigure, isAbort: Bool, phases: PhaseParts) -> String? {
    let scope = figure.scope
    guard let part = phases.parts.first(where: { $0.name == scope.phase }) else {
      guard phases.isComplete else { return nil }
      if scope.phase == "abort" { return "\"abort\" needs a phase after it; write \(quoted("abort PHASE …"))" }
      let remedy = Suggestion.remedy(for: scope.phase, among: phases.parts.map(\.name))
      return "there is no phase \(quoted(scope.phase)); \(remedy)"
    }
    if scope.actor == EventResult.actorName { return unreachable(figure, ofEventsIn: part) }
    if let actor = scope.actor, !part.actorNames.contains(actor) {
      // An unknown actor may be this one, misspelt.
      guard part.listed.allSatisfy(\.isKnown) else { return nil }
      let remedy = Suggestion.remedy(for: actor, among: part.actorNames)
      return "no actor \(quoted(actor)) acts in the phase \(quoted(part.name)); \(remedy)"
    }
    guard let phase = part.value else { return nil }
    guard phase.records else { return notRecorded(phase.name) }
    let asked = part.listed.filter { scope.actor == nil || $0.name == scope.actor }
    let actors = asked.compactMap { $0.value?.settings }
    // Nothing is known of an actor with a problem.
    guard actors.count == asked.count else { return nil }
    if let operation = scope.operation, let actor = actors.first, !names(of: actor).contains(operation) {
      let remedy = Suggestion.remedy(for: operation, among: names(of: actor))
      return "the actor \(quoted(actor.name)) has no operation \(quoted(operation)) in the "
        + "phase \(quoted(phase.name)); \(remedy)"
    }
    return lackingOutcome(scope, phases) ?? lacking(figure, isAbort: isAbort, phase, of: actors)
      ?? lacking(figure.metric)
  }

  /// Returns the reason why the operation's reads have no outcome in the connection's caches; nil if they have one, or
  /// if the expectation names no outcome.
  private func lackingOutcome(_ scope: FigureScope, _ phases: PhaseParts) -> String? {
    guard let operation = scope.operation, let outcome = scope.outcome else { return nil }
    let remedy = "leave out \(quoted(".\(outcome.rawValue)"))"
    guard let kind = try? Scalars.operation(operation).kind, kind.verb.hasCacheOutcome else {
      return "\(quoted(operation)) does not read a single row, so it has no cache outcome; \(remedy)"
    }
    guard driver.has(.caches) else {
      return "\(theDriver) has no caches, so its reads have no outcomes; \(remedy), or choose another driver"
    }
    return phases.ending.map { ending in
      "the event \(quoted(ending.word)) makes the engine run in another process, where reads have no outcomes; "
        + remedy
    }
  }

  /// Returns the reason why the actors and events of the phase do not have the metric; nil if they have it.
  private func lacking(
    _ figure: ExpectedFigure,
    isAbort: Bool,
    _ phase: PhaseSettings,
    of actors: [ActorSettings]
  ) -> String? {
    let operation = figure.scope.operation
    switch figure.metric.source {
    case .times(let kind):
      if let operation, kind != .service, let actor = actors.first {
        if figure.scope.outcome != nil {
          return "the reads with one outcome have only a service time; write \"service\""
        }
        if let reason = lackingTransaction(operation, of: actor) { return reason }
      }
      guard kind != .service, actors.allSatisfy(\.load.isClosed) else { return nil }
      return "a closed load has no \(quoted(kind.rawValue)); write \"service\", or give a rate"
    case .throughput:
      guard operation != nil, figure.aggregate != .mean else { return nil }
      return "operations are not counted per second; write \"throughput.mean\", or leave out the operation"
    case .operations:
      if operation != nil { return "one operation has a \"throughput\"; write \"throughput.mean\"" }
      return isAbort ? "the operations of a phase are known only after it; leave out \"abort\"" : nil
    case .endRate: return lackingEndRate(figure, isAbort: isAbort, phase, of: actors)
    case .laneWaits: return lackingLane(figure, of: actors)
    case .notificationReads:
      if operation != nil { return "changed rows are read beside the operations; leave out the operation" }
      guard actors.allSatisfy({ $0.reactingRows == nil }) else { return nil }
      return "no actor there reads what a notification reports; give one \"snapshot: {longLived: onNotification, "
        + "react: all}\""
    case .deadlocks:
      let asked = actors.flatMap(\.operations).filter { operation == nil || $0.name == operation }.map(\.kind)
      guard asked.allSatisfy({ $0.nestedConnection == nil }) else { return nil }
      return
        "there are no nested transactions there; name an actor with \"nestedRead(CONNECTION)\""
    case .cacheCount:
      guard operation != nil else { return nil }
      return "cache counts are those of a connection, not of an operation; leave out the operation"
    case .allocations:
      if operation != nil { return "allocations are counted per thread, not per operation; leave out the operation" }
      return isAbort ? "allocations are known only after the phase; leave out \"abort\"" : nil
    case .droppedArrivals:
      if operation != nil { return "whole transactions are dropped, not single operations; leave out the operation" }
      guard actors.allSatisfy({ $0.deadlineNanoseconds == nil }) else { return nil }
      return "arrivals are dropped only with a \"deadline\"; give the actor one"
    case .harnessOverhead:
      return isAbort ? "the harness measures itself after the run; leave out \"abort\"" : nil
    case .recoveries:
      guard !phase.events.contains(where: \.action.endsProcess) else { return nil }
      return
        "the engine is not reopened in the phase \(quoted(phase.name)); give it the event \"kill\" or \"reopen\""
    case .notificationLag, .phaseDuration, .lateness, .walArea, .writeAmplification, .checkpointCount, .sample,
      .connection, .sampledCount, .logicalBytes, .checkpoints:
      return nil
    }
  }

  /// Returns the reason why the phase's events do not have the metric; nil if they have it. They have only times.
  private func unreachable(_ figure: ExpectedFigure, ofEventsIn part: PhasePart) -> String? {
    guard !part.eventWords.isEmpty else { return "the phase \(quoted(part.name)) has no \"events\"" }
    guard let word = figure.scope.operation else {
      return "events of different kinds have no common figures; write for instance "
        + quoted("\(part.name)/\(EventResult.actorName).\(part.eventWords[0])")
    }
    guard part.eventWords.contains(word) else {
      let remedy = Suggestion.remedy(for: word, among: part.eventWords)
      return "the phase \(quoted(part.name)) has no event \(quoted(word)); \(remedy)"
    }
    guard part.value?.records ?? true else { return notRecorded(part.name) }
    if case .times = figure.metric.source { return nil }
    return "an event has \"wait\", \"service\" and \"response\" only"
  }

  private func notRecorded(_ phase: String) -> String {
    "the phase \(quoted(phase)) is not recorded; leave out \"record: false\""
  }

  /// Returns the reason why the driver does not have the metric; nil if it has it.
  func lacking(_ metric: Metric) -> String? {
    driver.lacking(metric).map { reason in
      "\(theDriver) has no \(quoted(metric.rawValue)), since \(reason)"
    }
  }

  /// Returns the reason why none of the actors has the metric, a wait for a lane; nil if one has it.
  private func lackingLane(_ figure: ExpectedFigure, of actors: [ActorSettings]) -> String? {
    if figure.scope.operation != nil { return "the whole transaction waits; leave out the operation" }
    let timed = actors.filter { $0.transactionCall == .sync }
    if timed.isEmpty { return "waits of asynchronous calls are not timed; write \"api: sync\"" }
    if figure.metric == .writeLaneWait, !timed.contains(where: { $0.transactionKind == .readWrite }) {
      return "an actor that only reads never waits for writers; name one that writes"
    }
    return nil
  }

  /// Returns the reason why no load has a rate at the end of the phase; nil if one has it.
  private func lackingEndRate(
    _ figure: ExpectedFigure,
    isAbort: Bool,
    _ phase: PhaseSettings,
    of actors: [ActorSettings]
  ) -> String? {
    if figure.scope.operation != nil { return "a load has the rate, and not an operation; leave out the operation" }
    if isAbort { return "the rate at the end is known only after the phase; leave out \"abort\"" }
    guard actors.contains(where: \.load.changesRate) else {
      return "no rate there changes; give an actor a \"ramp\" or \"stages\""
    }
    let hasCounts = phase.end.countsWork || phase.actors.contains { $0.settings.operationCount != nil }
    guard phase.end.until == nil, !hasCounts else { return nil }
    return "the phase ends when its loads end; give it a condition, such as until: \"wal.bytes > 64MiB\""
  }

  /// Returns the reason why an operation has no wait and response times; nil if it has them. Only an operation that is
  /// a whole transaction has them.
  private func lackingTransaction(_ operation: String, of actor: ActorSettings) -> String? {
    if operation == OperationResult.advance {
      return "the move of a snapshot is not a transaction and has only a service time; write \"service\""
    }
    let most = actor.operationsPerTransaction.upperBound
    guard most > 1 else { return nil }
    return
      "an operation of a transaction with up to \(most) operations has only a service time; write \"service\", or "
      + "leave out \(quoted("." + operation))"
  }

  /// Returns the names of the operations that an expectation of the actor may name.
  private func names(of actor: ActorSettings) -> [String] {
    actor.operations.map(\.name) + (actor.snapshot.movesByItself ? [OperationResult.advance] : [])
  }
}
