internal import BenchResults

/// The engine that a scenario drives.
public enum DriverKind: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case yap, sqlite
  /// Does nothing, so that only the cost of the harness remains.
  case null

  static let noun = "a driver"
}

/// SQLite's `PRAGMA synchronous`.
public enum SynchronousLevel: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case off, normal, full

  static let noun = "a synchronous level"
}

/// The treatment of a cached value that another connection has changed.
public enum CachePolicySetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case containment, share, copy

  static let noun = "a cache policy"
}

/// The mode of a checkpoint, with SQLite's words.
public enum CheckpointModeSetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case passive, full, restart, truncate

  static let noun = "a checkpoint mode"
}

/// A checkpoint that the harness runs at a fixed interval.
public struct CheckpointSettings: Sendable, Equatable, Codable {
  public var mode = CheckpointModeSetting.passive
  public var everyNanoseconds: UInt64
}

/// The engine and its options; `nil` leaves an option to the engine's own default.
public struct EngineSettings: Sendable, Equatable, Codable {
  public var driver = DriverKind.yap
  public var synchronous = SynchronousLevel.full
  public var defaultObjectPolicy: CachePolicySetting?
  public var defaultMetadataPolicy: CachePolicySetting?
  public var pageSizeBytes: Int?
  public var mmapSizeBytes: Int?
  public var journalSizeLimitBytes: Int?
  /// The size of the WAL at which the engine checkpoints more eagerly.
  public var aggressiveCheckpointAtBytes: Int?
  public var checkpoint: CheckpointSettings?
  public var busyTimeoutNanoseconds: UInt64?
}

/// The abilities that drivers lack. Each answer says why, and what to do instead; the loader reports it before anything
/// runs.
extension DriverKind {
  /// Whether it has an option of `engine` or of a connection. All drivers have the keys of other mappings.
  func knows(_ option: String, in grammar: MappingGrammar) -> Bool {
    switch (grammar.noun, self) {
    case (ScenarioGrammar.engine.noun, .null): option == "driver"
    case (ScenarioGrammar.engine.noun, .sqlite):
      ["driver", "synchronous", "pageSize", "mmapSize", "journalSizeLimit", "checkpoint", "busyTimeout"]
        .contains(option)
    case (ScenarioGrammar.connection.noun, .sqlite): option == "count"
    default: true
    }
  }

  func lacking(_ mode: CheckpointModeSetting) -> String? {
    guard self == .yap, mode != .passive else { return nil }
    return "its checkpointer decides when to wait for readers; write \"passive\", or choose the driver \"sqlite\""
  }

  func lacking(_ action: PhaseEvent.Action) -> String? {
    switch action {
    case .checkpoint, .flushMemory, .vacuum, .reopen, .kill:
      self == .null ? "it keeps no data; leave it out, or choose another driver" : nil
    // The lack of views is reported at "views".
    case .advance, .stall, .register: nil
    }
  }

  /// Whether it has views: rows in groups that are kept in order, and looked up by their indices.
  var hasViews: Bool { self == .yap }

  func lacking(_ operation: OperationKind) -> String? {
    if self != .yap, operation.nestedConnection != nil {
      return "it detects no deadlocks, so it could wait for itself forever; leave it out, or choose the driver \"yap\""
    }
    guard self == .sqlite, operation == .touch else { return nil }
    return "SQLite does not report changed rows, so a touch has no effect; leave it out"
  }

  func lacking(_ call: TransactionCall) -> String? {
    guard self == .sqlite, call == .async else { return nil }
    return "SQLite has no asynchronous calls; write \"sync\""
  }

  func lacking(_ invariant: Invariant) -> String? {
    guard self == .sqlite else { return nil }
    switch invariant {
    case .exactlyOnceNotifications:
      return "SQLite does not report the changes of other connections; leave it out"
    case .cacheCoherence, .noAliasing:
      return "SQLite caches no objects, so none can be stale or shared; leave it out"
    case .knownAnswers, .snapshotStability, .monotonicSnapshots, .atomicCommits, .conservation: return nil
    }
  }

  func lacking(_ metric: Metric) -> String? {
    switch (metric.drivers, self) {
    case (.all, _), (_, .yap), (.withData, .sqlite): nil
    case (.yap(let reason), .sqlite): reason + "; choose another driver"
    case (_, .null): "it keeps no data; choose another driver"
    }
  }
}
