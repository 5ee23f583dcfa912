/// Passes changes of rows to the extensions. If there are no extensions, `upkeep` is nil, and that check is the only
/// cost.
///
/// If an update of the extensions fails, the transaction has to be rolled back: the rows are changed already, but the
/// extensions only in part.
extension YapDatabaseReadWriteTransaction {
  /// - Parameter states: The extensions of the commit on which the transaction builds.
  func beginUpkeep(_ states: ExtensionStates?) {
    upkeep = states.flatMap { $0.registered.isEmpty ? nil : ExtensionUpkeep($0, for: self) }
  }

  /// Updates the extensions after a row was stored, changed or touched.
  /// - Parameters:
  ///   - rowid: nil if it is not known.
  ///   - parts: The parts that are passed in `object` and `metadata`.
  func notifyExtensions(
    _ change: KeyChange,
    _ row: RowKey,
    _ collection: CollectionName,
    rowid: Int64? = nil,
    parts: RowParts = [],
    object: Any? = nil,
    metadata: Any? = nil
  ) throws {
    guard let upkeep else { return }
    try failTransactionOnError {
      guard let rowid = try rowid ?? self.rowid(of: row) else { return }
      let row = ViewedRow(
        rowid: rowid,
        row: row,
        collection: collection.name,
        parts: parts,
        object: object,
        metadata: metadata
      )
      try upkeep.didStore(row, change)
    }
  }

  /// Returns the rows of a collection that is about to be cleared; empty if there are no extensions.
  func rowsForExtensions(of collection: CollectionName) throws -> [Int64: RowKey] {
    guard upkeep != nil else { return [:] }
    var rows: [Int64: RowKey] = [:]
    try enumerateViewedRows(inCollection: collection.name, []) { rows[$0.rowid] = $0.row }
    return rows
  }

  /// Throws `writeInView` while closures of an extension run: they may read in the transaction, but not write.
  func checkMayWrite() throws {
    guard upkeep?.isWorking == true else { return }
    throw YapDatabaseError(
      .writeInView,
      "a closure of a view tried to change the database, but it may only read: make the change outside the closure"
    )
  }

  /// Stores the changes of the extensions. If rows were changed or touched, also removes the stored contents of
  /// extensions that are not registered. Has to be called after the last change and before the commit.
  /// - Returns: The extensions that the commit carries; nil if the transaction changes no extension.
  func finishExtensions() throws -> ExtensionSnapshot? {
    if changes.concernsRows { try database.writer.removeLeftOvers(connection.follower.adopted?.states) }
    return try upkeep?.finish(&changes, database.writer.handle)
  }
}
