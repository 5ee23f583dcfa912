/// Touches of rows by their position in a view. Observers and views are notified of a change; nothing is stored.
///
/// These calls throw `invalidArgument` unless the transaction is a read-write transaction. Indexes beyond the group's
/// rows are ignored.
extension YapDatabaseViewTransaction {
  public func touchObjects(inGroup group: String, range: Range<Int>? = nil) throws {
    try touch(group, range) { try $0.touchObject(forKey: $2, inCollection: $1) }
  }

  public func touchMetadata(inGroup group: String, range: Range<Int>? = nil) throws {
    try touch(group, range) { try $0.touchMetadata(forKey: $2, inCollection: $1) }
  }

  public func touchRows(inGroup group: String, range: Range<Int>? = nil) throws {
    try touch(group, range) { try $0.touchRow(forKey: $2, inCollection: $1) }
  }

  /// Collects all rows before it touches the first, because a touch may change a row's position.
  private func touch(
    _ group: String,
    _ range: Range<Int>?,
    _ touch: (YapDatabaseReadWriteTransaction, _ collection: String, _ key: String) throws -> Void
  ) throws {
    guard let writing = transaction as? YapDatabaseReadWriteTransaction else {
      throw YapDatabaseError(
        .invalidArgument,
        "rows of view \"\(name)\" were touched in a read transaction: use readWrite"
      )
    }
    var rows: [(collection: String, key: String)] = []
    try enumerateKeys(inGroup: group, range: range) { collection, key, _, _ in rows.append((collection, key)) }
    for row in rows { try touch(writing, row.collection, row.key) }
  }
}
