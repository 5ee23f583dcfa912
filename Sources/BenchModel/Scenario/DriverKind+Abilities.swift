/// What a driver cannot do. Each answer says why, and what to do instead; it is told before anything runs.
extension DriverKind {
  /// The options of `engine` that it has, besides `driver`.
  var engineOptions: [String] {
    switch self {
    case .null: []
    case .sqlite: ["synchronous", "pageSize", "mmapSize", "journalSizeLimit", "checkpoint", "busyTimeout"]
    default: ScenarioGrammar.engine.supportedNames.filter { $0 != "driver" }
    }
  }

  /// The options of a connection that it has.
  var connectionOptions: [String] {
    self == .sqlite ? ["count"] : ScenarioGrammar.connection.supportedNames
  }

  /// Whether it has an option of `engine` or of a connection; what stands elsewhere is the same for all.
  func knows(_ option: String, in grammar: MappingGrammar) -> Bool {
    switch grammar.noun {
    case ScenarioGrammar.engine.noun: option == "driver" || engineOptions.contains(option)
    case ScenarioGrammar.connection.noun: connectionOptions.contains(option)
    default: true
    }
  }

  func lacking(_ mode: CheckpointModeSetting) -> String? {
    guard self == .yap, mode != .passive else { return nil }
    return "its checkpointer waits for readers by a plan of its own; write \"passive\", or choose the driver \"sqlite\""
  }

  func lacking(_ action: PhaseEvent.Action) -> String? {
    switch action {
    case .checkpoint, .flushMemory, .vacuum, .reopen, .kill:
      self == .null ? "it keeps no data; leave it out, or choose another driver" : nil
    // A driver without views is told so of "views".
    case .advance, .stall, .register: nil
    }
  }

  /// Whether it has views: rows in groups that are kept in order, and looked up by their places.
  var hasViews: Bool { self == .yap }

  func lacking(_ operation: OperationKind) -> String? {
    if self != .yap, operation.nestedConnection != nil {
      return "it finds no deadlock, and would wait for itself without end; leave it out, or choose the driver \"yap\""
    }
    guard self == .sqlite, operation == .touch else { return nil }
    return "SQLite tells nobody of a row, so that there is nothing to touch; leave it out"
  }

  func lacking(_ call: TransactionCall) -> String? {
    guard self == .sqlite, call == .async else { return nil }
    return "SQLite has no asynchronous calls; write \"sync\""
  }

  func lacking(_ invariant: Invariant) -> String? {
    guard self == .sqlite else { return nil }
    switch invariant {
    case .exactlyOnceNotifications: return "a connection of SQLite is not told what another has changed; leave it out"
    case .cacheCoherence, .noAliasing:
      return "SQLite keeps no objects, so that none can be stale or shared; leave it out"
    case .knownAnswers, .snapshotStability, .monotonicSnapshots, .atomicCommits, .conservation: return nil
    }
  }

  func lacking(_ metric: Metric) -> String? {
    switch self {
    case .null where metric.isShownByEngine: return "it keeps no data; choose another driver"
    case .sqlite where metric.isCacheCount: return "it has no caches of objects; choose another driver"
    case .sqlite where metric == .notificationLag:
      return "a connection of SQLite is not told what another has changed; choose another driver"
    case .sqlite where metric == .changesPendingCommits || metric == .changesPendingBytes:
      return "nothing waits in memory for a connection; choose another driver"
    default: return nil
    }
  }
}
