extension ScenarioDecoder {
  /// A phase's events, in the order of their times, each with the place of its action.
  func events(
    _ phase: MappingReader,
    end: PhaseEnd?,
    _ listed: [ListedActor],
    _ context: ActorContext
  ) -> [(event: PhaseEvent, place: Place)] {
    guard let node = phase.node("events") else { return [] }
    guard let elements = node.elements, !elements.isEmpty else {
      let found = node.elements == nil ? node.found : "an empty one"
      log.report("expected \(ValueKind.list(ScenarioGrammar.event).expectation), found \(found)", at: node.place)
      return []
    }
    let events = elements.compactMap { element -> (event: PhaseEvent, place: Place)? in
      guard let reader = MappingReader(element, ScenarioGrammar.event, log: log) else { return nil }
      let time = reader.duration("at")
      let action = reader.scalar("do") { (text) throws(ScalarProblem) in try EventScalar.parse(text) }
      if let time, let place = reader.node("at")?.place { check(time: time, end, at: place) }
      if let action, let place = reader.node("do")?.place { check(action, listed, context, at: place) }
      guard let time, let action else { return nil }
      return (PhaseEvent(atNanoseconds: time, action), reader.node("do")?.place ?? reader.place)
    }
    // Of two at the same time the file's first comes first.
    return events.enumerated().sorted {
      ($0.element.event.atNanoseconds, $0.offset) < ($1.element.event.atNanoseconds, $1.offset)
    }.map(\.element)
  }

  /// A view is registered once: from then on it is there.
  func checkRegistrations(_ phases: PhaseParts) {
    var seen: Set<String> = []
    for (view, place) in phases.parts.flatMap(\.registrations) where !seen.insert(view).inserted {
      log.report("the view \(quoted(view)) is registered by an event already; leave one of them out", at: place)
    }
  }

  /// An actor of that name could not be told from them in the results.
  func checkNoneIsCalledEvents(_ actors: NamedParts<ActorSettings>) {
    guard let part = actors[PhaseEvent.actorName] else { return }
    log.report(
      "the name \(quoted(part.name)) stands for the events of a phase; give the actor another one",
      at: part.place
    )
  }

  private func check(time: UInt64, _ end: PhaseEnd?, at place: Place) {
    // A phase that counts operations has no length that anybody knows.
    guard let end, end.plannedNanoseconds > 0, time >= end.plannedNanoseconds else { return }
    log.report(
      "an event at \(DurationScalar.text(time)) never comes, since the phase is over after "
        + "\(DurationScalar.text(end.plannedNanoseconds)); expected an earlier time, or a longer phase",
      at: place
    )
  }

  private func check(_ action: PhaseEvent.Action, _ listed: [ListedActor], _ context: ActorContext, at place: Place) {
    let driver = context.driver
    if let view = action.view, !context.views.contains(where: { $0.name == view }) {
      let remedy = Suggestion.remedy(for: view, among: context.views.map(\.name))
      log.report("there is no view \(quoted(view)) under \"views\"; \(remedy)", at: place)
    }
    if let reason = driver.lacking(action) {
      log.report("the driver \(quoted(driver.rawValue)) cannot \(quoted(action.word)), since \(reason)", at: place)
    }
    guard let name = action.actor else { return }
    guard let actor = listed.first(where: { $0.name == name }) else {
      let remedy = Suggestion.remedy(for: name, among: listed.map(\.name))
      log.report("no actor \(quoted(name)) acts in the phase; \(remedy)", at: place)
      return
    }
    if case .advance = action, let settings = actor.value?.settings, !settings.snapshot.isLongLived {
      log.report(
        "the actor \(quoted(name)) has no snapshot that stays, so that nothing is there to move; give it "
          + "\"snapshot: {longLived: never}\"",
        at: place
      )
    }
  }
}
