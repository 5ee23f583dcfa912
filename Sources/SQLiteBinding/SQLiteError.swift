internal import CSQLite
internal import Glibc

/// An error that SQLite returned.
public struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code, such as 517 for SQLITE_BUSY_SNAPSHOT.
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The failed operation: the statement's text, or the name of the call.
  public let operation: String
  /// The `errno` of a failed access to a file; 0 for other errors and if it is not known.
  public let systemCode: Int32

  public init(code: Int32, message: String, operation: String, systemCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.operation = operation
    self.systemCode = systemCode
  }

  /// Creates an error for a call that failed on a handle, which is nil if there was no memory for it.
  init(ofHandle database: OpaquePointer?, code: Int32, operation: String) {
    let message = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    let extended = database.map { sqlite3_extended_errcode($0) } ?? code
    let isOfSystem = [SQLiteCode.io, SQLiteCode.cannotOpen].contains(SQLiteCode.primary(of: code))
    self.init(
      // If the handle remembers another code than the call returned, the returned code is more informative.
      code: SQLiteCode.primary(of: extended) == SQLiteCode.primary(of: code) ? extended : code,
      message: message,
      operation: operation,
      systemCode: isOfSystem ? Self.systemCode(of: database) : 0
    )
  }

  /// Creates an error for a call that sets no message.
  init(code: Int32, operation: String) {
    self.init(ofHandle: nil, code: code, operation: operation)
  }

  /// The result code without its extension, such as `SQLiteCode.busy`.
  public var primaryCode: Int32 { SQLiteCode.primary(of: code) }

  /// Whether the file is damaged, or is not a database.
  public var isDamage: Bool { SQLiteCode.isDamage(code) }

  public var description: String { "SQLite error \(code) (\(message)) in: \(operation)" }

  /// The `errno` of the last failed access to a file; 0 if it is not known.
  private static func systemCode(of database: OpaquePointer?) -> Int32 {
    let code = database.map { sqlite3_system_errno($0) } ?? 0
    if code != 0 { return code }
    // SQLite does not always keep it. A missing descriptor is still missing now, but SQLite has closed those that it
    // had opened: at most the WAL and its index.
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<3 {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { return errno }
      opened.append(descriptor)
    }
    return 0
  }
}
