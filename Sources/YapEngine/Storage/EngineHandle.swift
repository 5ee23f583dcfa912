internal import SQLiteBinding

/// A SQLite handle and the statements that were compiled for it.
///
/// Not thread-safe: a connection's own handle is used under its lane, the writer's under the write lane.
final class EngineHandle {
  let sqlite: SQLiteHandle
  /// Statements that are not in use, by kind. A nested use of one kind compiles a second.
  private var idle: [[SQLiteStatement]] = Array(repeating: [], count: Statement.allCases.count)

  init(path: String, options: YapDatabaseOptions, isFirst: Bool) throws {
    do {
      sqlite = try SQLiteHandle(path: path)
      try Schema.prepare(sqlite, path: path, options: options, isFirst: isFirst)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  /// Lends a statement. It is reset afterwards in every case: a forgotten one would pin the WAL.
  @inline(__always)
  func with<Result>(_ kind: Statement, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
    do {
      let statement = try idle[kind.rawValue].popLast() ?? sqlite.prepare(kind.sql)
      defer {
        statement.reset()
        idle[kind.rawValue].append(statement)
      }
      return try body(statement)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  func run(_ kind: Statement) throws {
    try with(kind) { _ = try $0.step() }
  }

  /// The number of the commit that the open transaction sees. Reading it pins SQLite's snapshot.
  func storedSnapshot() throws -> UInt64 {
    try with(.snapshot) { statement in
      guard try statement.step() else {
        throw YapDatabaseError(.corrupt, "the database has lost its snapshot number; restore it from a backup")
      }
      return UInt64(bitPattern: statement.integer(at: 0))
    }
  }

  /// Runs a statement of one row's place: collection ?1, key ?2, and for a statement by rowid that as ?5.
  @inline(__always)
  func with<Result>(
    _ kind: Statement,
    collection: Int64,
    key: String,
    rowid: Int64? = nil,
    _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result {
    try with(kind) { statement in
      if let rowid { try statement.bind(rowid, at: 5) }
      return try key.withUTF8Bytes { bytes in
        try statement.bind(collection, at: 1)
        try statement.bindText(bytes, at: 2)
        return try body(statement)
      }
    }
  }

  /// Ends whatever transaction is open, after a failure that may have ended it already.
  func rollbackIfNeeded() {
    guard sqlite.isInTransaction else { return }
    // A ROLLBACK that fails leaves SQLite to roll back when the handle closes; what failed before is what to tell.
    try? run(.rollback)
  }

  func close() throws {
    idle = Array(repeating: [], count: Statement.allCases.count)
    do { try sqlite.close() } catch { throw YapDatabaseError(error) }
  }
}
