internal import BenchModel
internal import CCountingVFS
internal import SQLiteBinding

/// Counts what is written to the files of one database, whichever handle writes, by a VFS of SQLite.
///
/// Whoever makes the first puts that VFS below every database that this process opens from then on. It is to be made
/// before its database is opened, and counts as long as it is there.
// What it points to is read and written by atomic operations only.
final class CountedFiles: @unchecked Sendable {
  private let account: OpaquePointer

  /// - Throws: `SQLiteError` where the VFS cannot be put there, or the path is none.
  init(ofDatabaseAt path: String) throws(SQLiteError) {
    let code = ccountingvfs_register()
    guard code == 0 else {
      throw SQLiteError(code: code, message: "the VFS was refused", operation: "count the writes to \(path)")
    }
    guard let account = ccountingvfs_hold(path) else {
      throw SQLiteError(code: 14, message: "no such path can be", operation: "count the writes to \(path)")
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
