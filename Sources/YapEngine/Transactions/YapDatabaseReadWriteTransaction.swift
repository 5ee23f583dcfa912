internal import SQLiteBinding
internal import ThreadingPrimitives

/// A transaction that may change the database. It sees its own changes; other connections see them once it has
/// committed.
///
/// It is committed when its block returns, and rolled back if the block throws or called `rollback()`. After a
/// statement has failed, nothing more can be stored: the transaction is rolled back, and the call that runs it throws
/// the failure.
// See YapDatabaseReadTransaction.
public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction, @unchecked Sendable {
  var changes = ChangeSet()
  /// The values of the changed rows for the caches of other connections.
  private var changedValues = ChangedValues()
  /// Whether the block called `rollback()`, so that all changes are discarded at the end.
  private(set) var isRolledBack = false
  /// The first error because of which the transaction cannot be committed.
  private(set) var failure: (any Error)?
  /// Whether a statement failed, or SQLite has ended the transaction, so that the changed rows are not known.
  var hasFailed: Bool { failure != nil || !database.writer.handle.sqlite.isInTransaction }
  /// The completions that are called after the end, in order.
  var completions: [TransactionCompletion] = []
  /// The number of statements that have changed rows.
  private var rowWrites = 0
  /// nil unless `YapDatabaseOptions.detectsMutationAfterSet` is set.
  var objectWatch: MutationWatch?
  var metadataWatch: MutationWatch?

  func beginWriting(on handle: EngineHandle, snapshot: UInt64, laneWait: UInt64?) {
    isRolledBack = false
    failure = nil
    if database.options.detectsMutationAfterSet {
      objectWatch = MutationWatch(database.objectCodecs, noun: "object")
      metadataWatch = MutationWatch(database.metadataCodecs, noun: "metadata")
    }
    beginUpkeep(connection.adopted?.states)
    begin(on: handle, snapshot: snapshot, laneWait: laneWait)
  }

  /// Checks, after the block has returned, that the transaction can be committed.
  /// - Throws: the failure of a statement; `snapshotLost` if SQLite has ended the transaction; the errors of
  ///   `MutationWatch`.
  func checkAtEnd() throws {
    if let failure { throw failure }
    guard database.writer.handle.sqlite.isInTransaction else { throw Self.undone }
    if isRolledBack { return }
    try objectWatch?.check(changes, .object)
    try metadataWatch?.check(changes, .metadata)
  }

  /// Removes and returns the changes, so that the commit takes them over without a copy.
  func takeChanges() -> (changes: ChangeSet, values: ChangedValues) {
    var taken = (changes: ChangeSet(), values: ChangedValues())
    swap(&taken.changes, &changes)
    swap(&taken.values, &changedValues)
    return taken
  }

  func dropChanges() {
    changes = ChangeSet()
    changedValues = ChangedValues()
  }

  /// Discards all changes of this transaction, before and after this call, once the block has ended. The block
  /// continues.
  public func rollback() throws {
    _ = try handle()
    isRolledBack = true
  }

  /// Attaches a value to the commit's notification. The value alone is enough for a commit.
  public func setCustomObject(_ object: (any Sendable)?) throws {
    _ = try handle()
    changes.customObject = object
  }

  // MARK: Storing

  /// Stores a row, or replaces the existing one. Without `metadata`, the row has none afterwards.
  /// - Parameters:
  ///   - object: nil removes the row.
  ///   - key: any text. Keys are distinguished by their bytes.
  ///   - collection: any text, distinguished by its bytes.
  ///   - metadata: nil for none.
  ///   - serializedObject: the encoded object, if the caller has it: the codec does not encode the object then. The
  ///     caller guarantees that the bytes are those that the codec would return.
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
    guard let object, let object = try storedForm(ofObject: object, key, sanitizers) else {
      return try removeObject(forKey: key, inCollection: collection)
    }
    let metadata = try metadata.flatMap { try storedForm(ofMetadata: $0, key, sanitizers) }
    try change { handle in
      let collection = try connection.storedCollection(named: collection, by: database.writer)
      let row = RowKey(collection: collection.number, key: ByteString(key))
      var sizes = (object: 0, metadata: 0)
      var newRowid: Int64?
      try encodeObject(object, serialized: serializedObject, of: row, in: collection) { objectBytes in
        try encodeMetadata(metadata, serialized: serializedMetadata, of: row, in: collection) { metadataBytes in
          sizes = (objectBytes.count, metadataBytes?.count ?? 0)
          if try update(.updateRow, byRowid: .updateRowByRowid, row, objectBytes, .some(metadataBytes)) { return }
          _ = try write(.insertRow, row, objectBytes, .some(metadataBytes))
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
  /// is nil, the row is removed.
  public func replaceObject(_ object: Any?, forKey key: String, inCollection collection: String = "") throws {
    let sanitizers = try sanitizers(for: collection)
    guard let object, let object = try storedForm(ofObject: object, key, sanitizers) else {
      return try removeObject(forKey: key, inCollection: collection)
    }
    let isStored = try change { handle in
      guard let collection = self.collection(named: collection) else { return false }
      let row = RowKey(collection: collection.number, key: ByteString(key))
      var isChanged = false
      var size = 0
      try encodeObject(object, of: row, in: collection) { bytes in
        size = bytes.count
        isChanged = try update(.updateObject, byRowid: .updateObjectByRowid, row, bytes)
      }
      guard isChanged else { return false }
      caches.objects.set(object, for: row)
      let index = changes.note(.object, of: row.key, in: collection)
      let carried = carriedObject(object, in: collection, bytes: size)
      changedValues.set(carried, for: .object, at: index, in: collection.name)
      if upkeep != nil { try notifyExtensions(of: .object, to: row, in: collection, parts: .object, object: object) }
      return true
    }
    if isStored { sanitizers.object.after?(collection, key, object) }
  }

  /// Replaces the metadata of an existing row, and keeps its object. Does nothing if there is no such row. If
  /// `metadata` is nil, the row has none afterwards.
  public func replaceMetadata(_ metadata: Any?, forKey key: String, inCollection collection: String = "") throws {
    let sanitizers = try sanitizers(for: collection)
    let metadata = try metadata.flatMap { try storedForm(ofMetadata: $0, key, sanitizers) }
    let isStored = try change { handle in
      guard let collection = self.collection(named: collection) else { return false }
      let row = RowKey(collection: collection.number, key: ByteString(key))
      var isChanged = false
      var size = 0
      try encodeMetadata(metadata, of: row, in: collection) { bytes in
        size = bytes?.count ?? 0
        isChanged = try update(.updateMetadata, byRowid: .updateMetadataByRowid, row, bytes)
      }
      guard isChanged else { return false }
      caches.metadata.set(metadata, for: row)
      let index = changes.note(.metadata, of: row.key, in: collection)
      let carried = carriedMetadata(metadata, in: collection, bytes: size)
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
    try touch(.objectTouched, key, collection)
  }

  public func touchMetadata(forKey key: String, inCollection collection: String = "") throws {
    try touch(.metadataTouched, key, collection)
  }

  public func touchRow(forKey key: String, inCollection collection: String = "") throws {
    try touch([.objectTouched, .metadataTouched], key, collection)
  }

  private func touch(_ change: KeyChange, _ key: String, _ collection: String) throws {
    guard try hasObject(forKey: key, inCollection: collection),
      let collection = self.collection(named: collection)
    else { return }
    if omissions.has(.forgetsTouches) { return }
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
      if !omissions.has(.forgetsTheClearing) {
        changes.noteClearing(of: collection)
        changedValues.removeAll(in: collection.name)
      }
      upkeep?.didRemove(rows, ofCollection: collection.name)
    }
  }

  /// Removes every row of every collection.
  public func removeAllObjectsInAllCollections() throws {
    try change { handle in
      try handle.run(.removeEverything)
      guard noteChanges(handle) > 0 else { return }
      caches.removeAll()
      changes.noteClearingOfEverything()
      changedValues = ChangedValues()
      upkeep?.didRemoveEverything()
    }
  }

  // MARK: Implementation

  /// Runs `body`, which must not fail halfway: if it throws, the transaction will be rolled back.
  func dooming<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// Runs `body`, which may change the database. After a statement has failed, nothing more can be stored.
  ///
  /// If `body` finds no row to change, this does not count as a change, so it is allowed inside an enumeration.
  private func change<Result>(_ body: (EngineHandle) throws -> Result) throws -> Result {
    let handle = try handle()
    if let failure { throw failure }
    try checkMayWrite()
    // Some errors end SQLite's transaction, even errors of a read that the block has caught. Later writes would then
    // each be committed individually.
    guard handle.sqlite.isInTransaction else {
      failure = Self.undone
      throw Self.undone
    }
    let writesBefore = rowWrites
    do {
      defer { if rowWrites != writesBefore { mutations += 1 } }
      return try body(handle)
    } catch {
      // A value that cannot be encoded has not reached the database, unless its codec failed after returning bytes.
      let isHarmless = (error as? YapDatabaseError)?.code == .codec && rowWrites == writesBefore
      if !isHarmless { failure = error }
      throw error
    }
  }

  private static let undone = YapDatabaseError(
    .snapshotLost,
    "SQLite rolled back the read-write transaction after an error inside its block: nothing was stored; repeat it"
  )

  /// Changes an existing row, by its rowid if that is known.
  /// - Returns: whether there was such a row.
  private func update(
    _ byKey: Statement,
    byRowid: Statement,
    _ row: RowKey,
    _ first: UnsafeRawBufferPointer?,
    _ second: UnsafeRawBufferPointer?? = .none
  ) throws -> Bool {
    if let rowid = caches.rowids.value(for: row), try write(byRowid, row, rowid: rowid, first, second) > 0 {
      return true
    }
    return try write(byKey, row, first, second) > 0
  }

  /// - Returns: the number of changed rows.
  private func write(
    _ kind: Statement,
    _ row: RowKey,
    rowid: Int64? = nil,
    _ first: UnsafeRawBufferPointer?,
    _ second: UnsafeRawBufferPointer?? = .none
  ) throws -> Int {
    let handle = try handle()
    return try handle.with(kind, collection: row.collection, key: row.key.text, rowid: rowid) { statement in
      if let first { try statement.bindBlob(first, at: 3) } else { try statement.bindNull(at: 3) }
      if let second {
        if let second { try statement.bindBlob(second, at: 4) } else { try statement.bindNull(at: 4) }
      }
      _ = try statement.step()
      return noteChanges(handle)
    }
  }

  /// - Returns: the number of rows that the last statement changed.
  private func noteChanges(_ handle: EngineHandle) -> Int {
    let changes = handle.sqlite.changes
    if changes > 0 { rowWrites += 1 }
    return changes
  }
}
