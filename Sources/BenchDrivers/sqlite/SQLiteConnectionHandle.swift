internal import BenchScenario
internal import SQLiteBinding

/// A SQLite handle with its pragmas and its compiled statements. Not thread-safe.
///
/// Every statement is reset after its use: a statement that is not reset pins the WAL.
// Protected by the lock of its connection or of writers; the handle for interval checkpoints is used by one thread.
final class SQLiteConnectionHandle: @unchecked Sendable {
  let sqlite: SQLiteHandle
  let begin: SQLiteStatement
  let beginImmediate: SQLiteStatement
  let commit: SQLiteStatement
  let rollback: SQLiteStatement
  /// Increments the number of the newest commit.
  let countCommit: SQLiteStatement
  private let readCommit: SQLiteStatement
  let collections: DriverCollections<SQLiteStatements>

  /// - Parameter isFirst: Whether this is the first handle, which sets WAL mode and creates missing tables.
  init(path: String, _ engine: EngineSettings, _ dataset: [DatasetCollection], isFirst: Bool = false) throws {
    sqlite = try SQLiteHandle(path: path)
    sqlite.setBusyTimeout(milliseconds: Int32(clamping: engine.sqliteBusyNanoseconds / 1_000_000))
    if isFirst { try Self.prepareFile(at: path, engine, dataset, on: sqlite) }
    for pragma in engine.sqlitePragmas { try sqlite.execute(pragma) }
    begin = try sqlite.prepare("BEGIN")
    beginImmediate = try sqlite.prepare("BEGIN IMMEDIATE")
    commit = try sqlite.prepare("COMMIT")
    rollback = try sqlite.prepare("ROLLBACK")
    countCommit = try sqlite.prepare(SQLiteTables.incrementCommit)
    readCommit = try sqlite.prepare(SQLiteTables.selectCommit)
    collections = DriverCollections(dataset) { [sqlite] in SQLiteStatements(of: $0, on: sqlite) }
  }

  private static func prepareFile(
    at path: String,
    _ engine: EngineSettings,
    _ dataset: [DatasetCollection],
    on sqlite: SQLiteHandle
  ) throws {
    if let pageSize = engine.pageSizeBytes { try sqlite.execute("PRAGMA page_size = \(pageSize)") }
    let mode = try sqlite.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw DriverError("\(path) cannot be put into WAL mode; use a local file system")
    }
    try sqlite.execute("BEGIN IMMEDIATE;\n\(SQLiteTables.schema(dataset))\nCOMMIT;")
  }

  /// Returns the number of the newest commit that the handle sees. After a plain BEGIN, this takes SQLite's snapshot.
  func newestCommit() throws -> UInt64 {
    defer { readCommit.reset() }
    guard try readCommit.step() else {
      throw DriverError("the table \"commits\" is empty; expected one row")
    }
    return UInt64(bitPattern: readCommit.integer(at: 0))
  }

  /// Rolls back after an error, unless SQLite has done so. Ignores errors: the first error is more informative.
  func rollBackAfterError() {
    if sqlite.isInTransaction { try? rollback.run() }
  }
}
