/// Which engine a scenario drives.
public enum DriverKind: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case yap, sqlite, grdb, lmdb, rocksdb
  /// Does nothing: what remains is the harness itself.
  case null

  static let noun = "a driver"
  static let plannedWords = ["grdb", "lmdb", "rocksdb"]
}

/// SQLite's `PRAGMA synchronous`.
public enum SynchronousLevel: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case off, normal, full

  static let noun = "a synchronous level"
}

/// What a connection's cache does with an object that another connection wrote.
public enum CachePolicySetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case containment, share, copy

  static let noun = "a cache policy"
}

/// How a periodic checkpoint is asked for.
public enum CheckpointModeSetting: String, CaseIterable, Sendable, ScenarioWord, Codable {
  case passive, full, restart, truncate

  static let noun = "a checkpoint mode"
}

/// A checkpoint that the harness asks for at a fixed interval.
public struct CheckpointSettings: Sendable, Equatable, Codable {
  public var mode: CheckpointModeSetting
  public var everyNanoseconds: UInt64

  public init(mode: CheckpointModeSetting = .passive, everyNanoseconds: UInt64) {
    self.mode = mode
    self.everyNanoseconds = everyNanoseconds
  }
}

/// The engine and its options; `nil` leaves an option to the engine's own default.
public struct EngineSettings: Sendable, Equatable, Codable {
  public var driver: DriverKind
  public var synchronous: SynchronousLevel
  public var defaultObjectPolicy: CachePolicySetting?
  public var defaultMetadataPolicy: CachePolicySetting?
  public var pageSizeBytes: Int?
  public var mmapSizeBytes: Int?
  public var journalSizeLimitBytes: Int?
  /// The size of the WAL at which the engine checkpoints more eagerly.
  public var aggressiveCheckpointAtBytes: Int?
  public var checkpoint: CheckpointSettings?
  public var busyTimeoutNanoseconds: UInt64?

  public init(
    driver: DriverKind = .yap,
    synchronous: SynchronousLevel = .full,
    defaultObjectPolicy: CachePolicySetting? = nil,
    defaultMetadataPolicy: CachePolicySetting? = nil,
    pageSizeBytes: Int? = nil,
    mmapSizeBytes: Int? = nil,
    journalSizeLimitBytes: Int? = nil,
    aggressiveCheckpointAtBytes: Int? = nil,
    checkpoint: CheckpointSettings? = nil,
    busyTimeoutNanoseconds: UInt64? = nil
  ) {
    self.driver = driver
    self.synchronous = synchronous
    self.defaultObjectPolicy = defaultObjectPolicy
    self.defaultMetadataPolicy = defaultMetadataPolicy
    self.pageSizeBytes = pageSizeBytes
    self.mmapSizeBytes = mmapSizeBytes
    self.journalSizeLimitBytes = journalSizeLimitBytes
    self.aggressiveCheckpointAtBytes = aggressiveCheckpointAtBytes
    self.checkpoint = checkpoint
    self.busyTimeoutNanoseconds = busyTimeoutNanoseconds
  }
}
