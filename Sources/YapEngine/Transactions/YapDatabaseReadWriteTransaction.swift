public import Dispatch
internal import SQLiteBinding

/// A transaction that may change the database. It sees its own changes; other connections see them once it has
/// committed.
///
/// It is committed when its block returns, and rolled back if the block throws or has called `rollback()`. After a
/// change has failed, nothing more can be stored: the transaction is rolled back, and the call that runs it throws the
/// error even if the block has caught it. An error of a sanitizer or a codec before the change has no such effect.
// See YapDatabaseReadTransaction.
public final class YapDatabaseReadWriteTransaction: YapDatabaseReadTransaction, @unchecked Sendable {
  // Exclusive access to `changes` and `rowWrites` is not checked at run time, because a check takes longer than most
  // accesses. Accesses to them run no other code. Those to `changedValues` may: they release the client's objects.
  @exclusivity(unchecked)
  var changes = ChangeSet()
  /// The values of the changed rows for the caches of other connections.
  private var changedValues = ChangedValues()
  /// Whether `changedValues` may hold values.
  @exclusivity(unchecked)
  private(set) var carriesValues = false
  /// Whether the block called `rollback()`, so that all changes are discarded at the end.
  private(set) var isRolledBack = false
  /// Whether the name of a collection was removed from the file. The transaction is committed even if no row changed.
  var dropsNames = false
  /// The first error because of which the transaction cannot be committed.
  private(set) var failure: (any Error)?
  /// Whether a change failed, or SQLite has ended the transaction, so that the changed rows are not known.
  var hasFailed: Bool { failure != nil || !database.writer.handle.sqlite.isInTransaction }
  /// The completions that are called after the end, in order.
  var completions: [TransactionCompletion] = []
  /// The number of statements that have changed rows.
  @exclusivity(unchecked)
  private var rowWrites = 0
  /// The collection in which the last stored row was new. The next one that is stored there is probably new, too. It is
  /// kept from one transaction to the next.
  private var insertsInto: Int64?
  /// nil unless `YapDatabaseOptions.detectsMutationAfterSet` is set.
  var objectWatch: MutationWatch?
  var metadataWatch: MutationWatch?

  func beginWriting(snapshot: UInt64, laneWait: UInt64?) {
    isRolledBack = false
    dropsNames = false
    failure = nil
    if database.options.detectsMutationAfterSet {
      objectWatch = MutationWatch(database.objectCodecs, noun: "object")
      metadataWatch = MutationWatch(database.metadataCodecs, noun: "metadata")
    }
    beginUpkeep(connection.follower.adopted?.states)
    begin(snapshot: snapshot, laneWait: laneWait)
  }

  /// Checks, after the block has returned, that the transaction can be committed.
  /// - Throws: the failure of a change; `snapshotLost` if SQLite has ended the transaction; the errors of
  ///   `MutationWatch`.
  func checkAtEnd() throws {
    if let failure { throw failure }
    guard database.writer.handle.sqlite.isInTransaction else { throw Self.undone }
    if isRolledBack || !database.options.detectsMutationAfterSet { return }
    try objectWatch?.check(changes, .object)
    try metadataWatch?.check(changes, .metadata)
  }

  /// Sets the value that the commit carries to other connections for a part of a row.
  /// - Parameters:
  ///   - value: nil if they read the value themselves.
  ///   - index: the index of the row's key in the collection's changes.
  func setCarried(_ value: CarriedValue?, of part: RowPart, at index: Int, in collection: CollectionName) {
    carriesValues = true
    changedValues.set(value, for: part, at: index, in: collection.name)
  }

  /// Drops the carried values of a row that was removed.
  func dropCarriedValues(at index: Int, in collection: CollectionName) {
    if carriesValues { changedValues.remove(at: index, in: collection.name) }
  }

  /// Drops the carried values of a collection that was cleared; nil for all.
  func dropCarriedValues(in collection: CollectionName?) {
    guard carriesValues else { return }
    if let collection { changedValues.removeAll(in: collection.name) } else { _ = takeChangedValues() }
  }

  /// Removes and returns the values of the changed rows.
  func takeChangedValues() -> ChangedValues {
    var taken = ChangedValues()
    guard carriesValues else { return taken }
    swap(&taken, &changedValues)
    carriesValues = false
    return taken
  }

  func dropChanges() {
    if !changes.isUntouched { _ = changes.take() }
    _ = takeChangedValues()
  }

  /// Makes the transaction end without a commit. The block continues. Changes before and after this call are discarded
  /// when the block has ended.
  public func rollback() throws {
    try checkMayBeUsed()
    isRolledBack = true
  }

  /// Attaches a value to the commit's notification. With a value, a transaction that changes no rows is committed too.
  public func setCustomObject(_ object: (any Sendable)?) throws {
    try checkMayBeUsed()
    var replaced = object.map { CustomObject($0) }
    swap(&changes.customObject, &replaced)  // the replaced object is released after the access
  }

  /// The value that `setCustomObject` has attached to the commit; nil if there is none.
  /// - Throws: `transactionEnded`.
  public var customObject: (any Sendable)? {
    get throws {
      try checkMayBeUsed()
      return changes.customObject?.value
    }
  }

  // MARK: Changing rows

  /// Runs `body`. If it throws, its changes may be incomplete, so the transaction will be rolled back.
  func failTransactionOnError<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      failure = failure ?? error
      throw error
    }
  }

  /// Runs `body`, which may change the database. Once `failure` is set, every further call throws it.
  ///
  /// If `body` finds no row to change, this does not count as a change, so it is allowed inside an enumeration.
  // Inlined, because the contexts of closures would take longer than the checks.
  @inline(__always)
  func change<Result>(_ body: (EngineHandle) throws -> Result) throws -> Result {
    let handle = try handle()
    if let failure { throw failure }
    try checkMayWrite()
    // Some errors end SQLite's transaction, even the error of a read that the block has caught. Each later write would
    // then be committed individually.
    guard handle.sqlite.isInTransaction else {
      failure = Self.undone
      throw Self.undone
    }
    let writesBefore = rowWrites
    do {
      defer { if rowWrites != writesBefore { mutations += 1 } }
      return try body(handle)
    } catch {
      // A value that cannot be encoded changes nothing, unless its codec throws after it has passed on the bytes.
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
  func update(
    _ row: RowKey,
    byKey: Statement,
    byRowid: Statement,
    binding first: UnsafeRawBufferPointer?,
    _ second: UnsafeRawBufferPointer?? = .none,
    on handle: EngineHandle
  ) throws -> Bool {
    if let rowid = caches.rowids.value(for: row) {
      let count = try write(byRowid, row: row, rowid: rowid, binding: first, second, on: handle)
      if count > 0 { return true }
    }
    return try write(byKey, row: row, binding: first, second, on: handle) > 0
  }

  /// Stores a row, or replaces the existing one.
  /// - Returns: the rowid of a new row; nil if there was one.
  func store(
    _ row: RowKey,
    object: UnsafeRawBufferPointer,
    metadata: UnsafeRawBufferPointer?,
    on handle: EngineHandle
  ) throws -> Int64? {
    if insertsInto == row.collection {
      // One statement searches once, even if the row exists.
      handle.sqlite.lastInsertedRowid = 0
      _ = try write(.upsertRow, row: row, binding: object, .some(metadata), on: handle)
      let rowid = handle.sqlite.lastInsertedRowid
      if rowid != 0 { return rowid }
      insertsInto = nil
      return nil
    }
    if try update(
      row,
      byKey: .updateRow,
      byRowid: .updateRowByRowid,
      binding: object,
      .some(metadata),
      on: handle
    ) {
      return nil
    }
    _ = try write(.insertRow, row: row, binding: object, .some(metadata), on: handle)
    insertsInto = row.collection
    return handle.sqlite.lastInsertedRowid
  }

  /// Runs a statement that changes a row, and returns the number of changed rows.
  func write(
    _ kind: Statement,
    row: RowKey,
    rowid: Int64? = nil,
    binding first: UnsafeRawBufferPointer?,
    _ second: UnsafeRawBufferPointer?? = .none,
    on handle: EngineHandle
  ) throws -> Int {
    try handle.with(kind, collection: row.collection, key: row.key.text, rowid: rowid) { statement in
      if let first { try statement.bindBlob(first, at: 3) } else { try statement.bindNull(at: 3) }
      if let second {
        if let second { try statement.bindBlob(second, at: 4) } else { try statement.bindNull(at: 4) }
      }
      _ = try statement.step()
      return noteChanges(handle)
    }
  }

  /// Returns the number of rows that the last statement changed, and counts the statement if it changed any.
  func noteChanges(_ handle: EngineHandle) -> Int {
    let changes = handle.sqlite.changes
    if changes > 0 { rowWrites += 1 }
    return changes
  }

  // MARK: Completions

  /// Calls `completion` when the transaction has ended, whether it was committed or rolled back.
  ///
  /// Completions on the same serial queue are called in the order in which they were added, before the completion of
  /// the call that runs the transaction. Without a `queue`, the completion runs on the database's notification queue.
  public func addCompletion(
    queue: DispatchQueue? = nil,
    _ completion: @escaping @Sendable (YapDatabaseOutcome) -> Void
  ) throws {
    try checkMayBeUsed()
    completions.append(TransactionCompletion(queue: queue, body: completion))
  }

  /// Calls the completions. Must be called once the transaction has ended.
  func callCompletions(_ outcome: YapDatabaseOutcome, otherwise queue: DispatchQueue) {
    for completion in completions { (completion.queue ?? queue).async { [body = completion.body] in body(outcome) } }
  }
}

/// A completion that was added inside a transaction's block.
struct TransactionCompletion {
  let queue: DispatchQueue?
  let body: @Sendable (YapDatabaseOutcome) -> Void
}
