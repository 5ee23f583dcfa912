/// Touching rows by their place in a view: told to observers and to views as a change; nothing is stored.
///
/// For read-write transactions; in another they throw `invalidArgument`. Indexes that the group does not have are left
/// out.
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

  /// The rows first: what is touched may change its place.
  private func touch(
    _ group: String,
    _ range: Range<Int>?,
    _ touch: (YapDatabaseReadWriteTransaction, _ collection: String, _ key: String) throws -> Void
  ) throws {
    guard let writing = transaction as? YapDatabaseReadWriteTransaction else {
      throw YapDatabaseError(
        .invalidArgument,
        "rows of view \"\(name)\" were touched in a transaction that only reads: use readWrite"
      )
    }
    var rows: [(collection: String, key: String)] = []
    try enumerateKeys(inGroup: group, range: range) { collection, key, _, _ in rows.append((collection, key)) }
    for row in rows { try touch(writing, row.collection, row.key) }
  }
}
