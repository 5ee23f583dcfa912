internal import SQLiteBinding

/// The tables of the file and the pragmas of the handles.
///
/// The data table refers to a collection by number. Of the layouts measured, this one is never slower than one with the
/// collection's name in each row, and its file is the second smallest. Documentation/internals/storage.md has the
/// figures.
enum Schema {
  /// "yapE" in ASCII: the `PRAGMA application_id` of the engine's files.
  static let applicationID: Int64 = 0x7961_7045
  /// The version of the tables. A file with another version is rejected; versions 1 to 4 precede the first release.
  static let version: Int64 = 5

  /// The statements that create the tables of a new file.
  ///
  /// Row 1 of `snapshot` is the number of the newest commit; row 2 is the `FileID`. The tables of extensions and of the
  /// pages of persistent views exist from the start, because a registration that changed the schema would invalidate
  /// the compiled statements of all connections.
  static let tables = """
    CREATE TABLE snapshot(id INTEGER PRIMARY KEY, number INTEGER NOT NULL);
    INSERT INTO snapshot VALUES (1, 0);
    \(newID)
    CREATE TABLE collections(number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE data(
      rowid INTEGER PRIMARY KEY, collection INTEGER NOT NULL, key TEXT NOT NULL, object BLOB NOT NULL, metadata BLOB);
    CREATE UNIQUE INDEX data_by_key ON data(collection, key);
    CREATE VIEW rows AS
      SELECT collections.name AS collection, key, object, metadata
      FROM data JOIN collections ON collections.number = data.collection;
    CREATE TABLE extensions(
      number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, tag TEXT NOT NULL);
    CREATE TABLE view_pages(
      id INTEGER PRIMARY KEY, previous INTEGER NOT NULL, page_group TEXT NOT NULL, rowids BLOB NOT NULL);
    \(marks)
    """

  /// The marks of the engine's files.
  static let marks = "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);"

  /// Gives a file a new id; a copy needs one of its own.
  static let newID = "INSERT OR REPLACE INTO snapshot VALUES (2, random());"

  /// The size of SQLite's page cache for the writer's handle.
  private static let writerCacheKiB = 16 << 10

  /// Prepares the first handle of a file, which is the writer's. Creates the tables of a new file.
  /// - Parameter alone: The owner of the file, read without its WAL.
  static func prepareFirst(
    _ handle: SQLiteHandle,
    path: String,
    options: YapDatabaseOptions,
    alone: FileWithoutWAL
  ) throws {
    setBusyTimeout(handle, options)
    // Check before anything is written: another program's file must stay unchanged, including its journal mode.
    try alone.check(handle, path: path)
    try prepare(handle, options: options)
    // Before WAL mode, SQLite writes with a rollback journal. At the level normal, a loss of power can then damage the
    // file: https://sqlite.org/pragma.html#pragma_synchronous
    let isRaised = options.synchronous == .normal
    if isRaised { try setSynchronous(.full, of: handle) }
    if try handle.integer("SELECT count(*) FROM sqlite_master") == 0 {
      // Create the tables before WAL mode is set, so that the database file itself always contains them and the id.
      if let pageSize = options.pageSize { try handle.execute("PRAGMA page_size = \(pageSize)") }
      try handle.execute("PRAGMA auto_vacuum = \(options.autoVacuum.rawValue)")
      try handle.execute("BEGIN IMMEDIATE; \(tables) COMMIT")
      options.testHooks.reach(.fileCreated, path)
    } else {
      if options.acceptsDump, let dump = try DumpedFile(handle) {
        guard WALFile.size(databasePath: path) == 0 else { throw DumpedFile.foreignWAL(path) }
        try dump.accept(path: path)
      }
      try check(handle, path: path)
    }
    let mode = try handle.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw YapDatabaseError(
        .incompatible,
        "\(path) cannot be put into WAL mode (it stays in \"\(mode ?? "none")\"): "
          + "put it on a local file system that supports shared memory"
      )
    }
    if isRaised { try setSynchronous(options.synchronous, of: handle) }
    // Only this handle writes, so nothing invalidates its cache. Readers keep SQLite's default size: each commit
    // invalidates their caches, and dropping a larger cache costs more.
    try handle.execute("PRAGMA cache_size = -\(writerCacheKiB)")
  }

  /// Sets the pragmas common to all handles.
  static func prepare(_ handle: SQLiteHandle, options: YapDatabaseOptions) throws {
    setBusyTimeout(handle, options)
    try setSynchronous(options.synchronous, of: handle)
    // The journals of statements and savepoints are kept in memory. In a file they would need a folder for temporary
    // files, which a service may not have.
    try handle.execute("PRAGMA temp_store = MEMORY")
    try handle.execute("PRAGMA mmap_size = \(options.mmapSize)")
    try handle.execute("PRAGMA journal_size_limit = \(options.journalSizeLimit ?? -1)")
  }

  /// Prepares a handle that only reads.
  /// - Parameter alone: The owner of the file, read without its WAL.
  /// - Throws: `foreignWAL`; `incompatible` if another program or another version wrote the file.
  static func prepareReading(
    _ handle: SQLiteHandle,
    path: String,
    options: YapDatabaseOptions,
    alone: FileWithoutWAL
  ) throws {
    setBusyTimeout(handle, options)
    try alone.check(handle, path: path)
    try handle.execute("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = \(options.mmapSize)")
    guard try handle.integer("SELECT count(*) FROM sqlite_master") ?? 0 > 0 else {
      throw YapDatabaseError(.incompatible, "\(path) is an empty file: open it once for writing")
    }
    try check(handle, path: path)
  }

  private static func setSynchronous(
    _ level: YapDatabaseOptions.Synchronous,
    of handle: SQLiteHandle
  ) throws(SQLiteError) {
    try handle.execute("PRAGMA synchronous = \(level.rawValue)")
  }

  private static func setBusyTimeout(_ handle: SQLiteHandle, _ options: YapDatabaseOptions) {
    handle.setBusyTimeout(milliseconds: Int32(clamping: options.busyTimeoutNanoseconds / 1_000_000))
  }

  /// Checks that this version of the engine can use the file.
  /// - Throws: `incompatible` if another program or another version wrote it.
  static func check(_ handle: SQLiteHandle, path: String) throws {
    let id = try handle.integer("PRAGMA application_id")
    guard id == applicationID else {
      guard try DumpedFile(handle) == nil else { throw DumpedFile.refusal(path) }
      throw YapDatabaseError(.incompatible, "\(path) is a database of another program; choose another path")
    }
    let found = try handle.integer("PRAGMA user_version") ?? 0
    guard found == version else {
      throw YapDatabaseError(
        .incompatible,
        "\(path) has layout \(found), this version supports only layout \(version): "
          + "open it with the version that wrote it"
      )
    }
  }
}

/// All statements that transactions use. Each handle compiles a statement when it first needs it.
enum Statement: Int, CaseIterable {
  case begin, beginImmediate, commit, rollback
  case savepoint, releaseSavepoint, rollbackToSavepoint
  case takeSnapshot, snapshot, setSnapshot
  case addCollection, dropCollection, dropAllCollections, dropEmptyCollections
  case object, metadata, row, exists
  case objectByRowid, metadataByRowid, rowByRowid
  case count, countAll, collections, collectionsWithKey
  case keys, objects, metadatas, rows
  case keysFrom, objectsFrom, metadatasFrom, rowsFrom
  case keysBackFrom, objectsBackFrom, metadatasBackFrom, rowsBackFrom
  case objectsByScan, metadatasByScan, rowsByScan, rowidRange, countAfter
  case updateRow, insertRow, upsertRow, updateObject, updateMetadata
  case updateRowByRowid, updateObjectByRowid, updateMetadataByRowid
  case removeKey, removeCollection, removeEverything
  case rowidByKey, keyAt, objectAt, metadataAt, rowAt, numberedKeys, numberedRows
  case extensions, addExtension, setExtensionTag, removeExtension
  case viewPages, putViewPage, removeViewPage, removeViewPages

  private static let key = "collection = ?1 AND key = ?2"
  /// Compares the key as well, because SQLite reuses free rowids.
  private static let rowid = "rowid = ?5 AND collection = ?1 AND key = ?2"

  private static let insert = "INSERT INTO data(collection, key, object, metadata) VALUES (?1, ?2, ?3, ?4)"

  private static let hasRows = "EXISTS (SELECT 1 FROM data WHERE collection = collections.number)"
  private static let hasKey = "EXISTS (SELECT 1 FROM data WHERE collection = collections.number AND key = ?1)"
  private static let after = "collection = ?1 AND key > ?2"
  private static let from = "FROM data WHERE collection = ?1 AND key >= ?2 ORDER BY key"
  private static let backFrom = "FROM data WHERE collection = ?1 AND key <= ?2 ORDER BY key DESC"

  var sql: String {
    switch self {
    case .begin: "BEGIN"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .savepoint: "SAVEPOINT joined"
    case .releaseSavepoint: "RELEASE joined"
    case .rollbackToSavepoint: "ROLLBACK TO joined"
    case .takeSnapshot: "SELECT 1 FROM snapshot WHERE 0"
    case .snapshot: "SELECT number FROM snapshot WHERE id = 1"
    case .setSnapshot: "UPDATE snapshot SET number = ?1 WHERE id = 1"
    case .addCollection: "INSERT OR IGNORE INTO collections(number, name) VALUES (?1, ?2)"
    case .dropCollection: "DELETE FROM collections WHERE number = ?1"
    case .dropAllCollections: "DELETE FROM collections"
    case .dropEmptyCollections: "DELETE FROM collections WHERE NOT \(Self.hasRows)"
    case .object: "SELECT rowid, object FROM data WHERE \(Self.key)"
    case .objectByRowid: "SELECT rowid, object FROM data WHERE \(Self.rowid)"
    case .metadata: "SELECT rowid, metadata FROM data WHERE \(Self.key)"
    case .metadataByRowid: "SELECT rowid, metadata FROM data WHERE \(Self.rowid)"
    case .row: "SELECT rowid, object, metadata FROM data WHERE \(Self.key)"
    case .rowByRowid: "SELECT rowid, object, metadata FROM data WHERE \(Self.rowid)"
    case .exists: "SELECT 1 FROM data WHERE \(Self.key)"
    case .count: "SELECT count(*) FROM data WHERE collection = ?1"
    case .countAll: "SELECT count(*) FROM data"
    case .collections: "SELECT number FROM collections WHERE \(Self.hasRows)"
    case .collectionsWithKey: "SELECT number FROM collections WHERE \(Self.hasKey)"
    case .keys: "SELECT key FROM data WHERE collection = ?1"
    case .objects: "SELECT key, object FROM data WHERE collection = ?1 ORDER BY key"
    case .metadatas: "SELECT key, metadata FROM data WHERE collection = ?1 ORDER BY key"
    case .rows: "SELECT key, object, metadata FROM data WHERE collection = ?1 ORDER BY key"
    case .keysFrom, .objectsFrom, .metadatasFrom, .rowsFrom: "SELECT \(rangeColumns) \(Self.from)"
    case .keysBackFrom, .objectsBackFrom, .metadatasBackFrom, .rowsBackFrom: "SELECT \(rangeColumns) \(Self.backFrom)"
    case .objectsByScan: "SELECT key, object FROM data NOT INDEXED WHERE collection = ?1"
    case .metadatasByScan: "SELECT key, metadata FROM data NOT INDEXED WHERE collection = ?1"
    case .rowsByScan: "SELECT key, object, metadata FROM data NOT INDEXED WHERE collection = ?1"
    case .rowidRange: "SELECT (SELECT max(rowid) FROM data) - (SELECT min(rowid) FROM data) + 1"
    case .countAfter: "SELECT count(*) FROM (SELECT 1 FROM data WHERE \(Self.after) LIMIT ?3)"
    case .updateRow: "UPDATE data SET object = ?3, metadata = ?4 WHERE \(Self.key)"
    case .updateRowByRowid: "UPDATE data SET object = ?3, metadata = ?4 WHERE \(Self.rowid)"
    case .insertRow: Self.insert
    case .upsertRow: Self.insert + " ON CONFLICT(collection, key) DO UPDATE SET object = ?3, metadata = ?4"
    case .updateObject: "UPDATE data SET object = ?3 WHERE \(Self.key)"
    case .updateObjectByRowid: "UPDATE data SET object = ?3 WHERE \(Self.rowid)"
    case .updateMetadata: "UPDATE data SET metadata = ?3 WHERE \(Self.key)"
    case .updateMetadataByRowid: "UPDATE data SET metadata = ?3 WHERE \(Self.rowid)"
    case .removeKey: "DELETE FROM data WHERE \(Self.key)"
    case .removeCollection: "DELETE FROM data WHERE collection = ?1"
    case .removeEverything: "DELETE FROM data"
    case .rowidByKey: "SELECT rowid FROM data WHERE \(Self.key)"
    case .keyAt: "SELECT collection, key FROM data WHERE rowid = ?1"
    case .objectAt: "SELECT collection, key, object FROM data WHERE rowid = ?1"
    case .metadataAt: "SELECT collection, key, NULL, metadata FROM data WHERE rowid = ?1"
    case .rowAt: "SELECT collection, key, object, metadata FROM data WHERE rowid = ?1"
    case .numberedKeys: "SELECT collection, key, NULL, NULL, rowid FROM data WHERE collection = ?1"
    case .numberedRows: "SELECT collection, key, object, metadata, rowid FROM data WHERE collection = ?1"
    case .extensions: "SELECT number, name, version, tag FROM extensions ORDER BY number"
    case .addExtension: "INSERT INTO extensions(number, version, name, tag) VALUES (?4, ?1, ?2, ?3)"
    case .setExtensionTag: "UPDATE extensions SET tag = ?2 WHERE number = ?1"
    case .removeExtension: "DELETE FROM extensions WHERE number = ?1"
    case .viewPages: "SELECT id, previous, page_group, rowids FROM view_pages WHERE id BETWEEN ?1 AND ?2"
    case .putViewPage:
      "INSERT OR REPLACE INTO view_pages(id, previous, page_group, rowids) VALUES (?1, ?2, ?3, ?4)"
    case .removeViewPage: "DELETE FROM view_pages WHERE id = ?1"
    case .removeViewPages: "DELETE FROM view_pages WHERE id BETWEEN ?1 AND ?2"
    }
  }

  /// The columns of a statement that reads a range of keys.
  private var rangeColumns: String {
    switch self {
    case .keysFrom, .keysBackFrom: "key"
    case .objectsFrom, .objectsBackFrom: "key, object"
    case .metadatasFrom, .metadatasBackFrom: "key, metadata"
    default: "key, object, metadata"
    }
  }
}
