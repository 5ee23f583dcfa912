internal import BenchResults

/// Warnings of parts that have no effect. They are shown only if the scenario has no error, so the parts are complete.
extension ScenarioValidator {
  /// Warns of connections and collections that no actor uses. Connections are open in all phases, and collections are
  /// loaded, whether or not they are used.
  func warnOfUnused(_ phases: PhaseParts) {
    let actors = phases.actors
    let nested = actors.flatMap(\.operations).compactMap(\.kind.nestedConnection)
    let usedConnections = Set(actors.flatMap(\.connections) + nested)
    for part in connections.parts where !usedConnections.contains(part.name) {
      log.warn(
        "no actor uses the connection \(quoted(part.name)), which is open during all phases; leave it out, or let an "
          + "actor use it",
        at: part.location
      )
    }
    let usedCollections = Set(actors.flatMap(\.collections) + views.map(\.collection))
    for part in dataset.parts where !usedCollections.contains(part.name) {
      log.warn(
        "no actor and no view uses the collection \(quoted(part.name)), which is loaded nevertheless; leave it out, or "
          + "let an actor use it",
        at: part.location
      )
    }
  }

  /// Warns of a phase that waits for a figure to rise which only commits raise, if nothing in the phase commits.
  func warnIfUnreachable(
    _ end: PhaseEnd?,
    actors listed: [ListedActor],
    events: [PhaseEvent],
    at location: SourceLocation
  ) {
    guard let end, let condition = end.until, condition.waitsForCommits else { return }
    guard !writes(listed), !events.contains(where: \.action.mayWrite) else { return }
    log.warn(
      "nothing in the phase writes, so \(quoted(condition.metric.rawValue)) does not rise, and the phase "
        + (end.withinNanoseconds == nil ? "lasts its whole time" : "times out")
        + " unless \(quoted(condition.source)) holds at its start; add an actor that writes",
      at: location
    )
  }

  /// Warns of the first event that waits for commits, if nothing in the phase commits.
  func warnIfUnreachable(_ events: [PhaseEvent], actors listed: [ListedActor], at location: SourceLocation) {
    func waitsForCommits(_ event: PhaseEvent) -> Bool {
      if case .commits = event.at { true } else { false }
    }
    guard let waiting = events.first(where: waitsForCommits), !writes(listed) else { return }
    // A vacuum is no commit of the engine.
    guard !events.contains(where: { $0.action.view != nil }) else { return }
    log.warn(
      "nothing in the phase writes, so the event at \(waiting.at) never begins; add an actor that writes",
      at: location
    )
  }

  /// Warns of evenly spread arrivals of which none is due in the phase, and of times of a file that are not before its
  /// end.
  func warnOfMissingArrivals(_ end: PhaseEnd?, actors listed: [ListedActor]) {
    guard let planned = end?.plannedNanoseconds else { return }
    let length = Scalars.text(nanoseconds: planned)
    for actor in listed {
      guard case .open(let curve, let arrival) = actor.value?.settings.load else { continue }
      if case .trace(let trace) = curve {
        let late = trace.nanoseconds.count { $0 >= planned }
        guard late > 0 else { continue }
        log.warn(
          "\(late) of the \(trace.nanoseconds.count) arrivals of the actor \(quoted(actor.name)) never happen, because "
            + "their times are not before the end of the phase, \(length); expected a longer phase, or a shorter file",
          at: actor.location
        )
      } else if arrival == .constant, curve.highestPerSecond * Double(planned) / 1e9 < 0.5 {
        log.warn(
          "the actor \(quoted(actor.name)) makes no transaction in the phase: its first one would be due half an "
            + "interval after the start, and the phase ends after \(length); expected a higher rate, or a longer phase",
          at: actor.location
        )
      }
    }
  }

  func writes(_ listed: [ListedActor]) -> Bool {
    listed.compactMap { $0.value?.settings }.contains { $0.writes || !$0.connectionsWrittenInside.isEmpty }
  }
}

extension PhaseCondition {
  /// Whether the condition is that a metric is above a value, and only commits raise the metric.
  fileprivate var waitsForCommits: Bool {
    guard case .compares(let comparison, let value) = rule else { return false }
    let isAbove = comparison == .greater || comparison == .greaterOrEqual && value > 0
    return isAbove && Self.raisedByCommits.contains(metric)
  }

  private static let raisedByCommits: Set<Metric> = [
    .walBytes, .walFrames, .walBacklogFrames, .snapshotAgeCommits, .changesPendingCommits, .changesPendingBytes,
  ]
}

extension PhaseEvent.Action {
  /// Whether the action may write to the database.
  fileprivate var mayWrite: Bool {
    switch self {
    case .vacuum, .register, .reopen, .kill: true
    case .checkpoint, .flushMemory, .advance, .stall: false
    }
  }
}
