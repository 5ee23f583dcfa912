/// A phase as far as it could be read.
struct PhasePart {
  /// `nil` where the phase has a problem of its own.
  var value: PhaseSettings?
  var name: String
  /// Every actor that it names, known or not.
  var actorNames: [String]
  /// What its events are called, each once.
  var eventWords: [String] = []
  /// The views that its events register.
  var registrations: [(view: String, place: Place)] = []
}

/// All phases as far as they could be read.
struct PhaseParts {
  var parts: [PhasePart] = []
  /// `false` where the section, or the name of a phase, could not be read.
  var isComplete = true

  var values: [PhaseSettings] { parts.compactMap(\.value) }
}

extension ScenarioDecoder {
  func phases(
    _ scenario: MappingReader,
    actors: NamedParts<ActorSettings>,
    context: ActorContext
  ) -> PhaseParts {
    guard let node = scenario.node("phases") else { return PhaseParts(isComplete: false) }
    guard let elements = node.elements, !elements.isEmpty else {
      let found = node.elements == nil ? node.found : "an empty one"
      log.report("expected a list with a phase in each place, found \(found)", at: node.place)
      return PhaseParts(isComplete: false)
    }
    var result = PhaseParts()
    for element in elements {
      let problemsBefore = log.count
      guard let part = phase(element, actors: actors, context: context) else {
        result.isComplete = false
        continue
      }
      if result.parts.contains(where: { $0.name == part.name }) {
        let place = element["name"]?.place ?? element.place
        log.report("there are two phases with the name \(quoted(part.name))", at: place)
      }
      let isWhole = log.count == problemsBefore
      result.parts.append(
        PhasePart(
          value: isWhole ? part.value : nil,
          name: part.name,
          actorNames: part.actorNames,
          eventWords: part.eventWords,
          registrations: part.registrations
        )
      )
    }
    checkThatAllAct(actors, in: result)
    checkBalances(result, actors: actors)
    checkRegistrations(result)
    return result
  }

  private func phase(_ node: YAMLNode, actors: NamedParts<ActorSettings>, context: ActorContext) -> PhasePart? {
    guard let reader = MappingReader(node, ScenarioGrammar.phase, log: log) else { return nil }
    let name = reader.name("name")
    let end = end(reader, context)
    let records = reader.boolean("record") ?? true
    let listed = phaseActors(reader, actors: actors, context: context)
    checkSharing(listed)
    checkSnapshots(listed)
    checkRamps(listed, end: end)
    checkRates(listed, end: end, at: reader.keyPlace("actors"))
    let placed = events(reader, end: end, listed, context)
    let events = placed.map(\.event)
    guard let name else { return nil }
    let value = end.map {
      PhaseSettings(name: name, end: $0, records: records, actors: listed.compactMap(\.value), events: events)
    }
    return PhasePart(
      value: value,
      name: name,
      actorNames: listed.map(\.name),
      eventWords: events.reduce(into: []) { if !$0.contains($1.action.word) { $0.append($1.action.word) } },
      registrations: placed.compactMap { placed in placed.event.action.view.map { ($0, placed.place) } }
    )
  }

  private func end(_ reader: MappingReader, _ context: ActorContext) -> PhaseEnd? {
    let present = reader.grammar.exactlyOne.filter { reader.has($0) }
    if present.isEmpty {
      log.report("a phase needs an end: \"for\", \"operations\", or \"until\" with \"within\"", at: reader.place)
    } else if present.count > 1 {
      log.report(
        "a phase has one end; found \(quoted(present[0])) and \(quoted(present[1]))",
        at: reader.keyPlace(present[1])
      )
    }
    // Each is read even where there are two, so that both are checked.
    let duration = reader.duration("for").map { PhaseEnd.duration(nanoseconds: $0) }
    let operations = reader.count("operations").map { PhaseEnd.operations($0) }
    let condition = reader.scalar("until") { (text) throws(ScalarProblem) in try ConditionScalar.parse(text) }
    if let condition, let place = reader.node("until")?.place, let reason = lacking(condition.metric, context.driver) {
      log.report("unreachable condition: " + reason, at: place)
    }
    checkSteadiness(condition, of: reader, every: context.samplingNanoseconds)
    let within = reader.duration("within")
    if reader.has("until"), !reader.has("within") {
      log.report("\"until\" needs \"within\": the longest wait, such as 20s", at: reader.keyPlace("until"))
    } else if reader.has("within"), !reader.has("until") {
      log.report("\"within\" needs \"until\": the condition that is waited for", at: reader.keyPlace("within"))
    }
    if case .steady(_, let window) = condition?.rule, let within, within < window,
      let place = reader.node("until")?.place
    {
      log.report(
        "a window of \(DurationScalar.text(window)) does not pass within \(DurationScalar.text(within)); expected a "
          + "longer \"within\"",
        at: place
      )
    }
    if let condition, let within { return .until(condition, withinNanoseconds: within) }
    return duration ?? operations
  }

  /// Each tenth of the window needs a sample.
  private func checkSteadiness(_ condition: PhaseCondition?, of reader: MappingReader, every sampling: UInt64) {
    guard case .steady(_, let window) = condition?.rule, window / 10 < sampling else { return }
    log.report(
      "the window of \(quoted(condition?.source ?? "")) is too short to have ten samples in it; expected at least ten "
        + "times \"measure.every\"",
      at: reader.node("until")?.place ?? reader.place
    )
  }

  private func checkThatAllAct(_ actors: NamedParts<ActorSettings>, in phases: PhaseParts) {
    guard phases.isComplete else { return }
    let acting = Set(phases.parts.flatMap(\.actorNames))
    for part in actors.parts where !acting.contains(part.name) {
      log.report("no phase uses the actor \(quoted(part.name))", at: part.place)
    }
  }
}
