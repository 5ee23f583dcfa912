/// Prepares values for the database: they are normalized, encoded, and carried to the caches of other connections.
extension YapDatabaseReadWriteTransaction {
  /// The name of a collection, and the sanitizers of its objects and its metadata.
  typealias Sanitizers = (name: ByteString, object: YapDatabaseSanitizer, metadata: YapDatabaseSanitizer)

  func sanitizers(for collection: String) throws -> Sanitizers {
    _ = try handle()
    let name = self.collection(named: collection)?.name ?? ByteString(collection)
    return (name, database.objectSanitizers[name], database.metadataSanitizers[name])
  }

  /// Returns the form of an object that is encoded, cached and carried; nil if the sanitizer returns nil.
  func storedForm(ofObject object: Any, _ key: String, _ sanitizers: Sanitizers) throws -> Any? {
    try storedForm(of: object, key, sanitizers.object, database.objectCodecs, sanitizers.name)
  }

  /// Returns the form of metadata that is encoded, cached and carried; nil if the sanitizer returns nil.
  func storedForm(ofMetadata metadata: Any, _ key: String, _ sanitizers: Sanitizers) throws -> Any? {
    try storedForm(of: metadata, key, sanitizers.metadata, database.metadataCodecs, sanitizers.name)
  }

  // Each copy of an untyped value costs some 50 instructions, so collections without a sanitizer, as most are, have a
  // separate path.
  @inline(__always)
  private func storedForm(
    of value: Any,
    _ key: String,
    _ sanitizer: YapDatabaseSanitizer,
    _ codecs: CodecTable,
    _ collection: ByteString
  ) throws -> Any? {
    guard let before = sanitizer.before else { return try normalized(value, key, codecs, collection) }
    guard let sanitized = try before(collection.text, key, value) else { return nil }
    return try normalized(sanitized, key, codecs, collection)
  }

  @inline(__always)
  private func normalized(_ value: Any, _ key: String, _ codecs: CodecTable, _ collection: ByteString) throws -> Any {
    if omissions.has(.skipsNormalization) { return value }
    return try codecs.normalized(value, forKey: key, in: collection)
  }

  /// Encodes an object unless its bytes are given, and passes the bytes to `write`.
  func encodeObject(
    _ object: Any,
    serialized: [UInt8]? = nil,
    of row: RowKey,
    in collection: CollectionName,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if let serialized {
      objectWatch?.forget(row)
      return try serialized.withUnsafeBytes(write)
    }
    try database.objectCodecs.encode(object, forKey: row.key.text, in: collection.name) { bytes in
      try write(bytes)
      objectWatch?.note(object, bytes, row, in: collection)
    }
  }

  /// Encodes metadata unless its bytes are given, and passes the bytes to `write`; nil if there is none.
  func encodeMetadata(
    _ metadata: Any?,
    serialized: [UInt8]? = nil,
    of row: RowKey,
    in collection: CollectionName,
    _ write: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let metadata, serialized == nil else {
      metadataWatch?.forget(row)
      guard metadata != nil, let serialized else { return try write(nil) }
      return try serialized.withUnsafeBytes { try write($0) }
    }
    try database.metadataCodecs.encode(metadata, forKey: row.key.text, in: collection.name) { bytes in
      try write(bytes)
      metadataWatch?.note(metadata, bytes, row, in: collection)
    }
  }

  /// Returns the value that the commit carries to other connections for a stored object; nil if they read it
  /// themselves.
  /// - Parameter bytes: the size of the encoded object.
  func carriedObject(_ object: Any, in collection: CollectionName, bytes: Int) -> CarriedValue? {
    let policy = caches.objects.policies.policy(for: collection.name)
    guard policy != .containment else { return nil }
    return CarriedValue(object, under: policy, encodedBytes: bytes, counters: caches.objects.counters)
  }

  func carriedMetadata(_ metadata: Any?, in collection: CollectionName, bytes: Int) -> CarriedValue? {
    let policy = caches.metadata.policies.policy(for: collection.name)
    guard policy != .containment else { return nil }
    return CarriedValue(metadata, under: policy, encodedBytes: bytes, counters: caches.metadata.counters)
  }
}
