internal import SQLiteBinding

/// A SQLite handle and the statements that were compiled for it.
///
/// Not thread-safe: a connection's own handle is used under its lane, the writer's under the write lane.
final class EngineHandle {
  let sqlite: SQLiteHandle
  /// By kind, a statement that is not in use.
  private var idle = ContiguousArray<SQLiteStatement?>(repeating: nil, count: Statement.allCases.count)
  /// More of them, by kind: a nested use of one kind compiles a second.
  private var further: [Int: [SQLiteStatement]] = [:]

  private let damage: Damage

  /// - Parameter alone: what the file is without its WAL; for the first handle.
  init(
    path: String,
    options: YapDatabaseOptions,
    isFirst: Bool,
    alone: FileWithoutWAL = .unknown,
    damage: Damage,
    lockWaits: LockWaits
  ) throws {
    self.damage = damage
    do {
      sqlite = try SQLiteHandle(path: path)
      sqlite.onLockWait { lockWaits.note() }
      // A file that turns out to be damaged, or another program's, stays as it is.
      if isFirst { try sqlite.setCheckpointOnClose(false) }
      if isFirst {
        try Schema.prepareFirst(sqlite, path: path, options: options, alone: alone)
      } else {
        try Schema.prepare(sqlite, options: options)
      }
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  /// Lends a statement. It is reset afterwards in every case: a forgotten one would pin the WAL.
  @inline(__always)
  func with<Result>(_ kind: Statement, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
    do {
      var taken: SQLiteStatement?
      swap(&taken, &idle[kind.rawValue])
      let statement = try taken ?? further[kind.rawValue]?.popLast() ?? sqlite.prepare(kind.sql)
      defer {
        statement.reset()
        giveBack(statement, kind)
      }
      return try body(statement)
    } catch let error as SQLiteError {
      throw failure(error)
    }
  }

  @inline(__always)
  private func giveBack(_ statement: SQLiteStatement, _ kind: Statement) {
    var replaced: SQLiteStatement? = statement
    swap(&replaced, &idle[kind.rawValue])
    if let replaced { further[kind.rawValue, default: []].append(replaced) }
  }

  /// Runs what is used once and returns nothing.
  func execute(_ sql: String) throws {
    do { try sqlite.execute(sql) } catch { throw failure(error) }
  }

  /// The first column of the first row; for pragmas.
  func integer(_ sql: String) throws -> Int64? {
    do { return try sqlite.integer(sql) } catch { throw failure(error) }
  }

  /// The first column of the first row; for pragmas.
  func text(_ sql: String) throws -> String? {
    do { return try sqlite.text(sql) } catch { throw failure(error) }
  }

  func checkpoint(_ mode: SQLiteCheckpointMode) throws -> SQLiteCheckpointResult {
    do { return try sqlite.checkpoint(mode) } catch { throw failure(error) }
  }

  /// The engine's error for SQLite's; whether it is damage is noted.
  private func failure(_ error: SQLiteError) -> YapDatabaseError {
    let error = YapDatabaseError(error)
    damage.note(error)
    return error
  }

  /// Whether another connection may have it: nothing of the last one's is under way.
  var isAtRest: Bool { !sqlite.isInTransaction && !sqlite.hasLiveStatements }

  /// Lets go of compiled statements that are not in use.
  func dropStatements() {
    idle = ContiguousArray(repeating: nil, count: Statement.allCases.count)
    further = [:]
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

  /// Closes a handle that nobody uses any more. What SQLite cannot close now it closes with the last statement.
  func discard() {
    rollbackIfNeeded()
    dropStatements()
    try? sqlite.close()
  }

  func close() throws {
    dropStatements()
    do { try sqlite.close() } catch { throw YapDatabaseError(error) }
  }
}
