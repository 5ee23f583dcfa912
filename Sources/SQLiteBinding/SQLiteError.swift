internal import CSQLite

/// What SQLite answered when it could not do as told.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code, such as 517 for SQLITE_BUSY_SNAPSHOT.
  public let code: Int32
  /// SQLite's own words.
  public let message: String
  /// What was being done: the statement's text, or the call.
  public let operation: String

  public init(code: Int32, message: String, operation: String) {
    self.code = code
    self.message = message
    self.operation = operation
  }

  /// For a call that leaves no message behind.
  init(code: Int32, operation: String) {
    self.init(code: code, message: String(cString: sqlite3_errstr(code)), operation: operation)
  }

  /// The result code without its extension, such as 5 for SQLITE_BUSY.
  public var primaryCode: Int32 { code & 0xff }

  public var description: String { "SQLite error \(code) (\(message)) in: \(operation)" }
}
