internal import BenchResults
internal import CCountingVFS
internal import SQLiteBinding

/// Counts the writes and syncs of one database's files by all handles of the process, with a SQLite VFS.
///
/// The first instance registers the VFS for every database that the process opens afterwards. Must be created before
/// its database is opened. The counts begin at 0 unless another instance or an open handle has the same database.
// The counts behind the pointer are atomic.
final class CountedFiles: @unchecked Sendable {
  private let account: OpaquePointer

  /// - Throws: `SQLiteError` if the VFS cannot be registered, the path is invalid, or memory is exhausted.
  init(ofDatabaseAt path: String) throws(SQLiteError) {
    let code = ccountingvfs_register()
    guard code == 0 else {
      throw SQLiteError(code: code, message: "the VFS cannot be registered", operation: "count the writes to \(path)")
    }
    guard let account = ccountingvfs_hold(path) else {
      throw SQLiteError(code: 14, message: "the path cannot be resolved", operation: "count the writes to \(path)")
    }
    self.account = account
  }

  var writes: FileWrites {
    var writes = FileWrites.zero
    writes.wal = counts(CCOUNTINGVFS_WAL)
    writes.database = counts(CCOUNTINGVFS_DATABASE)
    writes.journal = counts(CCOUNTINGVFS_JOURNAL)
    return writes
  }

  private func counts(_ kind: ccountingvfs_kind) -> FileWrites.Counts {
    let read = ccountingvfs_read(account, kind)
    var counts = FileWrites.Counts.zero
    (counts.bytes, counts.syncs) = (Int(read.bytes), Int(read.syncs))
    counts.syncNanoseconds = Int(read.sync_nanoseconds)
    return counts
  }

  deinit { ccountingvfs_release(account) }
}
