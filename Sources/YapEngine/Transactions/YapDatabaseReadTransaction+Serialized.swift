internal import SQLiteBinding

/// The stored bytes at the transaction's snapshot. Codecs and caches are bypassed: cached values are not used, values
/// are not cached, and the caches' counters do not change.
extension YapDatabaseReadTransaction {
  /// The stored bytes of the object for a key; nil if there is no such row.
  public final func serializedObject(forKey key: String, inCollection collection: String = "") throws -> [UInt8]? {
    let handle = try handle()
    guard let collection = self.collection(named: collection) else { return nil }
    return try handle.with(.object, collection: collection.number, key: key) { statement in
      try statement.step() ? [UInt8](statement.bytes(at: 1)) : nil
    }
  }

  /// The stored bytes of the metadata for a key; nil if there is no such row, or it has none.
  public final func serializedMetadata(forKey key: String, inCollection collection: String = "") throws -> [UInt8]? {
    let handle = try handle()
    guard let collection = self.collection(named: collection) else { return nil }
    return try handle.with(.metadata, collection: collection.number, key: key) { statement in
      guard try statement.step(), !statement.isNull(at: 1) else { return nil }
      return [UInt8](statement.bytes(at: 1))
    }
  }

  /// The stored bytes of object and metadata for a key; nil if there is no such row.
  public final func serializedRow(
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    let handle = try handle()
    guard let collection = self.collection(named: collection) else { return nil }
    return try handle.with(.row, collection: collection.number, key: key) { statement in
      guard try statement.step() else { return nil }
      return ([UInt8](statement.bytes(at: 1)), statement.isNull(at: 2) ? nil : [UInt8](statement.bytes(at: 2)))
    }
  }
}
