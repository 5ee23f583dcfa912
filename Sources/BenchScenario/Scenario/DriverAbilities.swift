internal import BenchResults

/// The abilities of a driver, by which the loader refuses what the driver cannot do.
public struct DriverAbilities: Sendable {
  var features: Set<DriverFeature>
  /// The keys of `engine` and of connections that have an effect.
  var engineOptions: Set<String>
  var connectionOptions: Set<String> = [ScenarioGrammar.connection.name(of: \.count)]
  /// The levels of `synchronous` that are at least as durable as SQLite at the same level.
  var synchronous: Set<SynchronousLevel> = [.off, .normal, .full]
  /// The modes of checkpoints at a fixed interval.
  var intervalModes = Set(CheckpointModeSetting.allCases)
  /// The package trait with which the driver is built; nil for one that is in every build.
  public internal(set) var trait: String?
  /// The cache of the engine that all connections share, in bytes.
  public internal(set) var sharedCacheBytes = 0
  /// The memory in bytes for each collection in which the engine keeps rows until it writes them to files.
  public internal(set) var writeBufferBytes = 0
}

extension DriverAbilities {
  static let yap = DriverAbilities(
    features: Set(DriverFeature.allCases),
    engineOptions: Set(ScenarioGrammar.engine.grammar.names),
    connectionOptions: Set(ScenarioGrammar.connection.grammar.names),
    intervalModes: [.passive]
  )

  static let sqlite = DriverAbilities(
    features: [.rows, .wal, .countedFiles, .checkpoints, .vacuum, .memoryRelease],
    engineOptions: engine([
      \.synchronous, \.pageSizeBytes, \.mmapSizeBytes, \.journalSizeLimitBytes, \.checkpoint, \.busyTimeoutNanoseconds,
    ])
  )

  static let grdb = DriverAbilities(
    features: [.rows, .wal, .countedFiles, .checkpoints, .vacuum, .memoryRelease],
    engineOptions: engine([
      \.synchronous, \.pageSizeBytes, \.mmapSizeBytes, \.journalSizeLimitBytes, \.busyTimeoutNanoseconds,
    ]),
    trait: "GRDB"
  )

  static let lmdb = DriverAbilities(
    features: [.rows],
    engineOptions: engine([\.synchronous]),
    // LMDB can lose the last commit and still sync each one (MDB_NOMETASYNC), which is not SQLite's NORMAL.
    synchronous: [.off, .full],
    trait: "LMDB"
  )

  static let rocksdb = DriverAbilities(
    features: [.rows, .countedFiles, .vacuum],
    engineOptions: engine([\.synchronous]),
    trait: "RocksDB",
    sharedCacheBytes: 64 << 20,
    writeBufferBytes: 64 << 20
  )

  static let null = DriverAbilities(
    features: [.asynchronousCalls],
    engineOptions: engine([]),
    connectionOptions: Set(ScenarioGrammar.connection.grammar.names)
  )

  private static func engine(_ options: [PartialKeyPath<EngineSettings>]) -> Set<String> {
    Set(([\EngineSettings.driver] + options).map(ScenarioGrammar.engine.name))
  }
}
