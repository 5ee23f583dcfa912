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
    var seen: Set<String> = []
    for element in elements {
      let name = MappingReader.scalar(element, expected: "the name of an actor", log: log) {
        (text) throws(ScalarProblem) in try NameScalar.parse(text)
      }
      guard let name else { continue }
      actors.check(name, noun: "actor", at: element.place, log: log)
      guard seen.insert(name).inserted else {
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
    var holders: [String: String] = [:]
    for reader in listed {
      guard let settings = reader.value?.settings, settings.snapshot.isLongLived else { continue }
      for connection in settings.connections { holders[connection] = holders[connection] ?? reader.name }
    }
    for writer in listed where !holders.isEmpty {
      guard let settings = writer.value?.settings else { continue }
      // Who would write on what it holds itself is told so elsewhere.
      let own = (settings.writes ? settings.connections : []).compactMap { holders[$0] }.filter { $0 != writer.name }
      guard let reader = (own + settings.connectionsWrittenInside.compactMap { holders[$0] }).first else { continue }
      log.report(
        "the actor \(quoted(writer.name)) writes on the connection that \(quoted(reader)) holds in a long-lived "
          + "read; give it another connection",
        at: writer.place
      )
    }
  }

  /// A connection stands on one snapshot, so that its actors cannot want different ones.
  func checkSnapshots(_ listed: [ListedActor]) {
    // Of each connection the first actor with each snapshot.
    var wishes: [String: [(snapshot: SnapshotMode, actor: String)]] = [:]
    for actor in listed {
      // Who writes where another reads a bookmark is told elsewhere.
      guard let settings = actor.value?.settings, !settings.writes else { continue }
      let others = settings.connections.lazy.compactMap { wishes[$0] }.joined()
      let other = others.first { other in
        (other.snapshot != settings.snapshot || settings.snapshot.isBehind)
          && (other.snapshot.isLongLived || settings.snapshot.isLongLived)
      }
      if let other {
        log.report(
          "the actors \(quoted(other.actor)) and \(quoted(actor.name)) want different snapshots of one connection; "
            + "give them the same \"snapshot\", or a connection each",
          at: actor.place
        )
      }
      // Two that differ are enough to find whatever differs from one of them.
      for connection in settings.connections where wishes[connection, default: []].count < 2 {
        guard !wishes[connection, default: []].contains(where: { $0.snapshot == settings.snapshot }) else { continue }
        wishes[connection, default: []].append((settings.snapshot, actor.name))
      }
    }
  }

  /// The actors of a phase share the machine that generates their arrivals, and a record counts only so many.
  func checkRates(_ listed: [ListedActor], end: PhaseEnd?, at place: Place) {
    let rates = listed.compactMap { actor -> Double? in
      guard case .open(let rate, _) = actor.value?.settings.load else { return nil }
      return rate.highestPerSecond
    }
    let sum = rates.reduce(0, +)
    func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.up)) ?? .max }
    guard sum <= Double(RateCurve.greatestPerSecond) else {
      log.report(
        "the actors of the phase have rates of up to \(whole(sum / 1e6))M/s together, and a load generator cannot draw "
          + "more than 50M arrivals in a second; expected lower rates, or fewer actors",
        at: place
      )
      return
    }
    let arrivals = sum * Double(end?.plannedNanoseconds ?? 0) / 1e9
    guard arrivals > Double(PossibleNumbers.largestCount) else { return }
    log.report(
      "up to \(whole(arrivals / 1e12)) trillion arrivals are due in the phase, and a run counts at most "
        + "\(PossibleNumbers.largestCount / 1_000_000_000_000) trillion; expected lower rates, or a shorter phase",
      at: place
    )
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
