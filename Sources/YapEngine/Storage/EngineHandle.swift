internal import SQLiteBinding
internal import Synchronization

/// A SQLite handle and the statements compiled for it.
///
/// Not thread-safe: a connection's own handle is used under its lane, and the writer's handle under the write lane.
final class EngineHandle {
  let sqlite: SQLiteHandle
  private let idle = IdleStatements()
  /// Further unused statements by kind: a nested use of a kind compiles another one.
  private var further: [Int: [SQLiteStatement]] = [:]

  private let damage: Damage

  /// - Parameter alone: The owner of the file, read without its WAL; used only for the first handle.
  init(
    file: OwnedFile,
    options: YapDatabaseOptions,
    isFirst: Bool = false,
    alone: FileWithoutWAL = .unknown,
    damage: Damage,
    lockWaits: LockWaits
  ) throws {
    self.damage = damage
    do {
      // The file existed. If it has been moved since, no new one is created at its path.
      sqlite = try SQLiteHandle(path: file.path, createsFile: false, vfs: EngineVFS.name(options))
      try file.checkIsAtPath()
      if sqlite.hasMoved { throw file.movedError }
      sqlite.onLockWait {
        lockWaits.note()
        #if TestPoints
          options.testHooks.onLockWait?()
        #endif
      }
      if isFirst {
        // If opening fails, closing the handle must not change the file.
        try sqlite.setCheckpointOnClose(false)
        try Schema.prepareFirst(sqlite, path: file.path, options: options, alone: alone)
      } else {
        try Schema.prepare(sqlite, options: options)
        // The first read opens the WAL by its name.
        _ = try storedSnapshot()
        try file.checkIsAtPath()
      }
    } catch {
      try file.checkIsAtPath()
      throw (error as? SQLiteError).map { YapDatabaseError($0) } ?? error
    }
  }

  /// Opens a handle that only reads.
  /// - Parameter alone: The owner of the file, read without its WAL; used only for the first handle.
  init(
    reading file: ReadOnlyFile,
    options: YapDatabaseOptions,
    alone: FileWithoutWAL = .unknown,
    damage: Damage,
    lockWaits: LockWaits
  ) throws {
    self.damage = damage
    do {
      sqlite = try file.open()
      sqlite.onLockWait { lockWaits.note() }
      try Schema.prepareReading(sqlite, path: file.path, options: options, alone: alone)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  /// Lends a statement to `body`. Always resets it afterwards: a statement that is not reset pins the WAL.
  @inline(__always)
  func with<Result>(_ kind: Statement, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
    do {
      let statement = try idle.exchange(kind, nil) ?? furtherStatement(kind)
      defer {
        statement.reset()
        if let replaced = idle.exchange(kind, statement) { keep(replaced, kind) }
      }
      return try body(statement)
    } catch {
      throw translated(error)
    }
  }

  // The functions below are not inlined, so that the code of a read contains little that a read does not execute.

  @inline(never)
  private func furtherStatement(_ kind: Statement) throws -> SQLiteStatement {
    try further[kind.rawValue]?.popLast() ?? sqlite.prepare(kind.sql)
  }

  @inline(never)
  private func keep(_ statement: SQLiteStatement, _ kind: Statement) {
    further[kind.rawValue, default: []].append(statement)
  }

  /// Returns the engine's error for one of SQLite's. Other errors are returned unchanged.
  @inline(never)
  private func translated(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    return failure(error)
  }

  /// Runs SQL that is used once and returns no rows.
  func execute(_ sql: String) throws {
    do { try sqlite.execute(sql) } catch { throw failure(error) }
  }

  /// Returns the first column of the first row; for pragmas.
  func integer(_ sql: String) throws -> Int64? {
    do { return try sqlite.integer(sql) } catch { throw failure(error) }
  }

  /// Returns the first column of the first row; for pragmas.
  func text(_ sql: String) throws -> String? {
    do { return try sqlite.text(sql) } catch { throw failure(error) }
  }

  /// Returns the names of the collections with their numbers.
  /// - Throws: `corrupt` if a number is impossible.
  func collections(path: String) throws -> [(number: Int64, name: String)] {
    var collections: [(number: Int64, name: String)] = []
    do {
      let statement = try sqlite.prepare("SELECT number, name FROM collections")
      while try statement.step() {
        let (number, name) = (statement.integer(at: 0), statement.text(at: 1))
        // Larger numbers are not reached by counting, and the next one would overflow.
        guard number >> 62 == 0 else {
          let found = "the collection \"\(name)\" has the number \(number)"
          throw YapDatabaseError(.corrupt, "\(path): \(found); restore the file from a backup")
        }
        collections.append((number, name))
      }
    } catch let error as SQLiteError {
      throw failure(error)
    }
    return collections
  }

  func checkpoint(_ mode: SQLiteCheckpointMode) throws -> SQLiteCheckpointResult {
    do { return try sqlite.checkpoint(mode) } catch { throw failure(error) }
  }

  /// Syncs the database file.
  func syncFile() throws {
    do { try sqlite.syncFile() } catch { throw failure(error) }
  }

  /// Returns the engine's error for SQLite's, and records it if it indicates damage.
  private func failure(_ error: SQLiteError) -> YapDatabaseError {
    let error = YapDatabaseError(error)
    damage.note(error)
    return error
  }

  /// Whether another connection may use the handle: it has no open transaction and no running statement.
  var isAtRest: Bool { !sqlite.isInTransaction && !sqlite.hasLiveStatements }

  /// Drops the compiled statements that are not in use.
  func dropStatements() {
    for kind in Statement.allCases { _ = idle.exchange(kind, nil) }
    further = [:]
  }

  func run(_ kind: Statement) throws {
    try with(kind) { _ = try $0.step() }
  }

  /// Runs a statement that returns no rows, with the numbers bound as ?1, ?2 and so on.
  func run(_ kind: Statement, _ numbers: [Int64]) throws {
    try with(kind) { statement in
      for (index, number) in numbers.enumerated() { try statement.bind(number, at: Int32(index + 1)) }
      _ = try statement.step()
    }
  }

  /// Returns the number of the newest commit that the handle sees. In a transaction this pins SQLite's snapshot.
  func storedSnapshot() throws -> UInt64 {
    try with(.snapshot) { statement in
      guard try statement.step() else {
        throw YapDatabaseError(.corrupt, "the database has no snapshot number; restore it from a backup")
      }
      let number = statement.integer(at: 0)
      // Larger numbers are not reached by counting, and would overflow.
      guard number >> 62 == 0 else {
        throw YapDatabaseError(.corrupt, "the database has the snapshot number \(number); restore it from a backup")
      }
      return UInt64(bitPattern: number)
    }
  }

  /// Lends a statement to `body`, with the collection bound as ?1, the key as ?2, and the rowid, if any, as ?5.
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

  /// Rolls back the open transaction, if any. A failure may have ended it already.
  func rollbackIfNeeded() {
    guard sqlite.isInTransaction else { return }
    // If ROLLBACK fails, SQLite rolls back when the handle closes. A caller with an earlier failure reports that one.
    try? run(.rollback)
  }

  /// Closes a handle that is no longer used. If SQLite cannot close it yet, it is closed with its last statement.
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

/// At most one unused statement of each kind.
// Not an array: each of the two exchanges for a row would check that the array is not shared.
private struct IdleStatements: ~Copyable {
  private let slots: UnsafeMutablePointer<SQLiteStatement?>

  init() {
    slots = .allocate(capacity: Statement.allCases.count)
    slots.initialize(repeating: nil, count: Statement.allCases.count)
  }

  deinit {
    slots.deinitialize(count: Statement.allCases.count)
    slots.deallocate()
  }

  /// Replaces the unused statement of a kind.
  /// - Returns: The statement that was there.
  @inline(__always)
  func exchange(_ kind: Statement, _ statement: consuming SQLiteStatement?) -> SQLiteStatement? {
    swap(&statement, &slots[kind.rawValue])
    return statement
  }
}

/// Counts the sleeps of a database's handles because a lock was held outside the engine.
final class LockWaits: Sendable {
  private let waits = Atomic<Int>(0)

  var count: Int { waits.load(ordering: .relaxed) }

  func note() { waits.add(1, ordering: .relaxed) }
}
