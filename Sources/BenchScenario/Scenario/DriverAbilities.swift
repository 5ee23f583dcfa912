internal import BenchResults

/// The abilities of a driver, by which the loader refuses what the driver cannot do.
struct DriverAbilities {
  var features: Set<DriverFeature>
  /// The keys of `engine`, beside `driver`, and of connections that have an effect.
  var engineOptions: Set<String>
  var connectionOptions: Set<String>
  /// The levels of `synchronous` whose durability is at least that of SQLite at the same level.
  var synchronous: Set<SynchronousLevel> = [.off, .normal, .full]
  /// The modes of checkpoints at a fixed interval.
  var intervalModes = Set(CheckpointModeSetting.allCases)
  /// The package trait with which the driver is built; nil for one that is in every build.
  var trait: String?
  /// The cache of the engine that all connections share, in bytes.
  var sharedCacheBytes = 0
  /// The memory in bytes for each collection in which the engine keeps rows until it writes them to files.
  var writeBufferBytes = 0
}

extension DriverAbilities {
  static let yap = DriverAbilities(
    features: Set(DriverFeature.allCases),
    engineOptions: Set(ScenarioGrammar.engine.names),
    connectionOptions: Set(ScenarioGrammar.connection.names),
    intervalModes: [.passive]
  )

  static let sqlite = DriverAbilities(
    features: [.rows, .wal, .countedFiles, .checkpoints, .vacuum, .memoryRelease],
    engineOptions: ["synchronous", "pageSize", "mmapSize", "journalSizeLimit", "checkpoint", "busyTimeout"],
    connectionOptions: ["count"]
  )

  static let grdb = DriverAbilities(
    features: [.rows, .wal, .countedFiles, .checkpoints, .vacuum, .memoryRelease],
    engineOptions: ["synchronous", "pageSize", "mmapSize", "journalSizeLimit", "busyTimeout"],
    connectionOptions: ["count"],
    trait: "GRDB"
  )

  static let lmdb = DriverAbilities(
    features: [.rows],
    engineOptions: ["synchronous"],
    connectionOptions: ["count"],
    // LMDB can lose the last commit and still sync each one (MDB_NOMETASYNC), which is not SQLite's NORMAL.
    synchronous: [.off, .full],
    trait: "LMDB"
  )

  static let rocksdb = DriverAbilities(
    features: [.rows, .countedFiles, .vacuum],
    engineOptions: ["synchronous"],
    connectionOptions: ["count"],
    trait: "RocksDB",
    sharedCacheBytes: 64 << 20,
    writeBufferBytes: 64 << 20
  )

  static let null = DriverAbilities(
    features: [.asynchronousCalls],
    engineOptions: [],
    connectionOptions: Set(ScenarioGrammar.connection.names)
  )
}
