extension ScenarioDecoder {
  func phases(
    _ scenario: SectionReader<Scenario>,
    actors: NamedParts<ActorSettings>,
    _ validator: ScenarioValidator
  ) -> PhaseParts {
    guard let elements = scenario.elements(\.phases) else { return PhaseParts(isComplete: false) }
    var result = PhaseParts()
    for element in elements {
      let problemsBefore = log.count
      guard var part = phase(element, actors: actors, validator) else {
        result.isComplete = false
        continue
      }
      if result.parts.contains(where: { $0.name == part.name }) {
        let location = element[ScenarioGrammar.phase.name(of: \.name)]?.location ?? element.location
        log.report("there are two phases with the name \(quoted(part.name))", at: location)
      }
      if log.count > problemsBefore { part.value = nil }
      result.parts.append(part)
    }
    return result
  }

  private func phase(
    _ node: YAMLNode,
    actors: NamedParts<ActorSettings>,
    _ validator: ScenarioValidator
  ) -> PhasePart? {
    guard let (phase, reader) = ScenarioGrammar.phase.read(node, context) else { return nil }
    let listed = phaseActors(reader, actors: actors, validator)
    let end = end(of: phase, reader, actors: listed, validator)
    validator.check(listed, end: end, at: reader.keyLocation(\.actors))
    let located = events(reader, end: end, listed, validator: validator)
    let events = located.map(\.event)
    validator.warnIfUnreachable(end, actors: listed, events: events, at: reader.valueLocation(\.end.until))
    validator.warnIfUnreachable(events, actors: listed, at: reader.keyLocation(\.events))
    validator.warnOfMissingArrivals(end, actors: listed)
    validator.checkThatWorkIsDone(end, actors: listed, reader)
    guard reader.isRead(\.name) else { return nil }
    var value = phase
    (value.actors, value.events) = (listed.compactMap(\.value), events)
    return PhasePart(
      value: end.map { _ in value },
      name: phase.name,
      listed: listed,
      eventWords: events.reduce(into: []) { if !$0.contains($1.action.word) { $0.append($1.action.word) } },
      registrations: located.compactMap { located in located.event.action.view.map { ($0, located.location) } }
    )
  }

  /// Returns the end of a phase; nil after reporting a problem, or if a problem of a key or an actor is reported.
  private func end(
    of phase: PhaseSettings,
    _ reader: SectionReader<PhaseSettings>,
    actors listed: [ListedActor],
    _ validator: ScenarioValidator
  ) -> PhaseEnd? {
    let ends = PhaseEnd.Key.allCases.map(\.rawValue)
    let stated = ends.filter { reader.has($0) }
    let hasEnd = !stated.isEmpty || listed.contains { $0.value?.settings.operationCount != nil }
    // A misspelt key is reported by itself, and an actor with a problem may have a count.
    if !hasEnd, reader.meant.isDisjoint(with: ends), listed.allSatisfy({ $0.value != nil }) {
      log.report(
        "a phase needs an end: \"for\", \"operations\", \"commits\", \"rows\", \"until\" with \"within\", or an actor "
          + "with \"operationCount\"",
        at: reader.location
      )
    }
    let isLimited = reader.has(\.end.nanoseconds) || reader.has(\.end.withinNanoseconds)
    if reader.has(\.end.until), !isLimited {
      reader.report(
        "\"until\" needs \"within\", the longest wait, such as 20s; or \"for\", if the phase may end without it",
        at: \.end.until
      )
    } else if reader.has(\.end.withinNanoseconds), !reader.has(\.end.until) {
      reader.report(
        "\"within\" needs \"until\": the condition that is waited for",
        at: \.end.withinNanoseconds
      )
    } else if reader.has(\.end.withinNanoseconds), reader.has(\.end.nanoseconds) {
      reader.report(
        "after \"within\" the run fails, and after \"for\" the phase ends as planned; leave one of them out",
        at: \.end.withinNanoseconds
      )
    }
    if let condition = phase.end.until {
      let limit = phase.end.plannedNanoseconds
      validator.check(condition, within: limit, at: reader.valueLocation(\.end.until))
    }
    let isComplete = hasEnd && stated.allSatisfy { !reader.unread.contains($0) }
    return isComplete && (phase.end.until == nil || phase.end.plannedNanoseconds != nil) ? phase.end : nil
  }

  /// Returns the events of a phase in the order of their times, each with the location of its action.
  private func events(
    _ phase: SectionReader<PhaseSettings>,
    end: PhaseEnd?,
    _ listed: [ListedActor],
    validator: ScenarioValidator
  ) -> [(event: PhaseEvent, location: SourceLocation)] {
    guard let elements = phase.elements(\.events) else { return [] }
    let events = elements.compactMap { element -> (event: PhaseEvent, location: SourceLocation)? in
      guard let (event, reader) = ScenarioGrammar.event.read(element, context) else { return nil }
      let (timeLocation, location) = (reader.valueLocation(\.at), reader.valueLocation(\.action))
      if reader.isRead(\.at) { validator.check(time: event.at, end, at: timeLocation, of: element.location) }
      if reader.isRead(\.action) { validator.check(event.action, listed, at: location, of: element.location) }
      return reader.isRead(\.at) && reader.isRead(\.action) ? (event, location) : nil
    }
    // Events at the same time, and those at a count, stay in the file's order.
    return events.sorted { $0.event.at.nanoseconds ?? .max < $1.event.at.nanoseconds ?? .max }
  }

  private func phaseActors(
    _ phase: SectionReader<PhaseSettings>,
    actors: NamedParts<ActorSettings>,
    _ validator: ScenarioValidator
  ) -> [ListedActor] {
    guard let node = phase.node(\.actors) else { return [] }
    let isEmpty = (node.elements?.isEmpty ?? false) || (node.pairs?.isEmpty ?? false)
    guard node.text == nil, !isEmpty else {
      let found = isEmpty ? "an empty one" : node.found
      log.report(
        "expected \(ValueKind.phaseActors(ScenarioGrammar.actor.grammar).expectation), found \(found)",
        at: node.location
      )
      return []
    }
    if let elements = node.elements { return listed(elements, actors: actors) }
    return (node.pairs ?? []).map { pair in
      actors.check(pair.key, noun: "actor", at: pair.keyLocation, log: log)
      return ListedActor(
        name: pair.key,
        location: pair.keyLocation,
        isKnown: actors[pair.key] != nil,
        value: merged(actors[pair.key], with: pair.value, name: pair.key, validator: validator)
      )
    }
  }

  private func listed(_ elements: [YAMLNode], actors: NamedParts<ActorSettings>) -> [ListedActor] {
    var result: [ListedActor] = []
    var seen: Set<String> = []
    for element in elements {
      let expected = Scalars.actorName.description.expectation
      guard let name = log.parse(element, expected: expected, by: Scalars.name.parse) else { continue }
      actors.check(name, noun: "actor", at: element.location, log: log)
      guard seen.insert(name).inserted else {
        log.report("the actor \(quoted(name)) is listed twice; give it \"threads\" instead", at: element.location)
        continue
      }
      let value = actors[name]?.value.map { PhaseActor($0) }
      let isKnown = actors[name] != nil
      result.append(ListedActor(name: name, location: element.location, isKnown: isKnown, value: value))
    }
    return result
  }

  /// Returns the actor with the whole values of the overridden keys replaced; nil if it or an override has a problem.
  private func merged(
    _ base: NamedParts<ActorSettings>.Part?,
    with override: YAMLNode,
    name: String,
    validator: ScenarioValidator
  ) -> PhaseActor? {
    guard let overrides = override.pairs else {
      log.report(expected: "the keys that change, or {} for none", found: override)
      return nil
    }
    guard !overrides.isEmpty else { return base?.value.map { PhaseActor($0) } }
    guard let base, case .mapping(var pairs, let isFlow) = base.node.content else { return nil }
    for pair in overrides {
      if let index = pairs.firstIndex(where: { $0.key == pair.key }) {
        pairs[index] = pair
      } else {
        pairs.append(pair)
      }
    }
    let keys = overrides.map(\.key)
    let node = YAMLNode(content: .mapping(pairs, isFlow: isFlow), location: base.node.location)
    let problemsBefore = log.count
    let settings = actor(name, node, validator: validator, overridden: Set(keys))
    guard log.count == problemsBefore, let settings else { return nil }
    return PhaseActor(settings, overriddenKeys: keys)
  }
}
