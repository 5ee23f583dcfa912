public import Foundation

/// Questions about the changes of commits, answered for the union of the modifications; false if there are none.
///
/// A removal is a change of both object and metadata; a touch is a change of the touched parts. If a collection was
/// cleared, the answer for each of its keys is true.
extension YapDatabaseConnection {
  public func hasChange(forCollection collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(in: collection)
  }

  public func hasObjectChange(forCollection collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(in: collection, of: .object)
  }

  public func hasMetadataChange(forCollection collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(in: collection, of: .metadata)
  }

  public func hasChange(
    forKey key: String,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: CollectionOfOne(key), in: collection)
  }

  public func hasObjectChange(
    forKey key: String,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: CollectionOfOne(key), in: collection, of: .object)
  }

  public func hasMetadataChange(
    forKey key: String,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: CollectionOfOne(key), in: collection, of: .metadata)
  }

  public func hasChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: keys, in: collection)
  }

  public func hasObjectChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: keys, in: collection, of: .object)
  }

  public func hasMetadataChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: keys, in: collection, of: .metadata)
  }

  /// Whether one call removed all rows of the collection, or all rows of all collections.
  public func didClearCollection(_ collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).didClear(collection)
  }

  /// Whether all rows of all collections were removed by one call.
  public func didClearAllCollections(in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).didClearAll()
  }

  /// Calls `block` once with each key that was changed individually. Keys that were removed only by clearing their
  /// collection are not included: call `didClearCollection(_:in:)` first.
  public func enumerateChangedKeys(
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification],
    using block: (_ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    var stop = false
    for key in ChangeInspection(modifications: modifications).changedKeys(in: collection) where !stop {
      try block(key.text, &stop)
    }
  }

  /// Calls `block` once with each collection and key that was changed individually, collection by collection. Clearings
  /// are not included: call `didClearCollection(_:in:)` and `didClearAllCollections(in:)` first.
  public func enumerateChangedCollectionKeys(
    in modifications: [YapDatabaseModification],
    using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    var stop = false
    for (collection, keys) in ChangeInspection(modifications: modifications).changedCollectionKeys() {
      for key in keys {
        try block(collection.text, key.text, &stop)
        if stop { return }
      }
    }
  }

  /// Returns the modifications that the notifications carry. Other notifications are ignored.
  public func modifications(in notifications: some Sequence<Notification>) -> [YapDatabaseModification] {
    notifications.compactMap { YapDatabaseModification($0) }
  }
}

/// Questions about commits, answered from the notifications that announced them
/// (`Notification.Name.YapDatabaseModified`). The answers are those for the modifications that the notifications carry;
/// other notifications are ignored.
extension YapDatabaseConnection {
  public func hasChange(forCollection collection: String, in notifications: some Sequence<Notification>) -> Bool {
    hasChange(forCollection: collection, in: modifications(in: notifications))
  }

  public func hasObjectChange(forCollection collection: String, in notifications: some Sequence<Notification>) -> Bool {
    hasObjectChange(forCollection: collection, in: modifications(in: notifications))
  }

  public func hasMetadataChange(
    forCollection collection: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasMetadataChange(forCollection: collection, in: modifications(in: notifications))
  }

  public func hasChange(
    forKey key: String,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forKey: key, inCollection: collection, in: modifications(in: notifications))
  }

  public func hasObjectChange(
    forKey key: String,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasObjectChange(forKey: key, inCollection: collection, in: modifications(in: notifications))
  }

  public func hasMetadataChange(
    forKey key: String,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasMetadataChange(forKey: key, inCollection: collection, in: modifications(in: notifications))
  }

  public func hasChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forAnyKeys: keys, inCollection: collection, in: modifications(in: notifications))
  }

  public func hasObjectChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasObjectChange(forAnyKeys: keys, inCollection: collection, in: modifications(in: notifications))
  }

  public func hasMetadataChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasMetadataChange(forAnyKeys: keys, inCollection: collection, in: modifications(in: notifications))
  }

  /// Whether one call removed all rows of the collection, or all rows of all collections.
  public func didClearCollection(_ collection: String, in notifications: some Sequence<Notification>) -> Bool {
    didClearCollection(collection, in: modifications(in: notifications))
  }

  /// Whether all rows of all collections were removed by one call.
  public func didClearAllCollections(in notifications: some Sequence<Notification>) -> Bool {
    didClearAllCollections(in: modifications(in: notifications))
  }

  /// Calls `block` once with each key that was changed individually. Clearings are not included.
  public func enumerateChangedKeys(
    inCollection collection: String = "",
    in notifications: some Sequence<Notification>,
    using block: (_ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    try enumerateChangedKeys(inCollection: collection, in: modifications(in: notifications), using: block)
  }

  /// Calls `block` once with each collection and key that was changed individually. Clearings are not included.
  public func enumerateChangedCollectionKeys(
    in notifications: some Sequence<Notification>,
    using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    try enumerateChangedCollectionKeys(in: modifications(in: notifications), using: block)
  }

  // MARK: Views

  public func hasChange(forView view: String, in notifications: some Sequence<Notification>) -> Bool {
    hasChange(forView: view, in: modifications(in: notifications))
  }

  public func hasChange(
    forGroup group: String,
    inView view: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forGroup: group, inView: view, in: modifications(in: notifications))
  }

  public func hasChange(
    forAnyGroups groups: some Sequence<String>,
    inView view: String,
    in notifications: some Sequence<Notification>
  ) -> Bool {
    hasChange(forAnyGroups: groups, inView: view, in: modifications(in: notifications))
  }
}
