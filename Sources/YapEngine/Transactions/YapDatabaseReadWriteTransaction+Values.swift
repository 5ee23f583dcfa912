/// The way of a value into the database: normalized, encoded, and carried to the caches of other connections.
extension YapDatabaseReadWriteTransaction {
  /// Returns the form of an object or metadata that is encoded, cached and carried; nil for none, and if the sanitizer
  /// returns nil.
  func normalized(
    _ value: Any?,
    _ key: String,
    sanitizer: YapDatabaseSanitizer,
    codecs: CodecTable,
    collection: ByteString
  ) throws -> Any? {
    guard let value, let sanitized = try sanitizer.sanitized(value, collection.text, key) else { return nil }
    if database.options.testHooks.has(.skipsNormalization) { return sanitized }
    return try codecs.normalized(sanitized, collection, key)
  }

  /// Passes the bytes of an object to `write`.
  func encodedObject(
    _ object: Any,
    _ serialized: [UInt8]?,
    _ row: RowKey,
    _ collection: CollectionName,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if let serialized {
      objectWatch?.forget(row)
      return try serialized.withUnsafeBytes(write)
    }
    try database.objectCodecs.encode(object, collection.name, row.key.text) { bytes in
      try write(bytes)
      objectWatch?.note(object, bytes, row, in: collection)
    }
  }

  /// Passes the bytes of metadata to `write`; nil where there is none.
  func encodedMetadata(
    _ metadata: Any?,
    _ serialized: [UInt8]?,
    _ row: RowKey,
    _ collection: CollectionName,
    _ write: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let metadata, serialized == nil else {
      metadataWatch?.forget(row)
      guard metadata != nil, let serialized else { return try write(nil) }
      return try serialized.withUnsafeBytes { try write($0) }
    }
    try database.metadataCodecs.encode(metadata, collection.name, row.key.text) { bytes in
      try write(bytes)
      metadataWatch?.note(metadata, bytes, row, in: collection)
    }
  }

  /// Returns what the commit carries of a stored object to other connections; nil where they read it themselves.
  /// - Parameter bytes: its encoded size.
  func carriedObject(_ object: Any, in collection: CollectionName, bytes: Int) -> CarriedValue? {
    let policy = caches.objects.policies.policy(for: collection.name)
    return CarriedValue(object, policy, encodedBytes: bytes, caches.objects.counters, database.options.testHooks)
  }

  func carriedMetadata(_ metadata: Any?, in collection: CollectionName, bytes: Int) -> CarriedValue? {
    let policy = caches.metadata.policies.policy(for: collection.name)
    return CarriedValue(metadata, policy, encodedBytes: bytes, caches.metadata.counters, database.options.testHooks)
  }
}
