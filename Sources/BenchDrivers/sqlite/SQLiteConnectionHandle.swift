internal import BenchResults
internal import BenchScenario
internal import SQLiteBinding

/// A SQLite handle with its pragmas and its cached compiled statements. Not thread-safe.
// Protected by the lock of its connection or of writers; the handle for interval checkpoints is used by one thread.
final class SQLiteConnectionHandle: @unchecked Sendable {
  private static let defaultBusyNanoseconds: UInt64 = 5_000_000_000

  let sqlite: SQLiteHandle
  private var statements: [String: SQLiteStatement] = [:]

  /// - Parameter isFirst: Whether this is the first handle, which sets WAL mode and creates missing tables.
  init(path: String, _ engine: EngineSettings, _ collections: SQLiteCollections, isFirst: Bool = false) throws {
    sqlite = try SQLiteHandle(path: path)
    let busy = engine.busyTimeoutNanoseconds ?? Self.defaultBusyNanoseconds
    sqlite.setBusyTimeout(milliseconds: Int32(clamping: busy / 1_000_000))
    if isFirst {
      if let pageSize = engine.pageSizeBytes { try sqlite.execute("PRAGMA page_size = \(pageSize)") }
      let mode = try sqlite.text("PRAGMA journal_mode = WAL")
      guard mode == "wal" else {
        throw SQLiteDriverError("\(path) cannot be put into WAL mode; use a local file system")
      }
      try sqlite.execute(
        """
        BEGIN IMMEDIATE;
        CREATE TABLE IF NOT EXISTS commits(id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL);
        INSERT OR IGNORE INTO commits VALUES (1, 0);
        \(collections.schema)
        COMMIT;
        """
      )
    }
    try sqlite.execute("PRAGMA synchronous = \(engine.synchronous.rawValue)")
    if let bytes = engine.mmapSizeBytes { try sqlite.execute("PRAGMA mmap_size = \(bytes)") }
    if let bytes = engine.journalSizeLimitBytes { try sqlite.execute("PRAGMA journal_size_limit = \(bytes)") }
  }

  /// Lends a statement to `body`. Always resets it afterwards: a statement that is not reset pins the WAL.
  func with<Result>(_ sql: String, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
    let statement: SQLiteStatement
    if let kept = statements[sql] {
      statement = kept
    } else {
      statement = try sqlite.prepare(sql)
      statements[sql] = statement
    }
    defer { statement.reset() }
    return try body(statement)
  }

  func run(_ sql: String) throws { try with(sql) { try $0.run() } }

  /// Returns the number of the newest commit that the handle sees. After a plain BEGIN, this takes SQLite's snapshot.
  func commit() throws -> UInt64 {
    try with("SELECT number FROM commits") { statement in
      guard try statement.step() else { throw SQLiteDriverError("the table \"commits\" is empty; expected one row") }
      return UInt64(bitPattern: statement.integer(at: 0))
    }
  }
}

/// An error of the driver itself.
struct SQLiteDriverError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The tables of the collections and the stored form of their objects.
struct SQLiteCollections: Sendable {
  let objects: StoredObjects
  /// The names in the order of the dataset.
  let names: [String]

  init(_ dataset: [DatasetCollection]) {
    names = dataset.map(\.name)
    objects = StoredObjects(dataset)
  }

  /// Returns the quoted name of a collection's table. Names of collections consist of letters, digits, `-` and `_`.
  static func table(_ collection: String) -> String { "\"collection_\(collection)\"" }

  var schema: String {
    names.map { name in
      "CREATE TABLE IF NOT EXISTS \(Self.table(name))"
        + "(key TEXT NOT NULL PRIMARY KEY, object BLOB NOT NULL, metadata BLOB);"
    }.joined(separator: "\n")
  }
}
