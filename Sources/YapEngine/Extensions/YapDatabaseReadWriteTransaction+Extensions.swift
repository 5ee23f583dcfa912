/// How changes of rows reach the extensions. Where there are none, `upkeep` is nil, and that is all that is asked.
///
/// What fails in here dooms the transaction: the rows are changed already, and the extensions not wholly.
extension YapDatabaseReadWriteTransaction {
  /// - Parameter states: those of the commit on which the transaction builds.
  func beginUpkeep(_ states: ExtensionStates?) {
    upkeep = states.flatMap { $0.registered.isEmpty ? nil : ExtensionUpkeep($0, for: self) }
  }

  /// A row was stored, changed or touched.
  /// - Parameters:
  ///   - rowid: nil where it is not known.
  ///   - parts: which of `object` and `metadata` are given.
  func tellExtensions(
    _ change: KeyChange,
    _ row: RowKey,
    _ collection: CollectionName,
    rowid: Int64? = nil,
    parts: RowParts = [],
    object: Any? = nil,
    metadata: Any? = nil
  ) throws {
    guard let upkeep else { return }
    try dooming {
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

  /// The rows of a collection that is about to be cleared; none where nobody wants to know.
  func rowsForExtensions(of collection: CollectionName) throws -> [Int64: RowKey] {
    guard upkeep != nil else { return [:] }
    var rows: [Int64: RowKey] = [:]
    try enumerateViewedRows(inCollection: collection.name, []) { rows[$0.rowid] = $0.row }
    return rows
  }

  /// Closures of extensions may read in the transaction that changes a row, and not change it further.
  func checkMayWrite() throws {
    guard upkeep?.isWorking == true else { return }
    throw YapDatabaseError(
      .writeInView,
      "a closure of a view has tried to change the database: it may read only; change what it needs before or after"
    )
  }

  /// To be called when all is changed, before the commit.
  /// - Returns: what the commit carries; nil where extensions are as they were.
  func finishExtensions() throws -> ExtensionSnapshot? {
    if changes.concernsRows { try database.writer.removeLeftOvers(connection.adopted?.states) }
    return try upkeep?.finish(&changes, database.writer.handle)
  }
}
