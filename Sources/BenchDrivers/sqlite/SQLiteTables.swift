internal import BenchScenario
internal import YapEngine

/// The tables of the drivers that use SQLite's file: one for each collection, and one with the number of the newest
/// commit.
enum SQLiteTables {
  /// The tables' form, for reports.
  static let form = "rowid table for each collection, index on the text key"

  /// SQLite's default of `wal_autocheckpoint`, in frames.
  static let framesOfAutomaticCheckpoint = 1_000
  /// The time of the automatic checkpoints, for reports.
  static let automaticCheckpoint = "passive, after a commit at \(framesOfAutomaticCheckpoint) frames"

  static let selectCommit = "SELECT number FROM commits"
  static let incrementCommit = "UPDATE commits SET number = number + 1"

  /// Returns the statements that create missing tables.
  static func schema(_ dataset: [DatasetCollection]) -> String {
    let tables = dataset.map { collection in
      "CREATE TABLE IF NOT EXISTS \(table(collection.name))"
        + "(key TEXT NOT NULL PRIMARY KEY, object BLOB NOT NULL, metadata BLOB);"
    }
    return """
      CREATE TABLE IF NOT EXISTS commits(id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL);
      INSERT OR IGNORE INTO commits VALUES (1, 0);
      \(tables.joined(separator: "\n"))
      """
  }

  /// Returns the quoted name of a collection's table. Names of collections consist of letters, digits, `-` and `_`.
  fileprivate static func table(_ collection: String) -> String { "\"collection_\(collection)\"" }
}

/// A statement on a collection's table. Parameters: ?1 is a key, ?2 the object or a second key, ?3 the metadata.
enum SQLiteRowStatement: Int, CaseIterable {
  case object, metadata, row, exists, count, scan, enumerate, enumerateRows
  case set, setMetadata, replace, remove, removeAll

  func sql(for collection: String) -> String {
    let table = SQLiteTables.table(collection)
    return switch self {
    case .object: "SELECT object FROM \(table) WHERE key = ?1"
    case .metadata: "SELECT metadata FROM \(table) WHERE key = ?1"
    case .row: "SELECT object, metadata FROM \(table) WHERE key = ?1"
    case .exists: "SELECT 1 FROM \(table) WHERE key = ?1"
    case .count: "SELECT count(*) FROM \(table)"
    case .scan: "SELECT key, object FROM \(table) WHERE key BETWEEN ?1 AND ?2 ORDER BY key"
    case .enumerate: "SELECT key, object FROM \(table)"
    case .enumerateRows: "SELECT key, object, metadata FROM \(table)"
    case .set:
      "INSERT INTO \(table) VALUES (?1, ?2, ?3) "
        + "ON CONFLICT(key) DO UPDATE SET object = excluded.object, metadata = excluded.metadata"
    case .setMetadata: "UPDATE \(table) SET metadata = ?3 WHERE key = ?1"
    case .replace: "UPDATE \(table) SET object = ?2 WHERE key = ?1"
    case .remove: "DELETE FROM \(table) WHERE key = ?1"
    // Without a WHERE clause SQLite clears the whole table at once, but still counts its rows.
    case .removeAll: "DELETE FROM \(table)"
    }
  }
}

/// The settings of the engine as SQLite has them.
extension EngineSettings {
  /// The pragmas of each handle.
  var sqlitePragmas: [String] {
    var pragmas = [synchronousPragma]
    if let bytes = mmapSizeBytes { pragmas.append("PRAGMA mmap_size = \(bytes)") }
    if let bytes = journalSizeLimitBytes { pragmas.append("PRAGMA journal_size_limit = \(bytes)") }
    return pragmas
  }

  var synchronousPragma: String { "PRAGMA synchronous = \(synchronous.rawValue)" }

  /// The time for which a statement waits for another handle's lock; by default the same as with the engine.
  var sqliteBusyNanoseconds: UInt64 { YapDatabaseOptions(self).busyTimeoutNanoseconds }
}
