/// A view as a connection sees it: the changes of the view by commits. `connection.ext("view")` returns it. The commits
/// are given by their modifications, or by the notifications that carry them.
public struct YapDatabaseViewConnection: Sendable {
  public let connection: YapDatabaseConnection
  /// The name under which the view is registered.
  public let name: String

  /// Moves the mappings to the connection's snapshot, and returns the changes to make to a list that shows them: see
  /// `YapDatabaseViewTransaction.changes(for:with:)`.
  /// - Throws: The errors of `read` and of `changes(for:with:)`; `notRegistered`. `nestedTransaction` inside a
  ///   transaction of the connection: call `changes` there.
  public func getChanges(
    forNotifications changes: some Sequence<some YapDatabaseModificationCarrier>,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> YapDatabaseViewChanges {
    try connection.read { transaction in
      let view = YapDatabaseViewTransaction(transaction: transaction, name: name)
      guard transaction.viewState(named: ByteString(name)) != nil else { throw view.notRegistered }
      return try view.changes(for: changes.compactMap(\.carriedModification), with: mappings)
    }
  }

  /// Whether commits have changed the contents of the view or touched a row in it.
  public func hasChanges(for changes: some Sequence<some YapDatabaseModificationCarrier>) -> Bool {
    connection.hasChange(forView: name, in: changes)
  }

  /// Whether commits have changed the contents of a group or touched a row in it.
  public func hasChanges(
    forGroup group: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    connection.hasChange(forGroup: group, inView: name, in: changes)
  }

  /// Whether commits have changed the contents of one of the groups or touched a row in it.
  public func hasChanges(
    forAnyGroups groups: some Sequence<String>,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    connection.hasChange(forAnyGroups: groups, inView: name, in: changes)
  }

  /// Returns the number of recorded changes of rows of the view: see
  /// `YapDatabaseConnection.numberOfRawChanges(forView:in:)`.
  public func numberOfRawChanges(forNotifications changes: some Sequence<some YapDatabaseModificationCarrier>) -> Int {
    connection.numberOfRawChanges(forView: name, in: changes)
  }
}

extension YapDatabaseConnection {
  /// Returns the view of a name for questions about its changes. The name is not checked.
  public func ext(_ name: String) -> YapDatabaseViewConnection {
    YapDatabaseViewConnection(connection: self, name: name)
  }
}
