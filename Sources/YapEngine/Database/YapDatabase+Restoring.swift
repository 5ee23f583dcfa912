internal import Glibc
internal import SQLiteBinding

extension YapDatabase {
  /// Replaces the database at `path` by a backup.
  ///
  /// The backup is copied to `<path>.partial` and checked there completely. Then the copy replaces the file at `path`
  /// in one step, and the former `-wal`, `-shm` and `-journal` are deleted. Even if the call is interrupted, the file
  /// at `path` is either the former database or the restored one. If the call is interrupted before the former WAL is
  /// deleted, opening throws `foreignWAL`; call `restore` again. The former database is deleted: copy or rename its
  /// files before, if they may still be needed.
  ///
  /// The restored database has the permissions of the former one, and an id of its own, so that no WAL of the backup or
  /// of the former database is taken for its own. It is on the disk when the call returns. The backup is not changed,
  /// and may be on a read-only file system.
  ///
  ///     let snapshot = try YapDatabase.restore(from: "/backups/monday.sqlite", to: "/var/lib/app/db.sqlite")
  /// - Parameters:
  ///   - backup: the path of a file that `backup(to:)` has made, or of another database file with its WAL, if it has
  ///     one, beside it.
  ///   - path: the path of the database, whose folder must exist. There need not be a file.
  /// - Returns: the number of the newest commit in the restored database.
  /// - Throws: `alreadyOpen` if this process has one of the two open, or another has it open for writing;
  ///   `invalidArgument` if the backup does not exist, or is the database itself; `incompatible` if another program or
  ///   a later version wrote the backup; `corrupt` if the backup is damaged; `foreignWAL` if the WAL beside the backup
  ///   belongs to another database; the error of SQLite or the file system. Unless the message says otherwise, the
  ///   database at `path` is unchanged.
  @discardableResult
  public static func restore(from backup: String, to path: String) throws -> UInt64 {
    let (source, target) = (try DatabasePath.resolve(backup), try DatabasePath.resolve(path))
    guard let identity = FileIdentity(path: source) else {
      throw YapDatabaseError(.invalidArgument, "the backup \(source) does not exist: give the path of a backup")
    }
    guard FileIdentity(path: target) != identity else {
      throw YapDatabaseError(.invalidArgument, "\(source) and \(target) are the same file: give the path of a backup")
    }
    try checkIsClosed(source)
    try checkIsClosed(target)
    // While the claim is held, no thread of this process opens the backup and drops SQLite's locks.
    let claim = try OwnedFile.claimForReading(source)
    defer { claim.release() }
    let replaced = DatabasePath.exists(target)
    // If there is no file, an empty one is created for the lock, and removed if the restore fails.
    let owned = try OwnedFile.acquireIfFree(target)
    defer { owned.abandon() }
    let permissions = try (replaced ? owned : claim).status()
    let copy = try PartialCopy(target, replacesTarget: true, permissionsOf: permissions)
    // The copy's lock keeps other processes from opening it until the former side files are deleted.
    defer { withExtendedLifetime(copy) {} }
    let snapshot = try restore(source, by: copy)
    // SQLite would roll a journal back into the restored file. The engine's files have one only while they are created.
    unlink(target + "-journal")
    try copy.complete()
    // If this is interrupted, a WAL that remains is detected as foreign.
    for suffix in PartialCopy.sideSuffixes { unlink(target + suffix) }
    try PartialCopy.syncFolder(of: target)
    return snapshot
  }

  /// Copies the backup, and checks the copy.
  /// - Returns: the number of the newest commit.
  private static func restore(_ source: String, by copy: PartialCopy) throws -> UInt64 {
    let file = ReadOnlyFile(source)
    try file.check()
    do {
      let alone = file.parts == .fileAndWAL ? FileWithoutWAL(path: source) : .unknown
      let handle = try file.open()
      try alone.check(handle, path: source)
      guard try handle.integer("SELECT count(*) FROM sqlite_master") ?? 0 > 0 else {
        throw YapDatabaseError(.incompatible, "\(source) is an empty file: give the path of a backup")
      }
      try Schema.check(handle, path: source)
      var snapshot: UInt64 = 0
      try handle.execute("BEGIN; SELECT 1 FROM snapshot")
      try copy.write(from: handle, pagesPerStep: 10_000, check: { snapshot = try check($0, of: source) })
      // Another process may have opened the source and written to it, which the checks of the copy need not detect.
      try file.checkIsUnchanged()
      return snapshot
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  /// Checks the copy of a backup.
  /// - Returns: the number of the newest commit.
  private static func check(_ copy: SQLiteHandle, of source: String) throws -> UInt64 {
    let integrity = try copy.text("PRAGMA integrity_check(1)")
    guard integrity == "ok" else {
      let found = integrity ?? "no result"
      throw YapDatabaseError(.corrupt, "the backup \(source) is damaged (\(found)): restore an earlier backup")
    }
    guard let number = try copy.integer("SELECT number FROM snapshot WHERE id = 1"), number >> 62 == 0 else {
      throw YapDatabaseError(.corrupt, "the backup \(source) has no snapshot number: restore an earlier backup")
    }
    return UInt64(number)
  }
}
