public import Foundation

/// A view as a connection sees it: the changes of the view by commits. `connection.ext("view")` returns it.
public struct YapDatabaseViewConnection: Sendable {
  public let connection: YapDatabaseConnection
  /// The name under which the view is registered.
  public let name: String

  /// Moves the mappings to the connection's snapshot, and returns the changes to make to a list that shows them: see
  /// `YapDatabaseViewTransaction.changes(for:with:)`.
  /// - Throws: The errors of `read` and of `changes(for:with:)`; `notRegistered`. `nestedTransaction` inside a
  ///   transaction of the connection: call `changes` there.
  public func getChanges(
    forNotifications modifications: [YapDatabaseModification],
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> YapDatabaseViewChanges {
    try connection.read { transaction in
      let view = YapDatabaseViewTransaction(transaction: transaction, name: name)
      guard transaction.viewState(named: ByteString(name)) != nil else { throw view.notRegistered }
      return try view.changes(for: modifications, with: mappings)
    }
  }

  /// Whether commits have changed the contents of the view or touched a row in it.
  public func hasChanges(for modifications: [YapDatabaseModification]) -> Bool {
    connection.hasChange(forView: name, in: modifications)
  }

  /// Whether commits have changed the contents of a group or touched a row in it.
  public func hasChanges(forGroup group: String, in modifications: [YapDatabaseModification]) -> Bool {
    connection.hasChange(forGroup: group, inView: name, in: modifications)
  }

  /// Whether commits have changed the contents of one of the groups or touched a row in it.
  public func hasChanges(
    forAnyGroups groups: some Sequence<String>,
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    connection.hasChange(forAnyGroups: groups, inView: name, in: modifications)
  }

  /// Returns the number of recorded changes of rows of the view: see
  /// `YapDatabaseConnection.numberOfRawChanges(forView:in:)`.
  public func numberOfRawChanges(forNotifications modifications: [YapDatabaseModification]) -> Int {
    connection.numberOfRawChanges(forView: name, in: modifications)
  }
}

/// The same with the notifications of commits.
extension YapDatabaseViewConnection {
  public func getChanges(
    forNotifications notifications: some Sequence<Notification>,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> YapDatabaseViewChanges {
    try getChanges(forNotifications: connection.modifications(in: notifications), withMappings: mappings)
  }

  public func hasChanges(for notifications: some Sequence<Notification>) -> Bool {
    hasChanges(for: connection.modifications(in: notifications))
  }

  public func hasChanges(forGroup group: String, in notifications: some Sequence<Notification>) -> Bool {
    hasChanges(forGroup: group, in: connection.modifications(in: notifications))
  }

  public func hasChanges(
    forAnyGroups groups: some Sequence<String>,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChanges(forAnyGroups: groups, in: connection.modifications(in: notifications))
  }

  public func numberOfRawChanges(forNotifications notifications: some Sequence<Notification>) -> Int {
    numberOfRawChanges(forNotifications: connection.modifications(in: notifications))
  }
}

extension YapDatabaseConnection {
  /// Returns the view of a name for questions about its changes. The name is not checked.
  public func ext(_ name: String) -> YapDatabaseViewConnection {
    YapDatabaseViewConnection(connection: self, name: name)
  }
}
