/// Touches of rows by their position in the view, for all observers. Observers and views are notified of a change; no
/// value is stored.
///
/// These calls throw `invalidArgument` unless the transaction is a read-write transaction. Indexes beyond the group's
/// rows are ignored.
extension YapDatabaseViewTransaction {
  public func touchObjects(inGroup group: String, range: Range<Int>? = nil) throws {
    try touch(group, in: range) { try $0.touchObject(forKey: $2, inCollection: $1) }
  }

  public func touchMetadata(inGroup group: String, range: Range<Int>? = nil) throws {
    try touch(group, in: range) { try $0.touchMetadata(forKey: $2, inCollection: $1) }
  }

  public func touchRows(inGroup group: String, range: Range<Int>? = nil) throws {
    try touch(group, in: range) { try $0.touchRow(forKey: $2, inCollection: $1) }
  }

  /// Collects all rows before it touches the first, because a touch may change a row's position.
  private func touch(
    _ group: String,
    in range: Range<Int>?,
    _ touch: (YapDatabaseReadWriteTransaction, _ collection: String, _ key: String) throws -> Void
  ) throws {
    let writing = try writing("rows of view \"\(name)\" were touched")
    var rows: [(collection: String, key: String)] = []
    try enumerateKeys(inGroup: group, range: range) { collection, key, _, _ in rows.append((collection, key)) }
    for row in rows { try touch(writing, row.collection, row.key) }
  }
}

/// Touches of a row in this view only: the commit reports the row as changed in this view, so that lists of the view
/// draw it again. Other views, caches and questions about keys are not concerned, and the closures are not called. A
/// row that the view does not contain is ignored.
///
/// These calls throw `invalidArgument` unless the transaction is a read-write transaction.
extension YapDatabaseViewTransaction {
  public func touchObject(forKey key: String, inCollection collection: String = "") throws {
    try touch(.objectTouched, key, in: collection)
  }

  public func touchMetadata(forKey key: String, inCollection collection: String = "") throws {
    try touch(.metadataTouched, key, in: collection)
  }

  public func touchRow(forKey key: String, inCollection collection: String = "") throws {
    try touch([.objectTouched, .metadataTouched], key, in: collection)
  }

  private func touch(_ change: KeyChange, _ key: String, in collection: String) throws {
    let writing = try writing("a row of view \"\(name)\" was touched")
    try writing.checkMayWrite()
    guard let rowid = try rowid(key, collection), try state.group(ofRow: rowid) != nil,
      let collection = writing.caches.collection(named: collection)
    else { return }
    let row = RowKey(collection: collection.number, key: ByteString(key))
    writing.upkeep?.noteTouch(change, of: row, rowid: rowid, inView: ByteString(name))
    writing.changes.changesExtensions = true
  }
}
