public import Foundation

/// Questions about commits, answered from the notifications that announced them
/// (`Notification.Name.YapDatabaseModified`). The answers are those for the modifications that the notifications carry;
/// other notifications are ignored.
extension YapDatabaseConnection {
  public func hasChange(forCollection collection: String, in notifications: some Sequence<Notification>) -> Bool {
    hasChange(forCollection: collection, in: carried(notifications))
  }

  public func hasObjectChange(
    forCollection collection: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasObjectChange(forCollection: collection, in: carried(notifications))
  }

  public func hasMetadataChange(
    forCollection collection: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasMetadataChange(forCollection: collection, in: carried(notifications))
  }

  public func hasChange(
    forKey key: String,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forKey: key, inCollection: collection, in: carried(notifications))
  }

  public func hasObjectChange(
    forKey key: String,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasObjectChange(forKey: key, inCollection: collection, in: carried(notifications))
  }

  public func hasMetadataChange(
    forKey key: String,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasMetadataChange(forKey: key, inCollection: collection, in: carried(notifications))
  }

  public func hasChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forAnyKeys: keys, inCollection: collection, in: carried(notifications))
  }

  public func hasObjectChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasObjectChange(forAnyKeys: keys, inCollection: collection, in: carried(notifications))
  }

  public func hasMetadataChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasMetadataChange(forAnyKeys: keys, inCollection: collection, in: carried(notifications))
  }

  /// Whether all rows of the collection were removed by one call.
  public func didClearCollection(_ collection: String, in notifications: some Sequence<Notification>) -> Bool {
    didClearCollection(collection, in: carried(notifications))
  }

  /// Whether all rows of all collections were removed by one call.
  public func didClearAllCollections(in notifications: some Sequence<Notification>) -> Bool {
    didClearAllCollections(in: carried(notifications))
  }

  /// Calls `block` once with each key that was changed individually. Keys of a cleared collection are not included.
  public func enumerateChangedKeys(
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>,
    using block: (_ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    try enumerateChangedKeys(inCollection: collection, in: carried(notifications), using: block)
  }

  /// Calls `block` once with each collection and key that was changed individually. Keys of cleared collections are not
  /// included.
  public func enumerateChangedCollectionKeys(
    in notifications: some Sequence<Notification>,
    using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    try enumerateChangedCollectionKeys(in: carried(notifications), using: block)
  }

  // MARK: Views

  public func hasChange(forView view: String, in notifications: some Sequence<Notification>) -> Bool {
    hasChange(forView: view, in: carried(notifications))
  }

  public func hasChange(
    forGroup group: String,
    inView view: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forGroup: group, inView: view, in: carried(notifications))
  }

  public func hasChange(
    forAnyGroups groups: some Sequence<String>,
    inView view: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forAnyGroups: groups, inView: view, in: carried(notifications))
  }

  private func carried(_ notifications: some Sequence<Notification>) -> [YapDatabaseModification] {
    notifications.compactMap { YapDatabaseModification($0) }
  }
}
