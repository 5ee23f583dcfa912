internal import CFaultVFS
package import SQLiteBinding

/// Files whose changes are recorded, and whose calls can be made to fail: of one database, of a folder, or all.
///
/// The first instance makes the VFS "fault" the default of the process. A scope covers the files that are opened after
/// it was made; without a scope, files are opened as by SQLite's own VFS. The scope ends with the instance, after which
/// files that are still open work as without it.
// The functions of CFaultVFS lock.
package final class FileScope: @unchecked Sendable {
  let pointer: OpaquePointer

  /// - Parameter prefix: The beginning of the full paths: the path of a database, or a folder with a trailing slash. If
  ///   it is empty, the scope covers all files of the process, including temporary ones.
  /// - Throws: `SQLiteError` if the VFS cannot be registered, the path cannot be resolved, or memory is exhausted.
  package init(prefix: String) throws(SQLiteError) {
    let operation = "watch the files that begin with \"\(prefix)\""
    let code = cfaultvfs_register()
    guard code == 0 else {
      throw SQLiteError(code: code, message: "the VFS cannot be registered", operation: operation)
    }
    guard let pointer = cfaultvfs_begin_scope(prefix) else {
      throw SQLiteError(code: SQLiteCode.cannotOpen, message: "the path cannot be resolved", operation: operation)
    }
    self.pointer = pointer
  }

  deinit { cfaultvfs_end_scope(pointer) }

  /// Makes each sync take this time longer, as on a slow disk.
  func delaySyncs(microseconds: UInt32) { cfaultvfs_set_sync_delay(pointer, microseconds) }
}
