internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// Access to one snapshot, valid only inside its block and on the block's thread. Every call that can throw checks
/// this, in every build.
///
/// A read-write transaction is a subclass, so code that only reads accepts both.
// Used by one thread at a time: `owner` is checked before any state that is not atomic is accessed.
public class YapDatabaseReadTransaction: @unchecked Sendable {
  /// Unchecked, because a checked reference would cost a check at each use. The connection outlives the transaction's
  /// block, and outside the block `owner` is 0, so every use is refused.
  unowned(unsafe) final let connection: YapDatabaseConnection
  final let database: YapDatabase
  /// The caches of the connection.
  final let caches: RowCaches
  /// The handle that runs the statements: the connection's own, or the writer's.
  // Never replaced, because each use of a variable would retain and release it.
  private final let statements: EngineHandle
  private final let owner = Atomic<UInt>(0)
  private final let number = Atomic<UInt64>(0)
  private final let laneWait = Atomic<UInt64>(.max)
  /// The upkeep of the extensions; nil except in a read-write transaction of a database that has extensions.
  final var upkeep: ExtensionUpkeep?
  /// The number of calls that have changed rows in this transaction. Enumerations compare it to detect such calls.
  final var mutations = 0

  init(connection: YapDatabaseConnection, handle: EngineHandle) {
    self.connection = connection
    statements = handle
    database = connection.database
    caches = connection.caches
  }

  /// The number of the commit that the transaction sees; for a read-write transaction, the one that it will make.
  public final var snapshot: UInt64 { number.load(ordering: .relaxed) }

  /// The nanoseconds for which the call waited for its connection's lane; 0 if the lane was free. nil for a call that
  /// was queued, for example by `asyncRead` or `await`: its wait is not measured.
  public final var laneWaitNanoseconds: UInt64? {
    let waited = laneWait.load(ordering: .relaxed)
    return waited == Self.unknownLaneWait ? nil : waited
  }

  private static let unknownLaneWait = UInt64.max

  final func begin(snapshot: UInt64, laneWait waited: UInt64?) {
    mutations = 0
    number.store(snapshot, ordering: .relaxed)
    laneWait.store(waited ?? Self.unknownLaneWait, ordering: .relaxed)
    owner.store(ThreadToken.current.rawValue, ordering: .relaxed)
  }

  final func end() { owner.store(0, ordering: .relaxed) }

  /// - Throws: `transactionEnded` if the block has ended, or on another thread.
  @inline(__always)
  final func checkMayBeUsed() throws {
    guard owner.load(ordering: .relaxed) == ThreadToken.current.rawValue else { throw Self.ended }
  }

  /// Returns the handle.
  /// - Throws: `transactionEnded` if the block has ended, or on another thread.
  @inline(__always)
  final func handle() throws -> EngineHandle {
    try checkMayBeUsed()
    return statements
  }

  private static let ended = YapDatabaseError(
    .transactionEnded,
    "a transaction was used after its block had returned, or on another thread: use it inside its block only, and copy "
      + "the needed values out of it"
  )

  // MARK: Single rows

  /// The object for a key; nil if there is no such row.
  public final func object(forKey key: String, inCollection collection: String = "") throws -> Any? {
    try checkMayBeUsed()
    guard let number = caches.collectionNumber(named: collection) else { return nil }
    let hash = ByteString.hash(of: key)
    if let slot = caches.objects.slot(of: key, hash: hash, in: number) { return caches.objects[slot] }
    return try readObject(RowKey(collection: number, key: ByteString(key, hash: hash)), inCollection: collection)
  }

  // Not inlined, so that the code of a cache hit contains little that a hit does not execute.
  @inline(never)
  private final func readObject(_ row: RowKey, inCollection collection: String) throws -> Any? {
    guard let collection = caches.collection(named: collection) else { return nil }
    let isWanted = caches.objects.wants(row)
    return try withColumns(of: row, byKey: .object, byRowid: .objectByRowid) { statement in
      let object = try decodeObject(statement.bytes(at: 1), in: collection, key: row.key.text)
      if isWanted { caches.set(object, for: row, foundAt: statement.integer(at: 0)) }
      return object
    }
  }

  /// The metadata for a key; nil if there is no such row, or it has none.
  public final func metadata(forKey key: String, inCollection collection: String = "") throws -> Any? {
    try checkMayBeUsed()
    guard let collection = caches.collection(named: collection) else { return nil }
    let row = RowKey(collection: collection.number, key: ByteString(key))
    if let metadata = caches.metadata.findMetadata(row) { return metadata }
    let isWanted = caches.metadata.wants(row)
    let found = try withColumns(of: row, byKey: .metadata, byRowid: .metadataByRowid) { statement -> Any? in
      caches.noteRowid(statement.integer(at: 0), of: row)
      let metadata = try decodeMetadata(statement, at: 1, in: collection, key: key)
      if isWanted { caches.metadata.set(metadata, for: row) }
      return metadata
    }
    return found ?? nil
  }

  /// Object and metadata for a key; nil if there is no such row.
  public final func row(
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> (object: Any, metadata: Any?)? {
    try checkMayBeUsed()
    guard let collection = caches.collection(named: collection) else { return nil }
    let row = RowKey(collection: collection.number, key: ByteString(key))
    let cachedObject = caches.objects.findObject(row)
    let cachedMetadata = caches.metadata.findMetadata(row)
    if let cachedObject, let cachedMetadata { return (cachedObject, cachedMetadata) }
    let isObjectWanted = cachedObject == nil && caches.objects.wants(row)
    let isMetadataWanted = cachedMetadata == nil && caches.metadata.wants(row)
    return try withColumns(of: row, byKey: .row, byRowid: .rowByRowid) { statement in
      caches.noteRowid(statement.integer(at: 0), of: row)
      let object = try cachedObject ?? decodeObject(statement.bytes(at: 1), in: collection, key: key)
      let metadata = try cachedMetadata ?? decodeMetadata(statement, at: 2, in: collection, key: key)
      if isObjectWanted { caches.objects.set(object, for: row) }
      if isMetadataWanted { caches.metadata.set(metadata, for: row) }
      return (object, metadata)
    }
  }

  /// Whether there is a row for the key.
  public final func hasObject(forKey key: String, inCollection collection: String = "") throws -> Bool {
    let handle = try handle()
    guard let collection = caches.collection(named: collection) else { return false }
    let row = RowKey(collection: collection.number, key: ByteString(key))
    if caches.rowids.contains(row) || caches.objects.contains(row) { return true }
    return try handle.with(.exists, collection: collection.number, key: key) { try $0.step() }
  }

  // MARK: Rows and codecs

  /// Passes the columns of a row to `body`. The first column is the rowid. The caller has checked that the transaction
  /// may be used.
  /// - Returns: The result of `body`; nil if there is no such row.
  @inline(__always)
  private final func withColumns<Result>(
    of row: RowKey,
    byKey: Statement,
    byRowid: Statement,
    _ body: (SQLiteStatement) throws -> Result
  ) throws -> Result? {
    if let rowid = caches.rowids.value(for: row) {
      let found = try statements.with(byRowid, collection: row.collection, key: row.key.text, rowid: rowid) {
        try $0.step() ? try body($0) : nil
      }
      if let found { return found }
    }
    return try statements.with(byKey, collection: row.collection, key: row.key.text) {
      try $0.step() ? try body($0) : nil
    }
  }

  final func decodeObject(_ bytes: UnsafeRawBufferPointer, in collection: CollectionName, key: String) throws -> Any {
    caches.counters.objects.decoded.add(1)
    return try database.objectCodecs.decode(bytes, forKey: key, in: collection.name)
  }

  final func decodeMetadata(
    _ statement: SQLiteStatement,
    at column: Int32,
    in collection: CollectionName,
    key: String
  ) throws -> Any? {
    if statement.isNull(at: column) { return nil }
    caches.counters.metadata.decoded.add(1)
    return try database.metadataCodecs.decode(statement.bytes(at: column), forKey: key, in: collection.name)
  }
}

/// The stored bytes at the transaction's snapshot. Codecs and caches are bypassed: cached values are not used, values
/// are not cached, and the caches' counters do not change.
extension YapDatabaseReadTransaction {
  /// The stored bytes of the object for a key; nil if there is no such row.
  public final func serializedObject(forKey key: String, inCollection collection: String = "") throws -> [UInt8]? {
    let handle = try handle()
    guard let collection = caches.collection(named: collection) else { return nil }
    return try handle.with(.object, collection: collection.number, key: key) { statement in
      try statement.step() ? [UInt8](statement.bytes(at: 1)) : nil
    }
  }

  /// The stored bytes of the metadata for a key; nil if there is no such row, or it has none.
  public final func serializedMetadata(forKey key: String, inCollection collection: String = "") throws -> [UInt8]? {
    let handle = try handle()
    guard let collection = caches.collection(named: collection) else { return nil }
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
    guard let collection = caches.collection(named: collection) else { return nil }
    return try handle.with(.row, collection: collection.number, key: key) { statement in
      guard try statement.step() else { return nil }
      return ([UInt8](statement.bytes(at: 1)), statement.isNull(at: 2) ? nil : [UInt8](statement.bytes(at: 2)))
    }
  }
}
