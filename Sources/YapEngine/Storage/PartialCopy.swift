internal import CPlatform
internal import Glibc
internal import SQLiteBinding

/// The copy of a database, under the name `<path>.partial` until it is complete.
///
/// The file at the target is a complete database or the former one, even if the process ends. The owner's lock on the
/// partial file keeps out other copies to the same target. If the copy is not completed, it is deleted with its object.
final class PartialCopy {
  /// The path of the complete copy, absolute, because the working folder may change before it is complete.
  let target: String
  /// The path of the incomplete copy.
  let path: String
  private let owned: OwnedFile
  /// Whether the file has its final name. Another copy may have the partial name then.
  private var isComplete = false
  private let replacesTarget: Bool

  /// The files that SQLite takes for a part of the database beside them.
  static let sideSuffixes = ["-wal", "-shm", "-journal"]

  /// Begins a copy to a path at which there is no file.
  /// - Parameter source: The status of the file whose permissions the copy gets.
  /// - Throws: `invalidArgument` if the path is not free, or no database can be there; `alreadyOpen` if a process is
  ///   copying to the path; `storage`.
  convenience init(newFileAt path: String, permissionsOf source: stat) throws(YapDatabaseError) {
    _ = try DatabasePath.resolve(path)
    let target = Self.absolute(path)
    for suffix in [""] + Self.sideSuffixes where DatabasePath.exists(target + suffix) {
      throw YapDatabaseError(
        .invalidArgument,
        suffix.isEmpty
          ? "\(target) exists already: choose a new file for the backup"
          : "\(target)\(suffix) belongs to an earlier file at \(target), and SQLite would apply it to the backup: move "
            + "it away or delete it, or choose another path for the backup"
      )
    }
    try self.init(target, replacesTarget: false, permissionsOf: source)
  }

  /// Begins a copy to `target`.
  /// - Parameter replacesTarget: Whether the copy replaces the file at `target`, if there is one.
  init(_ target: String, replacesTarget: Bool, permissionsOf source: stat) throws(YapDatabaseError) {
    self.target = target
    self.replacesTarget = replacesTarget
    path = target + ".partial"
    _ = try DatabasePath.resolve(path)
    do { owned = try OwnedFile.acquireIfFree(path) } catch {
      guard error.code == .alreadyOpen else { throw error }
      throw YapDatabaseError(.alreadyOpen, "another copy to \(target) is being written: \(error.message)")
    }
    try empty(permissionsOf: source)
  }

  deinit {
    if !isComplete {
      for suffix in Self.sideSuffixes + [""] { unlink(path + suffix) }
    }
    owned.release()
  }

  /// Empties the file, in which an interrupted copy may have left something. While it has contents, it has no more
  /// permissions than its source. SQLite gives them to the side files. A name is not removed from the file, because the
  /// file is locked.
  private func empty(permissionsOf source: stat) throws(YapDatabaseError) {
    for suffix in Self.sideSuffixes { unlink(path + suffix) }
    guard truncate(path, 0) == 0 else { throw failure("emptied") }
    // Only root can give a file away, and some file systems have no owners. The permissions then apply to this user.
    _ = chown(path, source.st_uid, source.st_gid)
    guard chmod(path, source.st_mode & 0o777) == 0 else { throw failure("given its permissions") }
  }

  /// Copies a database, and gives the copy an id of its own, so that no WAL of the source is taken for the copy's.
  /// - Parameters:
  ///   - source: If a read transaction is open, all pages are of its snapshot.
  ///   - check: Called with a handle of the complete copy.
  func write(
    from source: SQLiteHandle,
    pagesPerStep: Int,
    progress: (YapDatabaseBackupProgress) throws -> Void = { _ in },
    check: (SQLiteHandle) throws -> Void = { _ in }
  ) throws {
    do {
      let destination = try SQLiteHandle(path: path)
      let backup = try SQLiteBackup(from: source, to: destination)
      var isLeft = true
      while isLeft {
        isLeft = try backup.step(pages: Int32(clamping: max(pagesPerStep, 1)))
        let total = backup.pageCount
        try progress(YapDatabaseBackupProgress(copiedPages: total - backup.remainingPages, totalPages: total))
      }
      try backup.finish()
      try destination.execute(Schema.newID)
      _ = try destination.checkpoint(.truncate)
      try check(destination)
      try destination.close()
    } catch let error as SQLiteError {
      let error = YapDatabaseError(error)
      throw YapDatabaseError(
        error.code,
        "the copy to \(target) failed, and has left no file: \(error.message)",
        sqliteCode: error.sqliteCode
      )
    }
  }

  /// Moves the copy to the target, and returns once that is on the disk.
  func complete() throws(YapDatabaseError) {
    guard (replacesTarget ? rename(path, target) : cplatform_rename_to_new(path, target)) == 0 else {
      guard errno == EEXIST else { throw failure("renamed to \(target)") }
      throw YapDatabaseError(.invalidArgument, "\(target) was created meanwhile: choose a new file for the backup")
    }
    isComplete = true
    try Self.syncFolder(of: target)
  }

  /// Waits until the names of the files in the folder are on the disk.
  static func syncFolder(of path: String) throws(YapDatabaseError) {
    let folder = DatabasePath.folder(of: path)
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    // Some file systems do not support the sync of a folder.
    if descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL { return }
    throw YapDatabaseError(
      .storage,
      "\(path) is complete, but the folder cannot be synced: \(String(cString: strerror(errno))). A loss of power may "
        + "undo the copy; check the disk"
    )
  }

  /// Returns the path with the folder resolved. The folder exists.
  static func absolute(_ path: String) -> String {
    let folder = DatabasePath.folder(of: path)
    guard let resolved = realpath(folder, nil) else { return path }
    defer { free(resolved) }
    return DatabasePath.join(String(cString: resolved), DatabasePath.lastName(of: path))
  }

  private func failure(_ attempt: String) -> YapDatabaseError {
    YapDatabaseError(
      .storage,
      "\(path) cannot be \(attempt): \(String(cString: strerror(errno))). Check the folder and its permissions"
    )
  }
}
