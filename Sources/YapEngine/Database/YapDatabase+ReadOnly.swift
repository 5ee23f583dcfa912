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

  /// Creates a connection with a list of commits and names of collections of its own. Both describe the newest
  /// snapshot.
  func connectionForReadingOnly(
    id: ConnectionID,
    name: String,
    handle: EngineHandle,
    settings: YapDatabaseConnectionDefaults
  ) throws -> YapDatabaseConnection {
    try handle.run(.begin)
    defer { handle.rollbackIfNeeded() }
    let commit = Commit(snapshot: try handle.storedSnapshot(), origin: nil, previous: nil)
    let names = CollectionNames(try handle.collections(path: path))
    let connection = YapDatabaseConnection(
      database: self,
      id: id,
      name: name,
      handle: handle,
      commit: commit,
      settings: settings
    )
    connection.caches.names = names
    return connection
  }

  /// Checks that nothing has changed the file, if it is read without its WAL and without locks.
  /// - Throws: `snapshotLost`.
  func checkFileAtRest() throws(YapDatabaseError) { try readOnlyFile?.checkIsUnchanged() }
}
