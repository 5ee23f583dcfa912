internal import SQLiteBinding
internal import ThreadingPrimitives

/// A transaction that may change the database. It sees its own changes; others see them once it has committed.
///
/// It is committed when its block returns, and rolled back when the block throws or `rollback()` was called. After a
/// statement has failed nothing more can be stored: the transaction will be rolled back, and the failure is thrown.
// See YapDatabaseReadTransaction.
public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction, @unchecked Sendable {
  var changes = ChangeSet()
  /// Whether anything is to be discarded at the end, whatever happens until then.
  private(set) var isRolledBack = false
  /// The first failure of a statement that was to change something.
  private(set) var failure: (any Error)?
  /// Why it cannot be committed, now that its block has returned.
  var failureAtEnd: (any Error)? {
    failure ?? (database.writer.handle.sqlite.isInTransaction ? nil : Self.undone)
  }
  /// What is called after the end, in order.
  var completions: [TransactionCompletion] = []
  /// How many statements have changed rows.
  private var rowWrites = 0

  func beginWriting(on handle: EngineHandle, snapshot: UInt64) {
    changes = ChangeSet()
    isRolledBack = false
    failure = nil
    completions = []
    begin(on: handle, snapshot: snapshot)
  }

  /// Discards everything that this transaction does, before and after this call. The block runs on.
  public func rollback() throws {
    _ = try handle()
    isRolledBack = true
  }

  /// Attaches a value to the commit's notification. By itself it makes the transaction commit.
  public func setCustomObject(_ object: (any Sendable)?) throws {
    _ = try handle()
    changes.customObject = object
  }

  // MARK: Storing

  /// Stores a row, new or in place of an old one. Without metadata the row has none afterwards.
  /// - Parameter object: nil removes the row.
  public func setObject(
    _ object: Any?,
    forKey key: String,
    inCollection collection: String = "",
    withMetadata metadata: Any? = nil
  ) throws {
    guard let object else { return try removeObject(forKey: key, inCollection: collection) }
    try change { handle in
      let collection = try connection.storedCollection(named: collection, by: database.writer)
      let isNew = try encoded(object, metadata, collection, key) { object, metadata in
        if try write(.updateRow, collection, key, object, metadata) > 0 { return false }
        _ = try write(.insertRow, collection, key, object, metadata)
        return true
      }
      let byteKey = ByteString(key)
      let rowKey = RowKey(collection: collection.number, key: byteKey)
      connection.caches.objects?.set(object, for: rowKey)
      connection.caches.metadata?.set(metadata, for: rowKey)
      changes.note(isNew ? [.object, .metadata, .inserted] : [.object, .metadata], key: byteKey, in: collection)
    }
  }

  /// Stores another object for a row that exists, and leaves its metadata; without such a row nothing happens.
  /// - Parameter object: nil removes the row.
  public func replaceObject(_ object: Any?, forKey key: String, inCollection collection: String = "") throws {
    guard let object else { return try removeObject(forKey: key, inCollection: collection) }
    try change { handle in
      guard let collection = connection.collection(named: collection) else { return }
      var changed = 0
      try database.objectCodecs.encode(object, collection.name, key) { bytes in
        changed = try write(.updateObject, collection, key, bytes)
      }
      guard changed > 0 else { return }
      let byteKey = ByteString(key)
      connection.caches.objects?.set(object, for: RowKey(collection: collection.number, key: byteKey))
      changes.note(.object, key: byteKey, in: collection)
    }
  }

  /// Stores other metadata for a row that exists, and leaves its object; without such a row nothing happens.
  /// - Parameter metadata: nil leaves the row without metadata.
  public func replaceMetadata(_ metadata: Any?, forKey key: String, inCollection collection: String = "") throws {
    try change { handle in
      guard let collection = connection.collection(named: collection) else { return }
      var changed = 0
      try encodedMetadata(metadata, collection, key) { bytes in
        changed = try write(.updateMetadata, collection, key, bytes)
      }
      guard changed > 0 else { return }
      let byteKey = ByteString(key)
      connection.caches.metadata?.set(metadata, for: RowKey(collection: collection.number, key: byteKey))
      changes.note(.metadata, key: byteKey, in: collection)
    }
  }

  // MARK: Touching: told to observers as a change, nothing is stored

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
      let collection = connection.collection(named: collection)
    else { return }
    changes.note(change, key: ByteString(key), in: collection)
  }

  // MARK: Removing

  /// Removes a row. Where there is none nothing happens, and no change is told.
  public func removeObject(forKey key: String, inCollection collection: String = "") throws {
    try change { handle in
      guard let collection = connection.collection(named: collection) else { return }
      let removed = try handle.with(.removeKey, collection: collection.number, key: key) { statement in
        _ = try statement.step()
        return noteChanges(handle)
      }
      guard removed > 0 else { return }
      let byteKey = ByteString(key)
      let rowKey = RowKey(collection: collection.number, key: byteKey)
      connection.caches.objects?.remove(rowKey)
      connection.caches.metadata?.remove(rowKey)
      changes.noteRemoval(of: byteKey, in: collection)
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
      guard let collection = connection.collection(named: collection) else { return }
      let removed = try handle.with(.removeCollection) { statement in
        try statement.bind(collection.number, at: 1)
        _ = try statement.step()
        return noteChanges(handle)
      }
      guard removed > 0 else { return }
      _ = connection.caches.objects?.removeAll(inCollection: collection.number)
      _ = connection.caches.metadata?.removeAll(inCollection: collection.number)
      changes.noteClearing(of: collection)
    }
  }

  /// Removes every row of every collection.
  public func removeAllObjectsInAllCollections() throws {
    try change { handle in
      try handle.run(.removeEverything)
      guard noteChanges(handle) > 0 else { return }
      connection.caches.removeAll()
      changes.noteClearingOfEverything()
    }
  }

  // MARK: How it is done

  /// Runs something that may change the database. If a statement fails nothing more is stored.
  ///
  /// What finds no row to change is no change, and may be done inside an enumeration.
  private func change(_ body: (EngineHandle) throws -> Void) throws {
    let handle = try handle()
    if let failure { throw failure }
    // Some errors end SQLite's transaction, also those of a read that the block has caught. What is written then would
    // be committed by itself.
    guard handle.sqlite.isInTransaction else {
      failure = Self.undone
      throw Self.undone
    }
    let writesBefore = rowWrites
    do { try body(handle) } catch {
      // A value that cannot be encoded has not reached the database, unless its codec failed after giving bytes.
      let isHarmless = (error as? YapDatabaseError)?.code == .codec && rowWrites == writesBefore
      if !isHarmless { failure = error }
      throw error
    }
    if rowWrites != writesBefore { mutations += 1 }
  }

  private static let undone = YapDatabaseError(
    .snapshotLost,
    "SQLite ended the read-write transaction after an error inside its block: nothing of it was stored; do it again"
  )

  /// - Returns: how many rows it changed.
  private func write(
    _ kind: Statement,
    _ collection: CollectionName,
    _ key: String,
    _ first: UnsafeRawBufferPointer?,
    _ second: UnsafeRawBufferPointer?? = .none
  ) throws -> Int {
    let handle = try handle()
    return try handle.with(kind, collection: collection.number, key: key) { statement in
      if let first { try statement.bindBlob(first, at: 3) } else { try statement.bindNull(at: 3) }
      if let second {
        if let second { try statement.bindBlob(second, at: 4) } else { try statement.bindNull(at: 4) }
      }
      _ = try statement.step()
      return noteChanges(handle)
    }
  }

  /// - Returns: how many rows the last statement changed.
  private func noteChanges(_ handle: EngineHandle) -> Int {
    let changes = handle.sqlite.changes
    if changes > 0 { rowWrites += 1 }
    return changes
  }

  private func encoded(
    _ object: Any,
    _ metadata: Any?,
    _ collection: CollectionName,
    _ key: String,
    _ write: (UnsafeRawBufferPointer?, UnsafeRawBufferPointer??) throws -> Bool
  ) throws -> Bool {
    var result = false
    try database.objectCodecs.encode(object, collection.name, key) { objectBytes in
      try encodedMetadata(metadata, collection, key) { metadataBytes in
        result = try write(objectBytes, .some(metadataBytes))
      }
    }
    return result
  }

  /// Gives `write` the bytes of the metadata, or nil where there is none.
  private func encodedMetadata(
    _ metadata: Any?,
    _ collection: CollectionName,
    _ key: String,
    _ write: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let metadata else { return try write(nil) }
    try database.metadataCodecs.encode(metadata, collection.name, key) { try write($0) }
  }
}
