internal import HarnessPrimitives

extension ScenarioWriter {
  /// - Parameter only: the keys to write, in this order, even if their values are the defaults; nil for all keys whose
  ///   values are not the defaults.
  func actor(_ actor: ActorSettings, only: [String]? = nil) throws(ScalarProblem) -> YAMLNode {
    let usual = ActorSettings(name: "", connections: [], operations: [], transactionKind: .read)
    var mapping = WrittenMapping()
    func isWritten(_ key: String, _ isUsual: Bool) -> Bool { only?.contains(key) ?? !isUsual }
    let connections = actor.connections.map(YAMLNode.text)
    if isWritten("connection", false) {
      mapping.add("connection", connections.count == 1 ? connections[0] : .list(connections))
    }
    if isWritten("threads", actor.threads == 1) { mapping.add("threads", "\(actor.threads)") }
    if isWritten("operations", false) { mapping.add("operations", operations(actor)) }
    let transaction = transaction(actor)
    if isWritten("transaction", transaction == nil) {
      mapping.add("transaction", transaction ?? WrittenMapping().node())
    }
    if isWritten("snapshot", actor.snapshot == .latest) { mapping.add("snapshot", snapshot(actor)) }
    if isWritten("connectionLifetime", actor.connectionLifetime == .kept) {
      mapping.add("connectionLifetime", actor.connectionLifetime.rawValue)
    }
    if isWritten("collection", actor.collection == nil) { mapping.add("collection", actor.collection) }
    let isOnlyView = scenario.views.count { $0.collection == actor.collection } < 2
    if isWritten("view", actor.view == nil || isOnlyView) { mapping.add("view", actor.view) }
    if isWritten("keys", actor.keys == usual.keys) { mapping.add("keys", actor.keys.text) }
    if isWritten("load", actor.load == usual.load) { mapping.add("load", try load(actor.load)) }
    if isWritten("deadline", actor.deadlineNanoseconds == nil) {
      mapping.add("deadline", actor.deadlineNanoseconds.map(Scalars.text(nanoseconds:)))
    }
    return mapping.sorted(by: only).node()
  }

  private func operations(_ actor: ActorSettings) -> YAMLNode {
    var mapping = WrittenMapping()
    for operation in actor.operations { mapping.add(operation.name, "\(operation.weight)") }
    return mapping.node()
  }

  /// - Returns: nil if all settings are the defaults.
  private func transaction(_ actor: ActorSettings) -> YAMLNode? {
    let usualKind: TransactionKind = actor.operations.contains { $0.kind.isWrite } ? .readWrite : .read
    let size = actor.operationsPerTransaction
    var mapping = WrittenMapping()
    mapping.add("kind", actor.transactionKind == usualKind ? nil : actor.transactionKind.rawValue)
    if actor.performsEach {
      mapping.add("operations", "each")
    } else if size != 1...1 {
      mapping.add("operations", size.text)
    }
    mapping.add("api", actor.transactionCall == .sync ? nil : actor.transactionCall.rawValue)
    return mapping.isEmpty ? nil : mapping.node()
  }

  private func snapshot(_ actor: ActorSettings) -> YAMLNode {
    guard case .longLived(let move) = actor.snapshot else { return .text("latest") }
    var mapping = WrittenMapping()
    mapping.add("longLived", move.text)
    mapping.add("react", actor.reactingRows.map { $0 == .max ? "all" : "\($0)" })
    return mapping.node()
  }

  // MARK: Loads

  private func load(_ load: LoadModel) throws(ScalarProblem) -> YAMLNode {
    var mapping = WrittenMapping()
    switch load {
    case .closed(thinkNanoseconds: 0): return .text("closed")
    case .closed(let nanoseconds):
      var closed = WrittenMapping()
      closed.add("think", Scalars.text(nanoseconds: nanoseconds))
      mapping.add("closed", closed.node())
    case .open(let curve, let arrival):
      try add(curve, to: &mapping)
      mapping.add("arrival", arrival == .constant ? nil : arrival.rawValue)
    }
    return mapping.node()
  }

  private func add(_ curve: RateCurve, to load: inout WrittenMapping) throws(ScalarProblem) {
    var mapping = WrittenMapping()
    func rate(_ perSecond: Double) -> String { Scalars.text(perSecond: perSecond) }
    switch curve {
    case .constant(let perSecond): load.add("rate", rate(perSecond))
    case .ramp(let from, let to):
      mapping.add("from", rate(from))
      mapping.add("to", rate(to))
      load.add("ramp", mapping.node())
    case .stages(let stages): load.add("stages", .list(self.stages(stages)))
    case .burst(let burst):
      mapping.add("base", rate(burst.basePerSecond))
      mapping.add("peak", rate(burst.peakPerSecond))
      mapping.add("lastPeak", burst.lastPeakPerSecond == burst.peakPerSecond ? nil : rate(burst.lastPeakPerSecond))
      mapping.add("every", Scalars.text(nanoseconds: burst.everyNanoseconds))
      mapping.add("for", Scalars.text(nanoseconds: burst.forNanoseconds))
      load.add("burst", mapping.node())
    case .sine(let low, let high, let period):
      mapping.add("low", rate(low))
      mapping.add("high", rate(high))
      mapping.add("period", Scalars.text(nanoseconds: period))
      load.add("sine", mapping.node())
    case .trace: throw ScalarProblem("the arrivals were read from a file, whose name is not known")
    }
  }

  private func stages(_ stages: RateStages) -> [YAMLNode] {
    var before = 0.0
    return stages.stages.map { stage in
      var mapping = WrittenMapping()
      mapping.add("to", Scalars.text(perSecond: stage.toPerSecond))
      mapping.add("for", Scalars.text(nanoseconds: UInt64(saturating: (stage.seconds * 1e9).rounded())))
      mapping.add("from", stage.fromPerSecond == before ? nil : Scalars.text(perSecond: stage.fromPerSecond))
      before = stage.toPerSecond
      return mapping.node()
    }
  }
}

// MARK: Phases

extension ScenarioWriter {
  func phase(_ phase: PhaseSettings) throws(ScalarProblem) -> YAMLNode {
    var mapping = WrittenMapping()
    mapping.add("name", phase.name)
    switch phase.end {
    case .duration(let nanoseconds): mapping.add("for", Scalars.text(nanoseconds: nanoseconds))
    case .operations(let count): mapping.add("operations", "\(count)")
    case .until(let condition, let within):
      mapping.add("until", condition.source)
      mapping.add("within", Scalars.text(nanoseconds: within))
    }
    if phase.actors.allSatisfy({ $0.overriddenKeys.isEmpty }) {
      mapping.add("actors", .list(phase.actors.map { .text($0.name) }))
    } else {
      var actors = WrittenMapping()
      for actor in phase.actors { actors.add(actor.name, try self.actor(actor.settings, only: actor.overriddenKeys)) }
      mapping.add("actors", actors.node())
    }
    mapping.add("record", phase.records ? nil : "false")
    let events = phase.events.map { event in
      var mapping = WrittenMapping()
      mapping.add("at", event.at.description)
      mapping.add("do", event.action.description)
      return mapping.node()
    }
    mapping.add("events", events.isEmpty ? nil : .list(events))
    return mapping.node()
  }
}
