/// Prepares values: they are sanitized, normalized, encoded, and put into the form that commits carry to other caches.
extension YapDatabaseReadWriteTransaction {
  /// The name of a collection, and the sanitizers of its objects and its metadata.
  typealias Sanitizers = (name: ByteString, object: YapDatabaseSanitizer, metadata: YapDatabaseSanitizer)

  func sanitizers(for collection: String) throws -> Sanitizers {
    _ = try handle()
    let name = self.collection(named: collection)?.name ?? ByteString(collection)
    return (name, database.objectSanitizers[name], database.metadataSanitizers[name])
  }

  /// Returns the form of an object that is encoded, cached and carried; nil if the sanitizer returns nil.
  func storedForm(ofObject object: Any, key: String, by sanitizers: Sanitizers) throws -> Any? {
    try storedForm(of: object, key: key, by: sanitizers.object, codecs: database.objectCodecs, in: sanitizers.name)
  }

  /// Returns the form of metadata that is encoded, cached and carried; nil if the sanitizer returns nil.
  func storedForm(ofMetadata metadata: Any, key: String, by sanitizers: Sanitizers) throws -> Any? {
    try storedForm(
      of: metadata,
      key: key,
      by: sanitizers.metadata,
      codecs: database.metadataCodecs,
      in: sanitizers.name
    )
  }

  // Each copy of an untyped value costs some 50 instructions, so collections without a sanitizer, as most are, have a
  // separate path.
  @inline(__always)
  private func storedForm(
    of value: Any,
    key: String,
    by sanitizer: YapDatabaseSanitizer,
    codecs: CodecTable,
    in collection: ByteString
  ) throws -> Any? {
    guard let before = sanitizer.before else { return try codecs.normalized(value, forKey: key, in: collection) }
    guard let sanitized = try before(collection.text, key, value) else { return nil }
    return try codecs.normalized(sanitized, forKey: key, in: collection)
  }

  /// Passes the bytes of an object to `write`.
  func withEncodedObject(
    _ object: Any,
    serialized: [UInt8]?,
    row: RowKey,
    in collection: CollectionName,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if let serialized {
      objectWatch?.forget(row)
      return try serialized.withUnsafeBytes(write)
    }
    try database.objectCodecs.encode(object, forKey: row.key.text, in: collection.name) { bytes in
      try write(bytes)
      objectWatch?.watch(object, bytes: bytes, row: row, in: collection)
    }
  }

  /// Passes the bytes of metadata to `write`; nil if there is none.
  func withEncodedMetadata(
    _ metadata: Any?,
    serialized: [UInt8]?,
    row: RowKey,
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
      metadataWatch?.watch(metadata, bytes: bytes, row: row, in: collection)
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

/// Finds values that were mutated after they had been stored.
///
/// The bytes of such a value differ from those on disk, while the writer's cache, and under share the caches of other
/// connections, return the mutated value. A value can change if it is, or holds, an instance of a class, so every value
/// that the transaction encodes is watched, unless its type is known to be immutable.
struct MutationWatch {
  private struct Stored {
    let value: Any
    let bytes: [UInt8]
    let collection: ByteString
  }

  private let codecs: CodecTable
  private let noun: String
  private var stored: [RowKey: Stored] = [:]

  /// - Parameter noun: the word for the values in errors.
  init(_ codecs: CodecTable, noun: String) {
    self.codecs = codecs
    self.noun = noun
  }

  mutating func watch(_ value: Any, bytes: UnsafeRawBufferPointer, row: RowKey, in collection: CollectionName) {
    guard !DeclaredTypes.areImmutable(type(of: value)) else { return stored[row] = nil }
    stored[row] = Stored(value: value, bytes: [UInt8](bytes), collection: collection.name)
  }

  mutating func forget(_ row: RowKey) { stored[row] = nil }

  /// Encodes again every watched value that is to be committed, and compares the bytes.
  /// - Parameter change: the watched part of a row, as `changes` records it.
  /// - Throws: `mutatedAfterSet` if the bytes of a value differ from those that were stored; the error of its codec.
  func check(_ changes: ChangeSet, _ change: KeyChange) throws {
    for (row, stored) in stored {
      guard changes.collections[stored.collection]?.keys[row.key]?.contains(change) == true else { continue }
      var isSame = false
      try codecs.encode(stored.value, forKey: row.key.text, in: stored.collection) {
        isSame = $0.elementsEqual(stored.bytes)
      }
      if isSame { continue }
      throw YapDatabaseError(
        .mutatedAfterSet,
        "the \(noun) for key \"\(row.key.text)\" in collection \"\(stored.collection.text)\", of type "
          + "\(type(of: stored.value)), was mutated after it had been stored, or its codec returns other bytes each "
          + "time: mutate a copy, and store the copy; the transaction was rolled back"
      )
    }
  }
}
