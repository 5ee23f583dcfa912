/// What a connection remembers of rows: the objects and the metadata, each with a limit of its own.
///
/// Absent rows are never cached. The metadata cache knows "the row has no metadata", the object cache has nothing of
/// the kind.
struct RowCaches {
  /// nil while the cache is turned off.
  var objects: LRUCache<Any>?
  /// The inner nil stands for a row without metadata.
  var metadata: LRUCache<Any?>?
  let counters: CacheCounters

  /// Empties both, after a rollback or a gap.
  mutating func removeAll() {
    objects?.removeAll()
    metadata?.removeAll()
  }

  /// Follows a commit that another connection made.
  ///
  /// What was changed, removed or cleared is dropped: containment. A touch changes nothing.
  mutating func apply(_ changes: ChangeSet) {
    if changes.isEverythingRemoved {
      counters.droppedObjects.add(objects?.count ?? 0)
      counters.droppedMetadata.add(metadata?.count ?? 0)
      return removeAll()
    }
    for collection in changes.collections.values { apply(collection) }
  }

  private mutating func apply(_ changes: CollectionChanges) {
    if changes.isCleared {
      counters.droppedObjects.add(objects?.removeAll(inCollection: changes.number) ?? 0)
      counters.droppedMetadata.add(metadata?.removeAll(inCollection: changes.number) ?? 0)
      return
    }
    for (key, change) in changes.keys {
      let row = RowKey(collection: changes.number, key: key)
      if change.changesStoredObject, objects?.remove(row) == true { counters.droppedObjects.add(1) }
      if change.changesStoredMetadata, metadata?.remove(row) == true { counters.droppedMetadata.add(1) }
    }
  }
}
