internal import BenchResults

extension ScenarioValidator {
  func check(_ condition: PhaseCondition, within: UInt64?, at location: SourceLocation) {
    if let reason = lacking(condition.metric) { log.report("unreachable condition: " + reason, at: location) }
    guard case .steady(_, let window) = condition.rule else { return }
    // Each tenth of the window needs a sample.
    if window / 10 < measure.everyNanoseconds {
      log.report(
        "the window of \(quoted(condition.source)) is too short for ten samples; expected at least ten times "
          + "\"measure.every\"",
        at: location
      )
    }
    if let within, within < window {
      log.report(
        "the time limit (\(Scalars.text(nanoseconds: within))) is shorter than the window "
          + "(\(Scalars.text(nanoseconds: window))); expected a longer \"within\" or \"for\"",
        at: location
      )
    }
  }

  /// Checks the actors of a phase against each other, and their loads against the end of the phase.
  func check(_ listed: [ListedActor], end: PhaseEnd?, at location: SourceLocation) {
    checkSharing(listed)
    checkSnapshots(listed)
    checkRamps(listed, end: end)
    checkStages(listed, end: end)
    checkRates(listed, end: end, at: location)
  }

  /// Reports each actor that writes on a connection with a bookmark, because the write would end the bookmark.
  private func checkSharing(_ listed: [ListedActor]) {
    var holders: [String: String] = [:]
    for reader in listed {
      guard let settings = reader.value?.settings, settings.snapshot.isLongLived else { continue }
      for connection in settings.connections { holders[connection] = holders[connection] ?? reader.name }
    }
    for writer in listed where !holders.isEmpty {
      guard let settings = writer.value?.settings else { continue }
      // `check(_:_:overridden:)` reports an actor that writes on its own bookmarked connection, but not a nested write
      // on that connection, which is reported here.
      let ownConnections = settings.writes ? settings.connections : []
      let holdersOfOwn = ownConnections.compactMap { holders[$0] }.filter { $0 != writer.name }
      let holdersOfNested = settings.connectionsWrittenInside.compactMap { holders[$0] }
      guard let reader = (holdersOfOwn + holdersOfNested).first else { continue }
      log.report(
        "the actor \(quoted(writer.name)) writes on the connection that \(quoted(reader)) holds in a long-lived "
          + "read; give \(quoted(writer.name)) another connection",
        at: writer.location
      )
    }
  }

  /// Reports each actor that needs another snapshot on a connection than an earlier actor of the phase.
  private func checkSnapshots(_ listed: [ListedActor]) {
    // For each connection, up to two different snapshots, each with the first actor that reads it.
    var snapshotsRead: [String: [(snapshot: SnapshotMode, actor: String)]] = [:]
    for actor in listed {
      // `checkSharing` reports a writer on a connection with a bookmark.
      guard let settings = actor.value?.settings, !settings.writes else { continue }
      let others = settings.connections.lazy.compactMap { snapshotsRead[$0] }.joined()
      if let other = others.first(where: { conflict($0.snapshot, settings.snapshot) }) {
        let reason =
          settings.snapshot == other.snapshot
          ? "both move the connections of one pool in turn; give each a pool of its own"
          : "need different snapshots on one connection; give them the same \"snapshot\", or separate connections"
        log.report("the actors \(quoted(other.actor)) and \(quoted(actor.name)) \(reason)", at: actor.location)
      }
      // Two different snapshots are enough to find a conflict, because any snapshot differs from one of them.
      for connection in settings.connections where snapshotsRead[connection, default: []].count < 2 {
        let known = snapshotsRead[connection, default: []]
        guard !known.contains(where: { $0.snapshot == settings.snapshot }) else { continue }
        snapshotsRead[connection, default: []].append((settings.snapshot, actor.name))
      }
    }
  }

  /// Whether two actors of one connection cannot read these snapshots. Equal snapshots conflict only with `behind`,
  /// whose actor moves the connections of its pool in turn and needs the pool for itself.
  private func conflict(_ one: SnapshotMode, _ other: SnapshotMode) -> Bool {
    (one != other || one.isBehind) && (one.isLongLived || other.isLongLived)
  }

  /// Checks the sum of the actors' highest rates against the maximum, and the arrivals at these rates, in a phase of
  /// known length, against the largest count of `run.json`.
  private func checkRates(_ listed: [ListedActor], end: PhaseEnd?, at location: SourceLocation) {
    let rates = listed.compactMap { actor -> Double? in
      guard case .open(let rate, _) = actor.value?.settings.load else { return nil }
      return rate.highestPerSecond
    }
    let sum = rates.reduce(0, +)
    func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.up)) ?? .max }
    guard sum <= Double(RateCurve.greatestPerSecond) else {
      log.report(
        "the actors of the phase have rates of up to \(whole(sum / 1e6))M/s together, and a load generator cannot draw "
          + "more than \(RateCurve.greatestPerSecond / 1_000_000)M arrivals in a second; expected lower rates, or "
          + "fewer actors",
        at: location
      )
      return
    }
    let arrivals = sum * Double(end?.plannedNanoseconds ?? 0) / 1e9
    guard arrivals > Double(RunResult.largestCount) else { return }
    log.report(
      "up to \(whole(arrivals / 1e12)) trillion arrivals are due in the phase, and a run counts at most "
        + "\(RunResult.largestCount / 1_000_000_000_000) trillion; expected lower rates, or a shorter phase",
      at: location
    )
  }

  /// Reports each actor with a stage that begins at or after the end of the phase.
  private func checkStages(_ listed: [ListedActor], end: PhaseEnd?) {
    guard let planned = end?.plannedNanoseconds else { return }
    for actor in listed {
      guard case .open(.stages(let stages), _) = actor.value?.settings.load,
        let index = stages.stages.firstIndex(where: { $0.startSeconds >= Double(planned) / 1e9 })
      else { continue }
      log.report(
        "stage \(index + 1) of the actor \(quoted(actor.name)) never begins, because the phase ends after "
          + "\(Scalars.text(nanoseconds: planned)); expected shorter stages, or a longer phase",
        at: actor.location
      )
    }
  }

  /// Reports loads that change over the phase, end with the stages or come from a file, in a phase that only counts
  /// end: the length of such a phase is not known, and the load may end before the phase.
  private func checkRamps(_ listed: [ListedActor], end: PhaseEnd?) {
    guard let end, end.plannedNanoseconds == nil else { return }
    for actor in listed {
      let reason: String? =
        switch actor.value?.settings.load {
        case .open(let curve, _) where curve.dependsOnPhaseLength:
          "has a load that changes over the phase, whose length is not known"
        case .open(.stages(let stages), _) where stages.last.toPerSecond == 0:
          "has a load that ends with its last stage, perhaps before the operations of the phase"
        case .open(.trace, _): "has the arrivals of a file, which may be fewer than the operations of the phase"
        default: nil
        }
      guard let reason else { continue }
      log.report("the actor \(quoted(actor.name)) \(reason); end the phase by \"for\"", at: actor.location)
    }
  }
}

extension ScenarioValidator {
  /// Reports numbers of commits and of rows that end the phase, if no actor makes any.
  func checkThatWorkIsDone(_ end: PhaseEnd?, actors listed: [ListedActor], _ reader: SectionReader<PhaseSettings>) {
    guard let end, listed.allSatisfy({ $0.value != nil }) else { return }
    let settings = listed.compactMap { $0.value?.settings }
    if end.commits != nil, !writes(listed) {
      reader.report("nothing in the phase commits; add an actor that writes, or leave it out", at: \.end.commits)
    }
    let changed = settings.flatMap(\.operations).reduce(0) { max($0, $1.kind.changedRowCount) }
    if end.rows != nil, changed == 0 {
      reader.report("nothing in the phase writes or removes rows; add such an actor, or leave it out", at: \.end.rows)
    }
  }
}

// MARK: Events

extension ScenarioValidator {
  /// - Parameter event: The location of the event, which can be left out.
  func check(time: EventTime, _ end: PhaseEnd?, at location: SourceLocation, of event: SourceLocation) {
    if time.nanoseconds == nil, !driver.keepsData {
      log.report(
        "\(theDriver) has neither commits nor checkpoints; write a time such as 5s",
        at: location,
        .excludes(event, "event at \(time)", because: "it has neither commits nor checkpoints")
      )
    }
    // A phase that only counts end has no planned length to compare with.
    guard let planned = end?.plannedNanoseconds, let nanoseconds = time.nanoseconds, nanoseconds >= planned else {
      return
    }
    log.report(
      "an event at \(time) never begins, because the phase ends after "
        + "\(Scalars.text(nanoseconds: planned)); expected an earlier time, or a longer phase",
      at: location
    )
  }

  /// - Parameter event: The location of the event, which can be left out.
  func check(
    _ action: PhaseEvent.Action,
    _ listed: [ListedActor],
    at location: SourceLocation,
    of event: SourceLocation
  ) {
    let subject = "event \(quoted(action.word))"
    if let view = action.view, !views.contains(where: { $0.name == view }) {
      let remedy = Suggestion.remedy(for: view, among: views.map(\.name))
      let problem = "there is no view \(quoted(view)) under \"views\""
      log.report("\(problem); \(remedy)", at: location, .excludes(event, subject, because: problem))
    }
    if let lack = driver.lacking(action) {
      log.report(
        "\(theDriver) does not support the event \(quoted(action.word)): \(lack)",
        at: location,
        .excludes(event, subject, because: lack.reason)
      )
    }
    guard let name = action.actor else { return }
    guard let actor = listed.first(where: { $0.name == name }) else {
      // An unknown actor may be this one, misspelt.
      guard listed.allSatisfy(\.isKnown) else { return }
      let remedy = Suggestion.remedy(for: name, among: listed.map(\.name))
      log.report("no actor \(quoted(name)) acts in the phase; \(remedy)", at: location)
      return
    }
    if case .advance = action, let settings = actor.value?.settings, !settings.snapshot.isLongLived {
      log.report(
        "the actor \(quoted(name)) has no long-lived snapshot to move; give it "
          + "\"snapshot: {longLived: never}\"",
        at: location
      )
    }
  }
}
