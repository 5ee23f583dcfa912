internal import CSQLite

/// An error that SQLite returned.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code, such as 517 for SQLITE_BUSY_SNAPSHOT.
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The failed operation: the statement's text, or the name of the call.
  public let operation: String

  public init(code: Int32, message: String, operation: String) {
    self.code = code
    self.message = message
    self.operation = operation
  }

  /// Creates an error for a call that sets no message.
  init(code: Int32, operation: String) {
    self.init(code: code, message: String(cString: sqlite3_errstr(code)), operation: operation)
  }

  /// The result code without its extension, such as 5 for SQLITE_BUSY.
  public var primaryCode: Int32 { code & 0xff }

  public var description: String { "SQLite error \(code) (\(message)) in: \(operation)" }
}
