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
  public func setObject(
    _ object: Any?,
    forKey key: String,
    inCollection collection: String = "",
    withMetadata metadata: Any? = nil,
    serializedObject: [UInt8]? = nil,
    serializedMetadata: [UInt8]? = nil
  ) throws {
    let sanitizers = try sanitizers(for: collection)
    guard let object, let object = try storedForm(ofObject: object, key: key, by: sanitizers) else {
      return try removeObject(forKey: key, inCollection: collection)
    }
    let metadata = try metadata.flatMap { try storedForm(ofMetadata: $0, key: key, by: sanitizers) }
    try change { handle in
      let collection = try connection.storedCollection(named: collection, by: database.writer)
      let row = RowKey(collection: collection.number, key: ByteString(key))
      var sizes = (object: 0, metadata: 0)
      var newRowid: Int64?
      try withEncodedObject(object, serialized: serializedObject, row: row, in: collection) { objectBytes in
        try withEncodedMetadata(metadata, serialized: serializedMetadata, row: row, in: collection) { metadataBytes in
          sizes = (objectBytes.count, metadataBytes?.count ?? 0)
          let isReplaced = try update(
            row,
            byKey: .updateRow,
            byRowid: .updateRowByRowid,
            binding: objectBytes,
            .some(metadataBytes)
          )
          if isReplaced { return }
          _ = try write(.insertRow, row: row, binding: objectBytes, .some(metadataBytes))
          newRowid = handle.sqlite.lastInsertedRowid
        }
      }
      if let newRowid { caches.noteRowid(newRowid, of: row) }
      caches.objects.set(object, for: row)
      caches.metadata.set(metadata, for: row)
      let stored: KeyChange = newRowid == nil ? [.object, .metadata] : [.object, .metadata, .inserted]
      let index = changes.note(stored, of: row.key, in: collection)
      let carriedObject = carriedObject(object, in: collection, bytes: sizes.object)
      changedValues.set(carriedObject, for: .object, at: index, in: collection.name)
      let carriedMetadata = carriedMetadata(metadata, in: collection, bytes: sizes.metadata)
      changedValues.set(carriedMetadata, for: .metadata, at: index, in: collection.name)
      if upkeep != nil {
        try notifyExtensions(
          of: stored,
          to: row,
          in: collection,
          rowid: newRowid,
          parts: [.object, .metadata],
          object: object,
          metadata: metadata
        )
      }
    }
    sanitizers.object.after?(collection, key, object)
    if let metadata { sanitizers.metadata.after?(collection, key, metadata) }
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
      guard let collection = self.collection(named: collection) else { return false }
      let row = RowKey(collection: collection.number, key: ByteString(key))
      var isChanged = false
      var size = 0
      try withEncodedObject(object, serialized: serialized, row: row, in: collection) { bytes in
        size = bytes.count
        isChanged = try update(row, byKey: .updateObject, byRowid: .updateObjectByRowid, binding: bytes)
      }
      guard isChanged else { return false }
      caches.objects.set(object, for: row)
      let carried = carriedObject(object, in: collection, bytes: size)
      let index = changes.note(.object, of: row.key, in: collection)
      changedValues.set(carried, for: .object, at: index, in: collection.name)
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
      guard let collection = self.collection(named: collection) else { return false }
      let row = RowKey(collection: collection.number, key: ByteString(key))
      var isChanged = false
      var size = 0
      try withEncodedMetadata(metadata, serialized: serialized, row: row, in: collection) { bytes in
        size = bytes?.count ?? 0
        isChanged = try update(row, byKey: .updateMetadata, byRowid: .updateMetadataByRowid, binding: bytes)
      }
      guard isChanged else { return false }
      caches.metadata.set(metadata, for: row)
      let carried = carriedMetadata(metadata, in: collection, bytes: size)
      let index = changes.note(.metadata, of: row.key, in: collection)
      changedValues.set(carried, for: .metadata, at: index, in: collection.name)
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
      let collection = self.collection(named: collection)
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
      guard let collection = self.collection(named: collection) else { return }
      let row = RowKey(collection: collection.number, key: ByteString(key))
      let rowid = upkeep == nil ? nil : try rowid(of: row)
      let removed = try handle.with(.removeKey, collection: collection.number, key: key) { statement in
        _ = try statement.step()
        return noteChanges(handle)
      }
      guard removed > 0 else { return }
      caches.remove(row)
      let index = changes.noteRemoval(of: row.key, in: collection)
      changedValues.remove(at: index, in: collection.name)
      if let rowid { upkeep?.didRemove(row, rowid: rowid) }
    }
  }

  /// Removes several rows. Keys may repeat.
  public func removeObjects(forKeys keys: some Sequence<String>, inCollection collection: String = "") throws {
    _ = try handle()
    for key in keys { try removeObject(forKey: key, inCollection: collection) }
  }

  /// Removes every row of a collection.
  public func removeAllObjects(inCollection collection: String = "") throws {
    try change { handle in
      guard let collection = self.collection(named: collection) else { return }
      let rows = try rowsForExtensions(of: collection)
      let removed = try handle.with(.removeCollection) { statement in
        try statement.bind(collection.number, at: 1)
        _ = try statement.step()
        return noteChanges(handle)
      }
      guard removed > 0 else { return }
      caches.removeAll(inCollection: collection.number)
      changes.noteClearing(of: collection)
      changedValues.removeAll(in: collection.name)
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
      guard let collection = self.collection(named: collection) else { return }
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
      changedValues = ChangedValues()
      upkeep?.didRemoveEverything()
    }
  }
}
