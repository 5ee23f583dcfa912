/// Prepares values: they are sanitized, normalized, encoded, and put into the form that commits carry to other caches.
extension YapDatabaseReadWriteTransaction {
  /// A row that is stored, and its collection.
  struct StoredRow {
    let row: RowKey
    let collection: CollectionName

    @inline(__always)
    init(_ key: String, in collection: CollectionName) {
      row = RowKey(collection: collection.number, key: ByteString(key))
      self.collection = collection
    }
  }

  /// The name of a collection, and the sanitizers of its objects and its metadata.
  typealias Sanitizers = (name: ByteString, object: YapDatabaseSanitizer, metadata: YapDatabaseSanitizer)

  func sanitizers(for collection: String) throws -> Sanitizers {
    try checkMayBeUsed()
    let name = caches.collection(named: collection)?.name ?? ByteString(collection)
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

  private var watchesMutation: Bool { database.options.detectsMutationAfterSet }

  /// Forgets the watched values of a row, which others have replaced.
  func forgetWatched(_ row: RowKey) {
    objectWatch?.forget(row)
    metadataWatch?.forget(row)
  }

  /// Passes the bytes of an object to `write`.
  func withEncodedObject(
    _ object: Any,
    serialized: [UInt8]?,
    of stored: StoredRow,
    _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if let serialized {
      if watchesMutation { objectWatch?.forget(stored.row) }
      return try serialized.withUnsafeBytes(write)
    }
    guard watchesMutation else {
      return try database.objectCodecs.encode(object, forKey: stored.row.key.text, in: stored.collection.name, write)
    }
    try database.objectCodecs.encode(object, forKey: stored.row.key.text, in: stored.collection.name) { bytes in
      try write(bytes)
      objectWatch?.watch(object, bytes: bytes, row: stored.row, in: stored.collection)
    }
  }

  /// Passes the bytes of metadata to `write`; nil if there is none.
  func withEncodedMetadata(
    _ metadata: Any?,
    serialized: [UInt8]?,
    of stored: StoredRow,
    _ write: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let metadata, serialized == nil else {
      if watchesMutation { metadataWatch?.forget(stored.row) }
      guard metadata != nil, let serialized else { return try write(nil) }
      return try serialized.withUnsafeBytes { try write($0) }
    }
    guard watchesMutation else {
      return try database.metadataCodecs.encode(metadata, forKey: stored.row.key.text, in: stored.collection.name) {
        try write($0)
      }
    }
    try database.metadataCodecs.encode(metadata, forKey: stored.row.key.text, in: stored.collection.name) { bytes in
      try write(bytes)
      metadataWatch?.watch(metadata, bytes: bytes, row: stored.row, in: stored.collection)
    }
  }

  /// Lets the commit carry a stored object to other connections, unless they read it themselves.
  /// - Parameters:
  ///   - index: the index of the row's key in the collection's changes.
  ///   - bytes: the size of the encoded object.
  @inline(__always)
  func carry(_ object: Any, at index: Int, in collection: CollectionName, bytes: Int) {
    if mayCarry(caches.objectPolicy, in: collection) { carryObject(object, at: index, in: collection, bytes: bytes) }
  }

  /// The same for metadata; nil for a row without any.
  @inline(__always)
  func carry(metadata: Any?, at index: Int, in collection: CollectionName, bytes: Int) {
    guard mayCarry(caches.metadataPolicy, in: collection) else { return }
    carryMetadata(metadata, at: index, in: collection, bytes: bytes)
  }

  /// The same for a row without metadata.
  @inline(__always)
  func carryNoMetadata(at index: Int, in collection: CollectionName) {
    if mayCarry(caches.metadataPolicy, in: collection) { carryMetadata(nil, at: index, in: collection, bytes: 0) }
  }

  @inline(__always)
  private func mayCarry(_ policy: ConnectionPolicy, in collection: CollectionName) -> Bool {
    policy.policy(for: collection.name) != .containment || carriesValues
  }

  // Not inlined, because they are rarely called, and would make up most of the code of a store.

  @inline(never)
  private func carryObject(_ object: Any, at index: Int, in collection: CollectionName, bytes: Int) {
    let policy = caches.objectPolicy.policy(for: collection.name)
    let carried = CarriedValue(object, under: policy, encodedBytes: bytes, counters: caches.counters.objects)
    setCarried(carried, of: .object, at: index, in: collection)
  }

  @inline(never)
  private func carryMetadata(_ metadata: Any?, at index: Int, in collection: CollectionName, bytes: Int) {
    let policy = caches.metadataPolicy.policy(for: collection.name)
    let carried = CarriedValue(metadata, under: policy, encodedBytes: bytes, counters: caches.counters.metadata)
    setCarried(carried, of: .metadata, at: index, in: collection)
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
