public import Foundation

/// What commits changed: each question is answered for the union of the modifications. An empty list answers no.
///
/// A removal is a change of the object and of the metadata; so is a touch of what was touched. A cleared collection
/// answers yes for each of its keys.
extension YapDatabaseConnection {
  public func hasChange(forCollection collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(in: collection)
  }

  public func hasObjectChange(forCollection collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(in: collection, .object)
  }

  public func hasMetadataChange(
    forCollection collection: String,
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(in: collection, .metadata)
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
    ChangeInspection(modifications: modifications).hasChange(anyOf: CollectionOfOne(key), in: collection, .object)
  }

  public func hasMetadataChange(
    forKey key: String,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: CollectionOfOne(key), in: collection, .metadata)
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
    ChangeInspection(modifications: modifications).hasChange(anyOf: keys, in: collection, .object)
  }

  public func hasMetadataChange(
    forAnyKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    in modifications: [YapDatabaseModification]
  ) -> Bool {
    ChangeInspection(modifications: modifications).hasChange(anyOf: keys, in: collection, .metadata)
  }

  /// Whether every row of the collection was removed at once.
  public func didClearCollection(_ collection: String, in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).didClear(collection)
  }

  /// Whether every row of every collection was removed at once.
  public func didClearAllCollections(in modifications: [YapDatabaseModification]) -> Bool {
    ChangeInspection(modifications: modifications).didClearAll()
  }

  /// Calls `block` with each key that was changed by itself, once. Keys of a cleared collection are not among them:
  /// ask `didClearCollection(_:in:)` first.
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

  /// Calls `block` with each collection and key that was changed by itself, once, collection by collection. Keys of
  /// cleared collections are not among them: ask `didClearCollection(_:in:)` and `didClearAllCollections(in:)` first.
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

  /// The modifications that notifications carry; notifications of anything else are left out.
  public func modifications(in notifications: [Notification]) -> [YapDatabaseModification] {
    notifications.compactMap { YapDatabaseModification($0) }
  }
}
