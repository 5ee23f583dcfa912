public import Foundation

/// Questions about the changes of commits, answered for the union of the modifications; false if there are none. The
/// modifications are given by themselves, or by the notifications that carry them.
///
/// A removal is a change of both object and metadata; a touch is a change of the touched parts. If a collection was
/// cleared, the answer for each of its keys is true.
extension YapDatabaseConnection {
  public func hasChange(
    forCollection collection: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(in: collection)
  }

  public func hasObjectChange(
    forCollection collection: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(in: collection, of: .object)
  }

  public func hasMetadataChange(
    forCollection collection: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(in: collection, of: .metadata)
  }

  public func hasChange(
    forKey key: String,
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(anyOf: CollectionOfOne(key), in: collection)
  }

  public func hasObjectChange(
    forKey key: String,
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(anyOf: CollectionOfOne(key), in: collection, of: .object)
  }

  public func hasMetadataChange(
    forKey key: String,
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(anyOf: CollectionOfOne(key), in: collection, of: .metadata)
  }

  public func hasChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(anyOf: keys, in: collection)
  }

  public func hasObjectChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(anyOf: keys, in: collection, of: .object)
  }

  public func hasMetadataChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).hasChange(anyOf: keys, in: collection, of: .metadata)
  }

  /// Whether one call removed all rows of the collection, or all rows of all collections.
  public func didClearCollection(
    _ collection: String,
    in changes: some Sequence<some YapDatabaseModificationCarrier>
  ) -> Bool {
    ChangeInspection(changes).didClear(collection)
  }

  /// Whether all rows of all collections were removed by one call.
  public func didClearAllCollections(in changes: some Sequence<some YapDatabaseModificationCarrier>) -> Bool {
    ChangeInspection(changes).didClearAll()
  }

  /// Calls `block` once with each key that was changed individually. Keys that were removed only by clearing their
  /// collection are not included: call `didClearCollection(_:in:)` first.
  public func enumerateChangedKeys(
    inCollection collection: String = "",
    in changes: some Sequence<some YapDatabaseModificationCarrier>,
    using block: (_ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    var stop = false
    for key in ChangeInspection(changes).changedKeys(in: collection) where !stop {
      try block(key.text, &stop)
    }
  }

  /// Calls `block` once with each collection and key that was changed individually, collection by collection. Clearings
  /// are not included: call `didClearCollection(_:in:)` and `didClearAllCollections(in:)` first.
  public func enumerateChangedCollectionKeys(
    in changes: some Sequence<some YapDatabaseModificationCarrier>,
    using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
  ) rethrows {
    var stop = false
    for (collection, keys) in ChangeInspection(changes).changedCollectionKeys() {
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
