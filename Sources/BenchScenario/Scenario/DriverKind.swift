internal import BenchResults

/// The engine that a scenario drives.
public enum DriverKind: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case yap, sqlite
  /// Does nothing, so that only the cost of the harness remains.
  case null

  static let noun = "a driver"
}

/// The abilities of the drivers. Each answer names every driver, so that a new one cannot inherit an ability by
/// accident. A text says why a driver lacks an ability, and what to do instead; the loader reports it before anything
/// runs.
extension DriverKind {
  /// Whether written values can be read again.
  public var keepsData: Bool {
    switch self {
    case .yap, .sqlite: true
    case .null: false
    }
  }

  /// Whether it has views: rows in groups that are kept in order, and looked up by their indices.
  var hasViews: Bool {
    switch self {
    case .yap: true
    case .sqlite, .null: false
    }
  }

  /// Whether it has an option of `engine` or of a connection. All drivers have the keys of other mappings.
  func knows(_ option: String, in grammar: MappingGrammar) -> Bool {
    switch grammar.noun {
    case ScenarioGrammar.engine.noun: engineOptions?.contains(option) ?? true
    case ScenarioGrammar.connection.noun: connectionOptions?.contains(option) ?? true
    default: true
    }
  }

  /// The keys of `engine` that it has; nil for all.
  private var engineOptions: Set<String>? {
    switch self {
    case .yap: nil
    case .sqlite:
      ["driver", "synchronous", "pageSize", "mmapSize", "journalSizeLimit", "checkpoint", "busyTimeout"]
    case .null: ["driver"]
    }
  }

  /// The keys of a connection that it has; nil for all.
  private var connectionOptions: Set<String>? {
    switch self {
    case .yap, .null: nil
    case .sqlite: ["count"]
    }
  }

  func lacking(_ mode: CheckpointModeSetting) -> String? {
    switch self {
    case .yap:
      mode == .passive
        ? nil : "its checkpointer decides when to wait for readers; write \"passive\", or choose the driver \"sqlite\""
    case .sqlite, .null: nil
    }
  }

  func lacking(_ action: PhaseEvent.Action) -> String? {
    switch (self, action) {
    // The lack of views is reported at "views".
    case (.yap, _), (.sqlite, _), (_, .advance), (_, .stall), (_, .register): nil
    case (.null, .checkpoint), (.null, .flushMemory), (.null, .vacuum), (.null, .reopen), (.null, .kill):
      "it keeps no data; leave it out, or choose another driver"
    }
  }

  func lacking(_ operation: OperationKind) -> String? {
    switch self {
    case .yap: nil
    case .sqlite where operation == .touch:
      "SQLite does not report changed rows, so a touch has no effect; leave it out"
    case .sqlite, .null:
      operation.nestedConnection == nil
        ? nil
        : "it detects no deadlocks, so it could wait for itself forever; leave it out, or choose the driver \"yap\""
    }
  }

  func lacking(_ call: TransactionCall) -> String? {
    switch self {
    case .yap, .null: nil
    case .sqlite: call == .async ? "SQLite has no asynchronous calls; write \"sync\"" : nil
    }
  }

  /// Returns nil for a driver that keeps no data, because the loader refuses all of its invariants together.
  func lacking(_ invariant: Invariant) -> String? {
    switch (self, invariant) {
    case (.yap, _), (.null, _): nil
    case (.sqlite, .exactlyOnceNotifications):
      "SQLite does not report the changes of other connections; leave it out"
    case (.sqlite, .cacheCoherence), (.sqlite, .noAliasing):
      "SQLite caches no objects, so none can be stale or shared; leave it out"
    case (.sqlite, .knownAnswers), (.sqlite, .snapshotStability), (.sqlite, .monotonicSnapshots),
      (.sqlite, .atomicCommits), (.sqlite, .conservation):
      nil
    }
  }

  func lacking(_ metric: Metric) -> String? {
    switch (metric.drivers, self) {
    case (.all, _), (_, .yap), (.withData, .sqlite): nil
    case (.yapOnly(let reason), .sqlite): reason + "; choose another driver"
    case (_, .null): "it keeps no data; choose another driver"
    }
  }
}
