internal import CSQLite

/// The result codes of SQLite that this project distinguishes: https://www.sqlite.org/rescode.html
public enum SQLiteCode {
  // Primary codes.
  public static let error = SQLITE_ERROR
  public static let busy = SQLITE_BUSY
  public static let locked = SQLITE_LOCKED
  public static let readOnly = SQLITE_READONLY
  public static let io = SQLITE_IOERR
  public static let corrupt = SQLITE_CORRUPT
  public static let full = SQLITE_FULL
  public static let cannotOpen = SQLITE_CANTOPEN
  public static let constraint = SQLITE_CONSTRAINT
  public static let mismatch = SQLITE_MISMATCH
  public static let notADatabase = SQLITE_NOTADB

  // Extended codes of `io`. Swift does not import them.
  public static let ioRead = io | 1 << 8
  public static let ioShortRead = io | 2 << 8
  public static let ioWrite = io | 3 << 8
  public static let ioSync = io | 4 << 8
  public static let ioFolderSync = io | 5 << 8
  public static let ioTruncate = io | 6 << 8
  public static let ioFileSize = io | 7 << 8
  public static let ioDelete = io | 10 << 8
  public static let ioNoMemory = io | 12 << 8
  public static let ioIndexSize = io | 19 << 8
  public static let ioIndexLock = io | 20 << 8
  public static let ioIndexMap = io | 21 << 8

  /// A process that has the file open must rebuild the WAL's index, and the handle only reads:
  /// https://sqlite.org/rescode.html#readonly_recovery
  public static let readOnlyRecovery = readOnly | 1 << 8

  /// Returns the code without its extension, such as `io` for `ioWrite`.
  public static func primary(of code: Int32) -> Int32 { code & 0xff }

  /// Whether the code states that the file is damaged, or is not a database.
  public static func isDamage(_ code: Int32) -> Bool { [corrupt, notADatabase].contains(primary(of: code)) }
}
