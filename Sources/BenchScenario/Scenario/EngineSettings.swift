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
  /// Whether the engine accesses its files through its own VFS.
  public var engineVFS: Bool?
  public var journalSizeLimitBytes: Int?
  /// The size of the WAL above which writers wait for readers, so that the WAL can restart.
  public var aggressiveCheckpointAtBytes: Int?
  public var checkpoint: CheckpointSettings?
  public var busyTimeoutNanoseconds: UInt64?
}

// MARK: Keys

extension ScenarioGrammar {
  static let engine = Section(
    "an engine",
    like: "{driver: yap}",
    blank: EngineSettings(),
    notes: ScenarioNotes.engine
  ) {
    driver
    Key("synchronous", .word, in: \.synchronous).unless([driver.name], is: [DriverKind.null.rawValue])
      .means("SQLite's `PRAGMA synchronous`, which determines when a commit is synced.")
    Key("defaultObjectPolicy", .word, in: \.defaultObjectPolicy)
      .means("The policy of the object caches of connections without an `objectPolicy`. Of `yap`: `containment`.")
    Key("defaultMetadataPolicy", .word, in: \.defaultMetadataPolicy)
      .means("The policy of the metadata caches of connections without a `metadataPolicy`. Of `yap`: `containment`.")
    Key("pageSize", Form(Scalars.pageSize, text: Scalars.text(bytes:)), in: \.pageSizeBytes)
      .means("SQLite's page size: a power of two from 512B to 64KiB. Without this key, SQLite chooses it: 4KiB.")
    Key("mmapSize", .sizeOrZero, in: \.mmapSizeBytes)
      .means(
        "The maximum size of the part of the database file of which SQLite borrows pages from a memory mapping. "
          + "Of `yap`: `0B`."
      )
    Key("engineVFS", .boolean, in: \.engineVFS)
      .means(
        "Whether the engine copies pages from a mapping of its files, and writes a commit's frames together. Of `yap`: "
          + "`true`."
      )
    Key("journalSizeLimit", .sizeOrZero, in: \.journalSizeLimitBytes)
      .means(
        "The maximum size of a WAL file that is kept when the WAL restarts. A longer file is truncated. "
          + "Of `yap`: `16MiB`."
      )
    Key("aggressiveCheckpointAt", .size, in: \.aggressiveCheckpointAtBytes)
      .means(
        "The size of the WAL above which writers wait for readers, so that the WAL can restart. They wait briefly: "
          + "behind a pinned snapshot the WAL grows all the same. Of `yap`: `4MiB`."
      )
    Key("checkpoint", .section(checkpoint), in: \.checkpoint)
      .means("A checkpoint at a fixed interval, in place of the engine's own checkpoints.")
    Key("busyTimeout", .durationOrZero, in: \.busyTimeoutNanoseconds)
      .means(
        "The maximum wait for a lock of another program, and of the event `checkpoint` for readers. Of `yap`: `5s`."
      )
  }

  private static let driver = Key<EngineSettings>("driver", .word, in: \.driver).alwaysWritten.means(
    "The engine to drive."
  )

  static let checkpoint = Section(
    "a checkpoint",
    blank: CheckpointSettings(everyNanoseconds: 0)
  ) {
    Key("mode", .word, in: \.mode).means("SQLite's checkpoint mode.")
    Key("every", .duration, in: \.everyNanoseconds).required.means("The interval between checkpoints.")
  }
}
