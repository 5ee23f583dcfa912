internal import BenchResults
internal import HarnessPrimitives

/// Checks the parts of a scenario against each other, and against the driver.
///
/// A check uses only the values of parts without problems, so that one mistake is not reported twice.
struct ScenarioValidator {
  /// The largest dataset that is accepted, in bytes; a larger one is a typing error.
  static let largestDatasetBytes = Double(64 << 30)

  let log: DiagnosticLog
  let driver: DriverKind
  let connections: NamedParts<ConnectionSettings>
  let dataset: NamedParts<DatasetCollection>
  let views: [ViewSettings]
  let measure: MeasureSettings
  /// The values that the variant has in the matrix.
  let settings: [VariantSetting]
  /// The values of all variants.
  let variants: [[VariantSetting]]

  /// The driver, for messages.
  var theDriver: String { "the driver \(quoted(driver.rawValue))" }

  func checkDataset() {
    var bytes = 0.0
    for part in dataset.parts {
      guard let collection = part.value else { continue }
      let isLoadedTooLarge = bytes + collection.expectedBytes > Self.largestDatasetBytes
      bytes += collection.mostBytes
      guard bytes > Self.largestDatasetBytes else { continue }
      let gibibytes = Int(saturating: bytes / Double(1 << 30))
      let location =
        part.node[ScenarioGrammar.collection.name(of: isLoadedTooLarge ? \.rows : \.inserts)]?.location ?? part.location
      let inserts = isLoadedTooLarge ? "" : " with its inserts"
      log.report("the dataset\(inserts) would hold about \(gibibytes) GiB; expected at most 64 GiB", at: location)
      break
    }
  }

  /// Checks actors and phases against each other, and the phases against the limits of a result.
  func check(_ actors: NamedParts<ActorSettings>, _ phases: PhaseParts, of scenario: SectionReader<Scenario>) {
    checkNoneIsCalledEvents(actors)
    checkThatAllAct(actors, in: phases)
    checkBalances(phases, actors)
    checkRegistrations(phases)
    checkInserts(phases)
    checkSampling(scenario, phases)
    checkSeconds(scenario, phases)
    checkNestedTransactions(phases, actors)
    warnOfUnused(phases)
  }

  /// Reports an actor with the name `events`, because results give this name to the events of a phase.
  private func checkNoneIsCalledEvents(_ actors: NamedParts<ActorSettings>) {
    guard let part = actors[EventResult.actorName] else { return }
    log.report(
      "the name \(quoted(part.name)) is reserved for the events of a phase; rename the actor",
      at: part.location
    )
  }

  private func checkThatAllAct(_ actors: NamedParts<ActorSettings>, in phases: PhaseParts) {
    guard phases.isComplete else { return }
    let listed = phases.parts.flatMap(\.listed)
    // An actor whose name a phase misspells is reported there.
    let meant = listed.filter { !$0.isKnown }.compactMap { Suggestion.nearest(to: $0.name, among: actors.names) }
    let acting = Set(listed.map(\.name) + meant)
    for part in actors.parts where !acting.contains(part.name) {
      log.report("no phase uses the actor \(quoted(part.name))", at: part.location)
    }
  }

  /// Reports each actor that would change the sum of the balances that `transfer` moves in the same collection.
  private func checkBalances(_ phases: PhaseParts, _ actors: NamedParts<ActorSettings>) {
    let moved = Set(
      phases.actors.flatMap { actor in
        actor.operations.filter { $0.kind.verb == .transfer }.compactMap(actor.collection(of:))
      }
    )
    var reported: Set<String> = []
    for actor in phases.actors {
      let changing = actor.operations.first {
        $0.kind.verb.changesObjects && actor.collection(of: $0).map(moved.contains) ?? false
      }
      guard let changing, let collection = actor.collection(of: changing),
        let location = actors[actor.name]?.location, reported.insert(actor.name).inserted
      else { continue }
      log.report(
        "the actor \(quoted(actor.name)) would \(quoted(changing.kind.description)) rows of "
          + "\(quoted(collection)), and so change the sum of the balances that \"transfer\" moves; give it "
          + "another collection",
        at: location
      )
    }
  }

  /// Reports a collection with less room than the phases need that end when their actors' inserts are done.
  private func checkInserts(_ phases: PhaseParts) {
    var needed: [String: Int] = [:]
    for phase in phases.values where phase.end == PhaseEnd() {
      for actor in phase.actors.map(\.settings) {
        let collections = actor.operations.map { $0.kind.verb == .insert ? actor.collection(of: $0) : nil }
        guard let count = actor.operationCount, collections.withoutDuplicates.count == 1, let name = collections[0]
        else { continue }
        // The last transaction is a whole one.
        let size = actor.operationsPerTransaction
        let (whole, isTooLarge) = (count / size.lowerBound * size.lowerBound).addingReportingOverflow(size.lowerBound)
        let rows = size.count > 1 || count % size.lowerBound == 0 ? count : isTooLarge ? .max : whole
        needed[name] = [needed[name, default: 0], rows].saturatingSum()
      }
    }
    for part in dataset.parts {
      guard let room = part.value?.inserts, let count = needed[part.name], room > 0, count > room else { continue }
      log.report(
        "the actors insert \(count) rows into \(quoted(part.name)), which has room for \(room); "
          + "write inserts: \(count)",
        at: part.node[ScenarioGrammar.collection.name(of: \.inserts)]?.location ?? part.location
      )
    }
  }

  /// Reports each event that registers a view which an earlier event registers.
  private func checkRegistrations(_ phases: PhaseParts) {
    var seen: Set<String> = []
    for (view, location) in phases.parts.flatMap(\.registrations) where !seen.insert(view).inserted {
      log.report("the view \(quoted(view)) is registered by an event already; leave one of them out", at: location)
    }
  }

  /// Reports a sampling interval with which the phases of known length have more samples than a result may contain.
  private func checkSampling(_ scenario: SectionReader<Scenario>, _ phases: PhaseParts) {
    let planned = phases.values.plannedNanoseconds
    let most = UInt64(EngineSample.mostInRun)
    let samples = planned / measure.everyNanoseconds
    guard samples > most else { return }
    let enough = planned / most + (planned % most == 0 ? 0 : 1)
    log.report(
      "a sample every \(Scalars.text(nanoseconds: measure.everyNanoseconds)) makes \(samples) in "
        + "\(Scalars.text(nanoseconds: planned)) of phases, and a run keeps at most \(most); expected "
        + "\"measure.every\" to be at least \(Scalars.text(nanoseconds: enough))",
      at: scenario.node(\.measure)?[ScenarioGrammar.measure.name(of: \.everyNanoseconds)]?.location
        ?? scenario.keyLocation(\.phases)
    )
  }

  /// Reports phases of known length that have more seconds, summed over their actors, than a result may contain.
  private func checkSeconds(_ scenario: SectionReader<Scenario>, _ phases: PhaseParts) {
    let seconds = phases.values.reduce(0.0) { sum, phase in
      sum + Double(phase.end.plannedNanoseconds ?? 0) / 1e9 * Double(phase.actors.count)
    }
    let most = IntervalResult.mostInRun / TimeKind.allCases.count
    guard seconds > Double(most) else { return }
    log.report(
      "the phases of all actors have \(Int(saturating: min(seconds, 1e15))) seconds together, and a run keeps at most "
        + "\(most); expected shorter phases, or fewer actors in them",
      at: scenario.keyLocation(\.phases)
    )
  }

  /// Reports nested transactions if the engine has a process of its own: it serves each connection on a separate thread
  /// there, so it cannot detect which transaction is nested in another.
  private func checkNestedTransactions(_ phases: PhaseParts, _ actors: NamedParts<ActorSettings>) {
    guard let ending = phases.ending else { return }
    var reported: Set<String> = []
    for actor in phases.actors {
      guard let nested = actor.operations.first(where: { $0.kind.nestedConnection != nil })?.kind,
        reported.insert(actor.name).inserted, let location = actors[actor.name]?.location
      else { continue }
      log.report(
        "\(quoted(nested.description)) needs the engine in the process of the harness, where it detects "
          + "deadlocks by thread, but the event \(quoted(ending.word)) runs it in a separate process; leave one out",
        at: location
      )
    }
  }
}

// MARK: Invariants

extension ScenarioValidator {
  func check(_ invariants: [Invariant], _ phases: PhaseParts, of reader: SectionReader<Scenario>) {
    func report(_ message: String, of invariant: Invariant, because reason: String? = nil) {
      let location =
        reader.node(\.invariants)?.elements?.first { $0.text == invariant.rawValue }?.location
        ?? reader.keyLocation(\.invariants)
      let subject = "invariant \(quoted(invariant.rawValue))"
      log.report(message, at: location, .excludes(location, subject, because: reason ?? message))
    }
    if !driver.keepsData, !invariants.isEmpty {
      log.report(
        "the driver \"null\" keeps no data, so no invariant can be checked; leave \"invariants\" out, or choose "
          + "another driver",
        at: reader.keyLocation(\.invariants),
        .excludes(reader.keyLocation(\.invariants), "all invariants", because: DriverFeature.rows.absence)
      )
    }
    for invariant in invariants {
      guard let lack = driver.lacking(invariant) else { continue }
      report(
        "\(quoted(invariant.rawValue)) cannot be checked with \(theDriver): \(lack)",
        of: invariant,
        because: lack.reason
      )
    }
    let hasInstances = dataset.parts.contains { $0.value.map { $0.codec == .json } ?? true }
    if invariants.contains(.noAliasing), driver.lacking(.noAliasing) == nil, !hasInstances, dataset.isComplete {
      report(
        "\"noAliasing\" needs objects that are instances of a class, but raw bytes are values; give a collection "
          + "\"codec: json\"",
        of: .noAliasing
      )
    }
    guard phases.isComplete, phases.values.count == phases.parts.count else { return }
    if invariants.contains(.noAliasing), let ending = phases.ending {
      report(
        "\"noAliasing\" needs the engine's instances, but the event \(quoted(ending.word)) runs the engine in a "
          + "separate process; leave one of them out",
        of: .noAliasing
      )
    }
    if invariants.contains(.atomicCommits), !phases.actors.contains(where: \.writesSeveralKeys) {
      report(
        "\"atomicCommits\" needs an actor that writes several keys in a transaction; give one "
          + "\"transaction: {operations: 2..8}\"",
        of: .atomicCommits
      )
    }
    if invariants.contains(.conservation), !phases.actors.contains(where: \.transfers) {
      report("\"conservation\" needs an actor with the operation \"transfer(2)\"", of: .conservation)
    }
  }
}
