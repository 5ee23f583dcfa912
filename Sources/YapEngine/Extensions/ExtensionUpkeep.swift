/// Keeps the extensions up to date while a read-write transaction changes rows. It holds their states as the
/// transaction sees them. A commit takes these states over; a rollback drops them.
final class ExtensionUpkeep {
  private var views: [ViewUpkeep]
  /// Whether closures of an extension are running. They must not write.
  private(set) var isWorking = false
  /// Whether extensions were registered or unregistered.
  private var isRegistryChanged = false

  init(_ states: ExtensionStates, for transaction: YapDatabaseReadWriteTransaction) {
    views = states.registered.map { ViewUpkeep($0, transaction) }
  }

  func state(named name: ByteString) -> ViewState? { views.first { $0.name == name }?.state }

  // MARK: Rows

  /// Updates the extensions after a row was stored, changed or touched.
  func didStore(_ row: ViewedRow, _ change: KeyChange) throws {
    try working { for view in views { try view.didStore(row, change) } }
  }

  /// Updates the extensions after a row was removed.
  func didRemove(_ row: RowKey, rowid: Int64) {
    for view in views { view.didRemove(row, rowid: rowid) }
  }

  /// Updates the extensions after all rows of a collection were removed.
  func didRemove(_ rows: [Int64: RowKey], ofCollection collection: ByteString) {
    for view in views { view.didRemove(rows, ofCollection: collection) }
  }

  func didRemoveEverything() {
    for view in views { view.didRemoveEverything() }
  }

  private func working<Result>(_ body: () throws -> Result) rethrows -> Result {
    isWorking = true
    defer { isWorking = false }
    return try body()
  }

  // MARK: Registration

  /// Adds a view that was loaded or populated.
  func add(_ registered: ExtensionStates.Registered, _ transaction: YapDatabaseReadWriteTransaction) {
    views.append(ViewUpkeep(registered, transaction, isNew: true))
    isRegistryChanged = true
  }

  func remove(_ names: Set<ByteString>) {
    views.removeAll { names.contains($0.name) }
    isRegistryChanged = true
  }

  func populate(_ body: () throws -> ViewState) rethrows -> ViewState {
    try working(body)
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
