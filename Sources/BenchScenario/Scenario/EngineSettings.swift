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

/// A checkpoint that the engine or its driver makes at a fixed interval.
public struct CheckpointSettings: Sendable, Equatable, Codable {
  public var mode = CheckpointModeSetting.passive
  public var everyNanoseconds: UInt64
}

/// The engine and its options. For an option that is nil, the engine's own default applies.
public struct EngineSettings: Sendable, Equatable, Codable {
  public var driver = DriverKind.yap
  public var synchronous = SynchronousLevel.full
  public var defaultObjectPolicy: CachePolicySetting?
  public var defaultMetadataPolicy: CachePolicySetting?
  public var pageSizeBytes: Int?
  public var mmapSizeBytes: Int?
  public var journalSizeLimitBytes: Int?
  /// The size of the WAL above which writers wait for readers, so that the WAL can restart.
  public var aggressiveCheckpointAtBytes: Int?
  public var checkpoint: CheckpointSettings?
  public var busyTimeoutNanoseconds: UInt64?
}
