internal import SQLiteBinding

extension YapDatabaseReadWriteTransaction {
  // MARK: Storing

  /// Stores a row, or replaces the existing one. Without `metadata`, the row has none afterwards.
  /// - Parameters:
  ///   - object: nil removes the row, and so does a sanitizer that returns nil.
  ///   - key: any text. Keys are distinguished by their bytes.
  ///   - collection: any text, distinguished by its bytes.
  ///   - metadata: nil for none. A sanitizer that returns nil removes it.
  ///   - serializedObject: the encoded object, if the caller has it: the codec does not encode the object then. The
  ///     caller guarantees that the bytes are those that the codec would return for the sanitized object.
  ///   - serializedMetadata: the encoded metadata, under the same conditions.
  // The values are consumed, because a copy of an optional untyped value takes longer than most other steps.
  public func setObject(
    _ object: consuming Any?,
    forKey key: String,
    inCollection collection: String = "",
    withMetadata metadata: consuming Any? = nil,
    serializedObject: [UInt8]? = nil,
    serializedMetadata: [UInt8]? = nil
  ) throws {
    guard let object = consume object else { return try removeObject(forKey: key, inCollection: collection) }
    let serialized = (serializedObject, serializedMetadata)
    if let metadata = consume metadata {
      return try store(object, metadata: metadata, serialized: serialized, forKey: key, inCollection: collection)
    }
    if !database.hasSanitizers,
      let bytes = database.objectCodecs.ownBytes(of: object, inCollection: collection)
    {
      return try store(consume object, bytes: serializedObject ?? bytes, forKey: key, inCollection: collection)
    }
    try store(object, metadata: nil, serialized: serialized, forKey: key, inCollection: collection)
  }

  /// Stores a row whose values need not have their stored form.
  private func store(
    _ object: Any,
    metadata: Any?,
    serialized: (object: [UInt8]?, metadata: [UInt8]?),
    forKey key: String,
    inCollection collection: String
  ) throws {
    let sanitizers = try sanitizers(for: collection)
    guard let object = try storedForm(ofObject: object, key: key, by: sanitizers) else {
      return try removeObject(forKey: key, inCollection: collection)
    }
    let metadata = try metadata.flatMap { try storedForm(ofMetadata: $0, key: key, by: sanitizers) }
    try change { handle in
      let stored = try StoredRow(key, in: caches.storedCollection(named: collection, by: database.writer))
      var sizes = (object: 0, metadata: 0)
      var newRowid: Int64?
      try withEncodedObject(object, serialized: serialized.object, of: stored) { objectBytes in
        try withEncodedMetadata(metadata, serialized: serialized.metadata, of: stored) { metadataBytes in
          sizes = (objectBytes.count, metadataBytes?.count ?? 0)
          newRowid = try store(stored.row, object: objectBytes, metadata: metadataBytes, on: handle)
        }
      }
      let (change, index) = noteStored(stored, newRowid: newRowid, object: object, bytes: sizes.object)
      caches.objects.setStored(object, for: stored.row)
      caches.metadata.setStored(metadata: metadata, for: stored.row)
      carry(metadata: metadata, at: index, in: stored.collection, bytes: sizes.metadata)
      if upkeep != nil {
        try notifyExtensions(of: change, to: stored, newRowid: newRowid, object: object, metadata: metadata)
      }
    }
    sanitizers.object.after?(collection, key, object)
    if let metadata { sanitizers.metadata.after?(collection, key, metadata) }
  }

  /// Stores a row without metadata whose object has its stored form. The usual case of stores of bytes, in which each
  /// copy of an untyped value, and each closure, would take longer than most other steps.
  private func store(
    _ object: consuming Any,
    bytes: [UInt8],
    forKey key: String,
    inCollection collection: String
  ) throws {
    let (stored, newRowid) = try change { handle in
      let stored = try StoredRow(key, in: caches.storedCollection(named: collection, by: database.writer))
      if database.options.detectsMutationAfterSet { forgetWatched(stored.row) }
      let newRowid = try bytes.withUnsafeBytes { try store(stored.row, object: $0, metadata: nil, on: handle) }
      return (stored, newRowid)
    }
    let (change, index) = noteStored(stored, newRowid: newRowid, object: object, bytes: bytes.count)
    carryNoMetadata(at: index, in: stored.collection)
    caches.metadata.setStoredNil(for: stored.row)
    guard upkeep != nil else { return caches.objects.setStored(object, for: stored.row) }
    caches.objects.setStored(copy object, for: stored.row)
    try notifyExtensions(of: change, to: stored, newRowid: newRowid, object: object, metadata: nil)
  }

  /// Records that a row was stored, but not its values in the caches.
  /// - Parameters:
  ///   - newRowid: nil if the row existed.
  ///   - bytes: the size of the encoded object.
  /// - Returns: The change, and the index of the row's key in the collection's changes.
  @inline(__always)
  private func noteStored(
    _ stored: StoredRow,
    newRowid: Int64?,
    object: Any,
    bytes: Int
  ) -> (change: KeyChange, index: Int) {
    if let newRowid { caches.noteRowid(newRowid, of: stored.row) }
    let change: KeyChange = newRowid == nil ? [.object, .metadata] : [.object, .metadata, .inserted]
    let index = changes.note(change, of: stored.row.key, in: stored.collection)
    carry(object, at: index, in: stored.collection, bytes: bytes)
    return (change, index)
  }

  @inline(never)
  private func notifyExtensions(
    of change: KeyChange,
    to stored: StoredRow,
    newRowid: Int64?,
    object: Any,
    metadata: Any?
  ) throws {
    try notifyExtensions(
      of: change,
      to: stored.row,
      in: stored.collection,
      rowid: newRowid,
      parts: [.object, .metadata],
      object: object,
      metadata: metadata
    )
  }

  /// Replaces the object of an existing row, and keeps its metadata. Does nothing if there is no such row. If `object`
  /// is nil or a sanitizer returns nil, the row is removed. `serialized` is the encoded object, if the caller has it:
  /// see `setObject`.
  public func replaceObject(
    _ object: Any?,
    forKey key: String,
    inCollection collection: String = "",
    withSerializedObject serialized: [UInt8]? = nil
  ) throws {
    let sanitizers = try sanitizers(for: collection)
    guard let object, let object = try storedForm(ofObject: object, key: key, by: sanitizers) else {
      return try removeObject(forKey: key, inCollection: collection)
    }
    let isStored = try change { handle in
      guard let collection = caches.collection(named: collection) else { return false }
      let stored = StoredRow(key, in: collection)
      let row = stored.row
      var isChanged = false
      var size = 0
      try withEncodedObject(object, serialized: serialized, of: stored) { bytes in
        size = bytes.count
        isChanged = try update(row, byKey: .updateObject, byRowid: .updateObjectByRowid, binding: bytes, on: handle)
      }
      guard isChanged else { return false }
      caches.objects.setStored(object, for: row)
      carry(object, at: changes.note(.object, of: row.key, in: collection), in: collection, bytes: size)
      if upkeep != nil { try notifyExtensions(of: .object, to: row, in: collection, parts: .object, object: object) }
      return true
    }
    if isStored { sanitizers.object.after?(collection, key, object) }
  }

  /// Replaces the metadata of an existing row, and keeps its object. Does nothing if there is no such row. If
  /// `metadata` is nil or a sanitizer returns nil, the row has no metadata afterwards. `serialized` is the encoded
  /// metadata, if the caller has it: see `setObject`.
  public func replaceMetadata(
    _ metadata: Any?,
    forKey key: String,
    inCollection collection: String = "",
    withSerializedMetadata serialized: [UInt8]? = nil
  ) throws {
    let sanitizers = try sanitizers(for: collection)
    let metadata = try metadata.flatMap { try storedForm(ofMetadata: $0, key: key, by: sanitizers) }
    let isStored = try change { handle in
      guard let collection = caches.collection(named: collection) else { return false }
      let stored = StoredRow(key, in: collection)
      let row = stored.row
      var isChanged = false
      var size = 0
      try withEncodedMetadata(metadata, serialized: serialized, of: stored) { bytes in
        size = bytes?.count ?? 0
        isChanged = try update(row, byKey: .updateMetadata, byRowid: .updateMetadataByRowid, binding: bytes, on: handle)
      }
      guard isChanged else { return false }
      caches.metadata.setStored(metadata: metadata, for: row)
      carry(metadata: metadata, at: changes.note(.metadata, of: row.key, in: collection), in: collection, bytes: size)
      if upkeep != nil {
        try notifyExtensions(of: .metadata, to: row, in: collection, parts: .metadata, metadata: metadata)
      }
      return true
    }
    if isStored, let metadata { sanitizers.metadata.after?(collection, key, metadata) }
  }

  // MARK: Touching: reported as a change, although nothing is stored

  public func touchObject(forKey key: String, inCollection collection: String = "") throws {
    try touch(.objectTouched, key: key, inCollection: collection)
  }

  public func touchMetadata(forKey key: String, inCollection collection: String = "") throws {
    try touch(.metadataTouched, key: key, inCollection: collection)
  }

  public func touchRow(forKey key: String, inCollection collection: String = "") throws {
    try touch([.objectTouched, .metadataTouched], key: key, inCollection: collection)
  }

  private func touch(_ change: KeyChange, key: String, inCollection collection: String) throws {
    guard try hasObject(forKey: key, inCollection: collection),
      let collection = caches.collection(named: collection)
    else { return }
    try checkMayWrite()
    let row = RowKey(collection: collection.number, key: ByteString(key))
    changes.note(change, of: row.key, in: collection)
    if upkeep != nil { try notifyExtensions(of: change, to: row, in: collection) }
  }

  // MARK: Removing

  /// Removes a row. If there is none, nothing happens and no change is reported.
  public func removeObject(forKey key: String, inCollection collection: String = "") throws {
    try change { handle in
      guard let collection = caches.collection(named: collection) else { return }
      let row = RowKey(collection: collection.number, key: ByteString(key))
      let rowid = upkeep == nil ? nil : try rowid(of: row)
      let removed = try handle.with(.removeKey, collection: collection.number, key: key) { statement in
        _ = try statement.step()
        return noteChanges(handle)
      }
      guard removed > 0 else { return }
      caches.remove(row)
      let index = changes.noteRemoval(of: row.key, in: collection)
      dropCarriedValues(at: index, in: collection)
      if let rowid { upkeep?.didRemove(row, rowid: rowid) }
    }
  }

  /// Removes several rows. Keys may repeat.
  public func removeObjects(forKeys keys: some Sequence<String>, inCollection collection: String = "") throws {
    try checkMayBeUsed()
    for key in keys { try removeObject(forKey: key, inCollection: collection) }
  }

  /// Removes every row of a collection.
  public func removeAllObjects(inCollection collection: String = "") throws {
    try change { handle in
      guard let collection = caches.collection(named: collection) else { return }
      let rows = try rowsForExtensions(of: collection)
      let removed = try handle.with(.removeCollection) { statement in
        try statement.bind(collection.number, at: 1)
        _ = try statement.step()
        return noteChanges(handle)
      }
      guard removed > 0 else { return }
      caches.removeAll(inCollection: collection.number)
      changes.noteClearing(of: collection)
      dropCarriedValues(in: collection)
      upkeep?.didRemove(rows, ofCollection: collection.name)
    }
  }

  /// Removes every row of a collection, and the collection's name from the file.
  ///
  /// The other functions that remove rows leave the name of an emptied collection in the file, so that the collection
  /// can be filled again at no cost, until a `vacuum` or `removeAllObjectsInAllCollections` removes it. For collections
  /// with names that are not used again, such as one for each session, call this function: each name takes space, and
  /// time at open. Observers are notified of the removed rows. If the collection has none, the commit has no changes;
  /// if it is unknown, nothing happens. A row that is stored later stores the name again.
  public func dropCollection(_ collection: String) throws {
    try removeAllObjects(inCollection: collection)
    try change { _ in
      guard let collection = caches.collection(named: collection) else { return }
      if try database.writer.dropName(of: collection) { dropsNames = true }
    }
  }

  /// Removes every row of every collection, and the names of all collections from the file.
  public func removeAllObjectsInAllCollections() throws {
    try change { handle in
      try handle.run(.removeEverything)
      let removed = noteChanges(handle)
      if try database.writer.dropNames(.dropAllCollections) { dropsNames = true }
      guard removed > 0 else { return }
      caches.removeAll()
      changes.noteClearingOfEverything()
      dropCarriedValues(in: nil)
      upkeep?.didRemoveEverything()
    }
  }
}
