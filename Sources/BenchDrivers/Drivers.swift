public import BenchScenario
internal import SQLiteBinding
internal import YapEngine

/// Opens databases with the driver that their settings name.
public enum Drivers {
  /// The size of the WAL, in bytes, above which writers wait until it can restart; nil for a driver without a limit.
  public static func walLimitBytes(_ engine: EngineSettings) -> Int? {
    engine.driver == .yap ? YapDatabaseOptions(engine).aggressiveCheckpointAt : nil
  }

  /// Returns the reason why this build cannot open databases of the driver, and the remedy; nil if it can.
  public static func missing(_ driver: DriverKind) -> String? {
    guard let trait = driver.abilities.trait, opening(driver) == nil else { return nil }
    return "this build has no driver \"\(driver.rawValue)\"; build with --traits Jemalloc,\(trait), or run "
      + "./run-bench.sh --suite peers"
  }

  private typealias Opening = (EngineSettings, [DatasetCollection], _ path: String) throws -> any DriverDatabase

  /// Returns how a driver that needs a package trait opens databases; nil for other drivers, and without the trait.
  private static func opening(_ driver: DriverKind) -> Opening? {
    switch driver {
    #if GRDB
      case .grdb: return { try GRDBDriverDatabase($0, $1, path: $2) }
    #endif
    #if LMDB
      case .lmdb: return { try LMDBDriverDatabase($0, $1, path: $2) }
    #endif
    #if RocksDB
      case .rocksdb: return { try RocksDBDriverDatabase($0, $1, path: $2) }
    #endif
    default: return nil
    }
  }

  /// Opens a database.
  /// - Parameters:
  ///   - dataset: The collections that will be stored. The driver needs their codecs.
  ///   - views: Views to register on opening. Only the driver `yap` has views.
  ///   - path: The path of the database file, which is created if it does not exist. The null driver has no file.
  ///   - tests: Changes of the engine. Only the driver `yap` has them.
  /// - Throws: The driver's errors on opening.
  public static func open(
    _ engine: EngineSettings,
    dataset: [DatasetCollection] = [],
    views: [ViewSettings] = [],
    path: String,
    tests: EngineTestSettings = EngineTestSettings()
  ) throws -> any DriverDatabase {
    switch engine.driver {
    case .null: return NullDatabase()
    case .yap: return try YapDriverDatabase(engine, dataset: dataset, views: views, path: path, tests: tests)
    case .sqlite: return try SQLiteDriverDatabase(engine, dataset, path: path)
    case .grdb, .lmdb, .rocksdb:
      guard let open = opening(engine.driver) else { throw DriverError(missing(engine.driver) ?? "") }
      return try open(engine, dataset, path)
    }
  }
}

/// The build of this program, for the reports of runs.
public enum DriverBuild {
  /// Whether named points are compiled into the engine. Measurements of such a build do not represent the engine.
  public static var hasTestPoints: Bool { TestHooks.areBuiltIn }
  /// The version of SQLite, such as "3.40.1".
  public static var sqliteVersion: String { SQLiteLibrary.version }
  public static var sqliteSourceID: String { SQLiteLibrary.sourceID }
  public static var sqliteHasWALResetDefect: Bool { SQLiteLibrary.hasWALResetDefect }
  public static var sqliteCompileOptions: [String] { SQLiteLibrary.compileOptions }
}
