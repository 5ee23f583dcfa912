/// A database that was opened with `YapDatabaseOptions.isReadOnly`.
///
/// It has no writer and no checkpointer, and no owner's lock, because other processes may write the file. Each
/// connection has a list of commits of its own: whenever its next snapshot has another number than its last, a commit
/// without known changes is added to the list.
extension YapDatabase {
  /// - Throws: `readOnly` if the database is only read.
  func checkMayWrite(_ call: String) throws(YapDatabaseError) {
    guard options.isReadOnly else { return }
    throw YapDatabaseError(
      .readOnly,
      "\(call) would change \(path), which was opened with the option isReadOnly: open it without the option"
    )
  }

  /// Returns the beginning of a connection's own list of commits, and its own names of collections. Both describe the
  /// newest snapshot.
  func stateForReadingOnly(_ handle: EngineHandle) throws -> (commit: Commit, names: CollectionNames) {
    defer { handle.rollbackIfNeeded() }
    let commit = Commit(snapshot: try beginReading(handle), origin: nil, previous: nil)
    return (commit, CollectionNames(try handle.collections(path: path)))
  }

  /// Begins a transaction, and returns the number of its snapshot.
  func beginReading(_ handle: EngineHandle) throws -> UInt64 {
    try ReadOnlyFile.awaitingIndex(options) {
      handle.rollbackIfNeeded()
      try handle.run(.begin)
      return try handle.storedSnapshot()
    }
  }

  /// Checks that nothing has changed the file, if it is read without its WAL and without locks.
  /// - Throws: `snapshotLost`.
  func checkFileAtRest() throws(YapDatabaseError) { try readOnlyFile?.checkIsUnchanged() }
}
