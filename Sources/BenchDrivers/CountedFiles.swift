internal import BenchResults
internal import CCountingVFS
internal import SQLiteBinding

/// Counts the bytes written and the syncs of one database's files, for all handles, with a SQLite VFS.
///
/// The first instance registers the VFS for every database that the process opens afterwards. Create an instance before
/// its database is opened; it counts as long as it exists.
// The memory behind the pointer is accessed only by atomic operations.
final class CountedFiles: @unchecked Sendable {
  private let account: OpaquePointer

  /// - Throws: `SQLiteError` if the VFS cannot be registered or the path is invalid.
  init(ofDatabaseAt path: String) throws(SQLiteError) {
    let code = ccountingvfs_register()
    guard code == 0 else {
      throw SQLiteError(code: code, message: "the VFS cannot be registered", operation: "count the writes to \(path)")
    }
    guard let account = ccountingvfs_hold(path) else {
      throw SQLiteError(code: 14, message: "the path is invalid", operation: "count the writes to \(path)")
    }
    self.account = account
  }

  var writes: FileWrites {
    FileWrites(
      wal: counts(CCOUNTINGVFS_WAL),
      database: counts(CCOUNTINGVFS_DATABASE),
      journal: counts(CCOUNTINGVFS_JOURNAL)
    )
  }

  private func counts(_ kind: ccountingvfs_kind) -> FileWrites.Counts {
    let counts = ccountingvfs_read(account, kind)
    return FileWrites.Counts(
      bytes: Int(counts.bytes),
      syncs: Int(counts.syncs),
      syncNanoseconds: Int(counts.sync_nanoseconds)
    )
  }

  deinit { ccountingvfs_release(account) }
}
