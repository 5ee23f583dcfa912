internal import SQLiteBinding

/// Reads that lend the stored bytes of keys and objects instead of copying them. The bytes are in SQLite's memory; the
/// compiler ensures that a span does not outlive its block.
///
/// As with `serializedObject`, codecs and caches are bypassed: the bytes are those at the transaction's snapshot,
/// including its own changes, whether or not a codec can decode them. The cheapest read of a value is to decode it
/// directly from the span:
///
///     let count = try transaction.withSerializedObject(forKey: "count") { $0.unsafeLoadUnaligned(as: Int32.self) }
///
/// A block may call the transaction, and begin further reads. The span does not change if the block changes the row.
extension YapDatabaseReadTransaction {
  /// Passes the stored bytes of the object for a key to `body`, and returns its result; nil if there is no such row.
  public final func withSerializedObject<Result>(
    forKey key: String,
    inCollection collection: String = "",
    _ body: (_ object: RawSpan) throws -> Result
  ) throws -> Result? {
    let handle = try handle()
    guard let collection = caches.collection(named: collection) else { return nil }
    return try handle.with(.object, collection: collection.number, key: key) { statement in
      try statement.step() ? try body(statement.bytes(at: 1).bytes) : nil
    }
  }

  /// Passes the stored bytes of each key, which are UTF-8, and of each object to `block`.
  ///
  /// A block that changes rows must set `stop`; otherwise the enumeration throws `mutatedDuringEnumeration`.
  public final func enumerateKeysAndSerializedObjects(
    inCollection collection: String = "",
    keys: YapDatabaseKeyRange = .all,
    using block: (_ key: RawSpan, _ object: RawSpan, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.objects, keys: keys, inCollection: collection) { key, row, _, stop in
      try block(key.bytes, row.bytes(at: 1).bytes, &stop)
    }
  }

  /// Passes the stored bytes of the objects for several keys to `block`, in the keys' order; nil for a key without a
  /// row. Keys may repeat. The block may change rows.
  public final func enumerateSerializedObjects(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ object: RawSpan?, _ stop: inout Bool) throws -> Void
  ) throws {
    try checkMayBeUsed()
    var stop = false
    for (index, key) in keys.enumerated() where !stop {
      let isFound: Void? = try withSerializedObject(forKey: key, inCollection: collection) { object in
        try block(index, object, &stop)
      }
      if isFound == nil { try block(index, nil, &stop) }
    }
  }
}
