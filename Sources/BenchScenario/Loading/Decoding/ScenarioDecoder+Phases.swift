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
    checkEnd(of: phase, reader, validator)
    let end = phase.end
    let listed = phaseActors(reader, actors: actors, validator)
    validator.check(listed, end: end, at: reader.keyLocation(\.actors))
    let located = events(reader, end: end, listed, validator: validator)
    let events = located.map(\.event)
    validator.warnIfUnreachable(end, actors: listed, events: events, at: reader.valueLocation(\.until))
    validator.warnIfUnreachable(events, actors: listed, at: reader.keyLocation(\.events))
    validator.warnOfMissingArrivals(end, actors: listed)
    guard reader.isRead(\.name) else { return nil }
    let value = end.map {
      PhaseSettings(
        name: phase.name,
        end: $0,
        records: phase.records,
        actors: listed.compactMap(\.value),
        events: events
      )
    }
    return PhasePart(
      value: value,
      name: phase.name,
      listed: listed,
      eventWords: events.reduce(into: []) { if !$0.contains($1.action.word) { $0.append($1.action.word) } },
      registrations: located.compactMap { located in located.event.action.view.map { ($0, located.location) } }
    )
  }

  private func checkEnd(
    of phase: WrittenPhase,
    _ reader: SectionReader<WrittenPhase>,
    _ validator: ScenarioValidator
  ) {
    let ends = reader.grammar.exactlyOne
    let present = ends.filter { reader.has($0) }
    if present.isEmpty {
      // A misspelt key is reported by itself.
      guard reader.meant.isDisjoint(with: ends) else { return }
      log.report(
        "a phase needs an end: \"for\", \"operations\", or \"until\" with \"within\"",
        at: reader.location
      )
    } else if present.count > 1 {
      reader.report("a phase has one end; found \(quoted(present[0])) and \(quoted(present[1]))", at: present[1])
    }
    if reader.has(\.until), !reader.has(\.withinNanoseconds) {
      reader.report("\"until\" needs \"within\": the longest wait, such as 20s", at: \.until)
    } else if reader.has(\.withinNanoseconds), !reader.has(\.until) {
      reader.report(
        "\"within\" needs \"until\": the condition that is waited for",
        at: \.withinNanoseconds
      )
    }
    guard let condition = phase.until else { return }
    validator.check(condition, within: phase.withinNanoseconds, at: reader.valueLocation(\.until))
  }

  /// Returns the events of a phase in the order of their times, each with the location of its action.
  private func events(
    _ phase: SectionReader<WrittenPhase>,
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
    _ phase: SectionReader<WrittenPhase>,
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
