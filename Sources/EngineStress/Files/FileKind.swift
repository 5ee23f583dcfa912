/// The kinds of files that SQLite opens through its VFS, with the numbers of `cfaultvfs_kind`.
package enum FileKind: UInt32, Sendable, CaseIterable {
  case database
  case wal
  /// A rollback journal. In WAL mode only a new database, or one that leaves the mode, has one.
  case journal
  /// A temporary file, which is never recorded. Those without a name belong only to a scope of all files.
  case other
}
