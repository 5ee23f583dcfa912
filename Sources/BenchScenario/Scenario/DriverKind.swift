internal import BenchResults

/// The engine that a scenario drives.
public enum DriverKind: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case yap, sqlite
  /// Does nothing, so that a run measures only the harness.
  case null

  static let noun = "a driver"
}

/// The abilities of the drivers. No `switch` over the drivers has a default, so a new driver does not compile until its
/// abilities are stated. A function `lacking` returns the reason why the driver lacks an ability and the remedy, which
/// the loader reports; nil if the driver has the ability.
extension DriverKind {
  /// Whether written values can be read again.
  public var keepsData: Bool {
    switch self {
    case .yap, .sqlite: true
    case .null: false
    }
  }

  /// Whether the driver reports the outcome of a read in the connection's caches.
  var hasCacheOutcomes: Bool {
    switch self {
    case .yap: true
    case .sqlite, .null: false
    }
  }

  /// Returns the reason why no row can be read again when a commit changes it; nil if the driver reports changed rows.
  var lackingChanges: String? {
    switch self {
    case .yap: nil
    case .sqlite: "SQLite does not report which rows another connection has changed; leave it out"
    case .null: "it keeps no rows that could change; leave it out"
    }
  }

  /// Whether the driver has views, whose rows are kept in order within groups and can be read by index.
  var hasViews: Bool {
    switch self {
    case .yap: true
    case .sqlite, .null: false
    }
  }

  /// Whether the driver has an option of `engine` or of a connection. Every driver has the keys of other mappings.
  func knows(_ option: String, in grammar: MappingGrammar) -> Bool {
    switch grammar.noun {
    case ScenarioGrammar.engine.noun: engineOptions?.contains(option) ?? true
    case ScenarioGrammar.connection.noun: connectionOptions?.contains(option) ?? true
    default: true
    }
  }

  /// The keys of `engine` that the driver has; nil for all.
  private var engineOptions: Set<String>? {
    switch self {
    case .yap: nil
    case .sqlite:
      ["driver", "synchronous", "pageSize", "mmapSize", "journalSizeLimit", "checkpoint", "busyTimeout"]
    case .null: ["driver"]
    }
  }

  /// The keys of a connection that the driver has; nil for all.
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
    // A driver without views is reported at the key "views", so `register` needs no report.
    case (.yap, _), (.sqlite, _), (_, .advance), (_, .stall), (_, .register): nil
    case (.null, .checkpoint), (.null, .flushMemory), (.null, .vacuum), (.null, .reopen), (.null, .kill):
      "it keeps no data; leave the event out, or choose another driver"
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

  /// Also returns nil for a driver that keeps no data, because the loader refuses all of its invariants together.
  func lacking(_ invariant: Invariant) -> String? {
    switch (self, invariant) {
    case (.yap, _), (.null, _): nil
    case (.sqlite, .exactlyOnceNotifications):
      "SQLite does not report the changes of other connections; leave it out"
    case (.sqlite, .cacheCoherence), (.sqlite, .noAliasing):
      "SQLite caches no objects, so none can be stale or shared; leave it out"
    case (.sqlite, _): nil
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
