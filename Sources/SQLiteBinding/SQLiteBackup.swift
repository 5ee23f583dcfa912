internal import CSQLite

/// Copies one database to another page by page: https://sqlite.org/c3ref/backup_finish.html
///
/// With a read transaction open on the source, all pages are of that transaction's snapshot, whoever writes meanwhile.
/// Used by the thread that uses both handles.
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

  /// Pages of the source; known after the first step.
  public var pageCount: Int { Int(sqlite3_backup_pagecount(backup)) }
  /// Pages that are still to be copied; known after the first step.
  public var remainingPages: Int { Int(sqlite3_backup_remaining(backup)) }

  /// Copies up to so many pages.
  /// - Returns: whether pages are left.
  public func step(pages: Int32) throws(SQLiteError) -> Bool {
    let code = sqlite3_backup_step(backup, pages)
    if code == SQLITE_DONE { return false }
    // The destination has not been told of the error yet: that comes with the end.
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: "backup") }
    return true
  }

  /// Ends the copy; the destination is committed if all pages have been copied, and otherwise as it was.
  public func finish() throws(SQLiteError) {
    let code = sqlite3_backup_finish(backup)
    backup = nil
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: "backup") }
  }
}
