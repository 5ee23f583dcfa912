extension ScenarioDecoder {
  /// An actor as a phase lists it.
  typealias ListedActor = NamedParts<PhaseActor>.Part

  func phaseActors(
    _ phase: MappingReader,
    actors: NamedParts<ActorSettings>,
    context: ActorContext
  ) -> [ListedActor] {
    guard let node = phase.node("actors") else { return [] }
    let isEmpty = (node.elements?.isEmpty ?? false) || (node.pairs?.isEmpty ?? false)
    guard node.text == nil, !isEmpty else {
      let expected = ValueKind.phaseActors(ScenarioGrammar.actor).expectation
      log.report("expected \(expected), found \(isEmpty ? "an empty one" : node.found)", at: node.place)
      return []
    }
    if let elements = node.elements { return listed(elements, actors: actors) }
    return (node.pairs ?? []).map { pair in
      actors.check(pair.key, noun: "actor", at: pair.keyPlace, log: log)
      let base = actors[pair.key]
      return ListedActor(
        name: pair.key,
        place: pair.keyPlace,
        node: pair.value,
        value: merged(base, with: pair.value, name: pair.key, context: context)
      )
    }
  }

  private func listed(_ elements: [YAMLNode], actors: NamedParts<ActorSettings>) -> [ListedActor] {
    var result: [ListedActor] = []
    for element in elements {
      let name = MappingReader.scalar(element, expected: "the name of an actor", log: log) {
        (text) throws(ScalarProblem) in try NameScalar.parse(text)
      }
      guard let name else { continue }
      actors.check(name, noun: "actor", at: element.place, log: log)
      if result.contains(where: { $0.name == name }) {
        log.report("the actor \(quoted(name)) is here twice; give it \"threads\" instead", at: element.place)
        continue
      }
      let value = actors[name]?.value.map { PhaseActor($0) }
      result.append(ListedActor(name: name, place: element.place, node: element, value: value))
    }
    return result
  }

  /// Replaces whole keys: an override of `load` says all about the load, and no leftover of the actor's own mixes in.
  private func merged(
    _ base: NamedParts<ActorSettings>.Part?,
    with override: YAMLNode,
    name: String,
    context: ActorContext
  ) -> PhaseActor? {
    guard let overrides = override.pairs else {
      log.report(
        "expected the keys that change, or {} for none, found \(override.found)",
        at: override.place
      )
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
    let node = YAMLNode(content: .mapping(pairs, isFlow: isFlow), place: base.node.place)
    let problemsBefore = log.count
    let settings = actor(name, node, context, overridden: Set(keys))
    guard log.count == problemsBefore, let settings else { return nil }
    return PhaseActor(settings, overriddenKeys: keys)
  }

  /// A writer on a connection that another actor holds in a long-lived read would end that read.
  func checkSharing(_ listed: [ListedActor]) {
    for writer in listed {
      guard let settings = writer.value?.settings, settings.writes else { continue }
      let reader = listed.first { other in
        guard let other = other.value?.settings, other.snapshot.isLongLived else { return false }
        return other.connections.contains { settings.connections.contains($0) }
      }
      guard let reader, reader.name != writer.name else { continue }
      log.report(
        "the actor \(quoted(writer.name)) writes on the connection that \(quoted(reader.name)) holds in a long-lived "
          + "read; give it another connection",
        at: writer.place
      )
    }
  }

  /// A connection stands on one snapshot, so that its actors cannot want different ones.
  func checkSnapshots(_ listed: [ListedActor]) {
    for (index, actor) in listed.enumerated() {
      guard let settings = actor.value?.settings else { continue }
      let other = listed[..<index].first { other in
        guard let other = other.value?.settings else { return false }
        // Who writes where another reads a bookmark is told elsewhere.
        return !other.writes && !settings.writes && (other.snapshot != settings.snapshot || settings.snapshot.isBehind)
          && (other.snapshot.isLongLived || settings.snapshot.isLongLived)
          && other.connections.contains { settings.connections.contains($0) }
      }
      guard let other else { continue }
      log.report(
        "the actors \(quoted(other.name)) and \(quoted(actor.name)) want different snapshots of one connection; give "
          + "them the same \"snapshot\", or a connection each",
        at: actor.place
      )
    }
  }

  /// A ramp runs over the whole phase, so the phase's length must be known when it begins.
  func checkRamps(_ listed: [ListedActor], end: PhaseEnd?) {
    guard case .operations = end else { return }
    for actor in listed {
      guard case .open(.ramp, _) = actor.value?.settings.load else { continue }
      log.report(
        "the actor \(quoted(actor.name)) ramps over the phase, whose length is not known; end the phase by \"for\"",
        at: actor.place
      )
    }
  }
}
