internal import CSQLite

/// One compiled statement. While a thread uses it, no other thread may use its handle.
///
/// Parameters count from 1, columns from 0, as in SQLite.
public final class SQLiteStatement {
  private let statement: OpaquePointer
  private let sql: String
  private let clock: StatementClock
  /// The integer bound to the first parameter, if any.
  private var first: Int64?

  init(_ statement: OpaquePointer, sql: String, _ clock: StatementClock) {
    self.statement = statement
    self.sql = sql
    self.clock = clock
  }

  deinit {
    sqlite3_finalize(statement)
  }

  /// Makes the statement ready to run again. Outside a transaction this also ends its read. The bindings remain.
  public func reset() {
    // The result code is ignored: it repeats the error of the last step, which `step` has already thrown.
    sqlite3_reset(statement)
  }

  /// Runs to the next row; returns false if there is none.
  public func step() throws(SQLiteError) -> Bool {
    let isTimed = clock.state.pointee.isRunning
    let code = isTimed ? csqlite_timed_step(statement, &clock.state.pointee.nanoseconds) : sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Runs the statement to its end, skips the rows that it returns, and resets it.
  public func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Binds a value. Binding the same value to the first parameter again costs nothing: bindings outlive a reset.
  public func bind(_ value: Int64, at parameter: Int32) throws(SQLiteError) {
    if parameter == 1, value == first { return }
    try check(sqlite3_bind_int64(statement, parameter, value))
    if parameter == 1 { first = value }
  }

  public func bindNull(at parameter: Int32) throws(SQLiteError) {
    if parameter == 1 { first = nil }
    try check(sqlite3_bind_null(statement, parameter))
  }

  /// Binds text without copying it: `utf8` must remain valid until the last run that uses the binding was reset.
  public func bindText(_ utf8: UnsafeBufferPointer<UInt8>, at parameter: Int32) throws(SQLiteError) {
    if parameter == 1 { first = nil }
    // An empty buffer may have no address, and SQLite treats a null pointer as NULL.
    guard let start = utf8.baseAddress, !utf8.isEmpty else {
      return try check(sqlite3_bind_text(statement, parameter, "", 0, csqlite_transient()))
    }
    try check(
      sqlite3_bind_text64(
        statement,
        parameter,
        UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self),
        UInt64(utf8.count),
        nil,
        UInt8(SQLITE_UTF8)
      )
    )
  }

  /// Binds a blob without copying it: `bytes` must remain valid until the last run that uses the binding was reset.
  public func bindBlob(_ bytes: UnsafeRawBufferPointer, at parameter: Int32) throws(SQLiteError) {
    if parameter == 1 { first = nil }
    // See bindText: an empty blob is a blob, not NULL.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return try check(sqlite3_bind_zeroblob(statement, parameter, 0))
    }
    try check(sqlite3_bind_blob64(statement, parameter, start, UInt64(bytes.count), nil))
  }

  public func integer(at column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  public func isNull(at column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  public func text(at column: Int32) -> String { String(decoding: utf8(at: column), as: UTF8.self) }

  // The values of a column may be used only while no other thread uses the handle. The handle has no mutex that would
  // ensure this, so its owner does.

  /// A column's text in SQLite's memory: valid until the next step or reset. Empty for NULL.
  public func utf8(at column: Int32) -> UnsafeRawBufferPointer {
    let value = sqlite3_column_value(statement, column)
    return UnsafeRawBufferPointer(start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
  }

  /// A column's bytes in SQLite's memory: valid until the next step or reset. Empty for NULL.
  public func bytes(at column: Int32) -> UnsafeRawBufferPointer {
    let value = sqlite3_column_value(statement, column)
    return UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(ofHandle: sqlite3_db_handle(statement), code: code, operation: sql)
  }
}

/// Measures the duration of the steps of a handle's statements while timing is switched on.
///
/// Statements also retain the clock, because they may outlive their handle.
final class StatementClock {
  struct State {
    var isRunning = false
    var nanoseconds: UInt64 = 0
  }

  // A pointer, because access to a class's property would be checked for exclusivity at each step.
  let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit { state.deallocate() }
}

extension SQLiteHandle {
  /// Begins timing each step, which takes two clock readings per step.
  public func beginTimingStatements() {
    clock.state.pointee = StatementClock.State(isRunning: true)
  }

  /// - Returns: The nanoseconds that steps have taken since `beginTimingStatements`. The time between steps, in which
  ///   rows are processed, is not included.
  public func endTimingStatements() -> UInt64 {
    clock.state.pointee.isRunning = false
    return clock.state.pointee.nanoseconds
  }
}
