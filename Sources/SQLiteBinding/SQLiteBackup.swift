internal import CSQLite

/// Copies one database to another page by page: https://sqlite.org/c3ref/backup_finish.html
///
/// If a read transaction is open on the source, all pages are of that transaction's snapshot, regardless of concurrent
/// writes. While the backup is used, no other thread may use either handle.
public final class SQLiteBackup {
  private var backup: OpaquePointer?
  private let source: SQLiteHandle
  private let destination: SQLiteHandle

  public init(from source: SQLiteHandle, to destination: SQLiteHandle) throws(SQLiteError) {
    self.source = source
    self.destination = destination
    backup = destination.beginBackup(of: source)
    if backup == nil { throw destination.lastError("backup") }
  }

  deinit {
    if let backup { sqlite3_backup_finish(backup) }
  }

  /// The number of pages of the source; 0 before the first step. Must not be read after `finish`.
  public var pageCount: Int { Int(sqlite3_backup_pagecount(backup)) }
  /// The number of pages still to be copied; 0 before the first step. Must not be read after `finish`.
  public var remainingPages: Int { Int(sqlite3_backup_remaining(backup)) }

  /// Copies at most the given number of pages.
  /// - Returns: Whether pages are left.
  public func step(pages: Int32) throws(SQLiteError) -> Bool {
    let code = sqlite3_backup_step(backup, pages)
    if code == SQLITE_DONE { return false }
    // The destination handle does not have the error yet: SQLite sets it in `finish`.
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: "backup") }
    return true
  }

  /// Ends the copy. If all pages were copied, the destination has them; otherwise it gets its former contents.
  public func finish() throws(SQLiteError) {
    let code = sqlite3_backup_finish(backup)
    backup = nil
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: "backup") }
  }
}
