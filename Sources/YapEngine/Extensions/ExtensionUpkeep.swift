/// Keeps the extensions up to date while a read-write transaction changes rows. It holds their states as the
/// transaction sees them. A commit takes these states over; a rollback drops them.
final class ExtensionUpkeep {
  private var views: [ViewUpkeep]
  /// Whether closures of an extension are running. They must not write.
  private(set) var isWorking = false
  /// Whether extensions were registered or unregistered, or the definition of a view was replaced.
  private var isRegistryChanged = false
  /// The number of calls that may have changed the contents of extensions.
  private(set) var changeCount = 0

  init(_ states: ExtensionStates, for transaction: YapDatabaseReadWriteTransaction) {
    views = states.registered.map { ViewUpkeep($0, in: transaction) }
  }

  func state(named name: ByteString) -> ViewState? { views.first { $0.name == name }?.state }

  func definition(named name: ByteString) -> YapDatabaseView? { views.first { $0.name == name }?.view }

  // MARK: Rows

  /// Updates the extensions after a row was stored, changed or touched.
  func didStore(_ row: ViewedRow, _ change: KeyChange) throws {
    changeCount += 1
    try working {
      for view in views {
        let skipped = try view.didStore(row, change)
        if skipped.isEmpty { continue }
        let dependants = states.dependants(of: view.name)
        for other in views where other.view.parentViewName != nil && dependants.contains(other.name) {
          skipped.forEach(other.leaveOut)
        }
      }
    }
  }

  /// Updates the extensions after a row was removed.
  func didRemove(_ row: RowKey, rowid: Int64) {
    changeCount += 1
    for view in views { view.didRemove(row, rowid: rowid) }
  }

  /// Updates the extensions after all rows of a collection were removed.
  func didRemove(_ rows: [Int64: RowKey], ofCollection collection: ByteString) {
    changeCount += 1
    for view in views { view.didRemove(rows, ofCollection: collection) }
  }

  func didRemoveEverything() {
    changeCount += 1
    for view in views { view.didRemoveEverything() }
  }

  /// Records that a row was touched in one view only.
  func noteTouch(_ change: KeyChange, of row: RowKey, rowid: Int64, inView name: ByteString) {
    views.first { $0.name == name }?.noteTouch(change, of: row, rowid: rowid)
  }

  /// Runs closures of extensions, which must not write.
  func working<Result>(_ body: () throws -> Result) rethrows -> Result {
    isWorking = true
    defer { isWorking = false }
    return try body()
  }

  // MARK: Registration

  /// Adds a view that was loaded or populated.
  func add(_ registered: ExtensionStates.Registered, to transaction: YapDatabaseReadWriteTransaction) {
    views.append(ViewUpkeep(registered, in: transaction, isNew: true))
    isRegistryChanged = true
  }

  func remove(_ names: Set<ByteString>) {
    views.removeAll { names.contains($0.name) }
    isRegistryChanged = true
  }

  /// Replaces the definition of a view, determines the positions of its rows again, and then does the same with the
  /// views that depend on it. Stores the version tags.
  /// - Parameter scope: The rows of the view whose positions are determined again. Of a view that depends on it, these
  ///   are all rows, or those that it contains if its options say that it begins empty.
  func rearrange(
    _ scope: ViewUpkeep.Rearrangement,
    of name: ByteString,
    by definition: YapDatabaseView,
    on handle: EngineHandle
  ) throws {
    let dependants = states.dependants(of: name)
    changeCount += 1
    isRegistryChanged = true
    try working {
      for view in views where dependants.contains(view.name) {
        if view.name == name {
          try view.rearrange(scope, by: definition)
        } else {
          try view.rearrange(view.view.options.skipsInitialPopulation ? .containedRows : .allRows, by: view.view)
        }
      }
    }
    let states = states
    for view in views where dependants.contains(view.name) {
      guard let number = view.number else { continue }
      try ExtensionTable(handle: handle).set(StoredTag(of: view.view, among: states), of: number)
    }
  }

  // MARK: Committing

  /// Stores the changed pages of views.
  /// - Parameter changes: The change set to which the changes of views are added.
  /// - Returns: The extensions that the commit carries; nil if the transaction changes no extension.
  func finish(_ changes: inout ChangeSet, _ handle: EngineHandle) throws -> ExtensionSnapshot? {
    var isChanged = isRegistryChanged
    for view in views where !view.changes.isEmpty {
      try view.store(handle)
      changes.views[view.name] = view.changes
      isChanged = true
    }
    guard isChanged else { return nil }
    return ExtensionSnapshot(states)
  }

  var states: ExtensionStates { ExtensionStates(registered: views.map(\.registered)) }
}

/// Passes changes of rows to the extensions. Without extensions `upkeep` is nil, and that check is the only cost.
///
/// If an update of the extensions fails, the transaction is rolled back at its end, because the rows are changed
/// already, but the extensions only in part.
extension YapDatabaseReadWriteTransaction {
  /// - Parameter states: The extensions of the commit on which the transaction builds.
  func beginUpkeep(_ states: ExtensionStates?) {
    upkeep = states.flatMap { $0.registered.isEmpty ? nil : ExtensionUpkeep($0, for: self) }
  }

  /// Updates the extensions after a row was stored, changed or touched.
  /// - Parameters:
  ///   - rowid: nil if it is not known.
  ///   - parts: The parts that are passed in `object` and `metadata`.
  func notifyExtensions(
    of change: KeyChange,
    to row: RowKey,
    in collection: CollectionName,
    rowid: Int64? = nil,
    parts: RowPart = [],
    object: Any? = nil,
    metadata: Any? = nil
  ) throws {
    guard let upkeep else { return }
    try failTransactionOnError {
      guard let rowid = try rowid ?? self.rowid(of: row) else { return }
      let row = ViewedRow(
        rowid: rowid,
        row: row,
        collection: collection.name,
        parts: parts,
        object: object,
        metadata: metadata
      )
      try upkeep.didStore(row, change)
    }
  }

  /// Returns the rows of a collection that is about to be cleared, by rowid; empty if there are no extensions.
  func rowsForExtensions(of collection: CollectionName) throws -> [Int64: RowKey] {
    guard upkeep != nil else { return [:] }
    var rows: [Int64: RowKey] = [:]
    try enumerateViewedRows(inCollection: collection.name, []) { rows[$0.rowid] = $0.row }
    return rows
  }

  /// Throws `writeInView` while closures of an extension run: they may read in the transaction, but not write.
  func checkMayWrite() throws {
    guard upkeep?.isWorking == true else { return }
    throw YapDatabaseError(
      .writeInView,
      "a closure of a view tried to change the database, but it may only read: make the change outside the closure"
    )
  }

  /// Stores the changes of the extensions. If rows were changed or touched, also removes the stored contents of
  /// extensions that are not registered. Has to be called after the last change and before the commit.
  /// - Returns: The extensions that the commit carries; nil if the transaction changes no extension.
  func finishExtensions() throws -> ExtensionSnapshot? {
    if database.writer.mayHaveLeftOvers, changes.concernsRows {
      try database.writer.removeLeftOvers(connection.follower.adopted?.states)
    }
    return try upkeep?.finish(&changes, database.writer.handle)
  }
}
