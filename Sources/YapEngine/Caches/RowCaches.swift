/// A connection's caches of objects, metadata and rowids, each with its own limit.
///
/// A class, so that transactions can refer to it directly. Otherwise each row would retain and release the connection,
/// and weak references to the connection make that several times as slow.
final class RowCaches {
  var objects: ValueCache
  var metadata: ValueCache
  var rowids: RowidCache
  /// The collection of the last call. The next call usually names the same one.
  var lastCollection: CollectionName?
  private let omissions: Omissions<Omission>

  init(_ settings: YapDatabaseConnectionDefaults, of database: YapDatabase, counters: CacheCounters) {
    let omissions = database.options.testHooks.omissions
    objects = ValueCache(
      of: .object,
      limit: settings.objectCacheLimit,
      policies: database.objectPolicies,
      counters: counters.objects,
      omissions: omissions.values
    )
    metadata = ValueCache(
      of: .metadata,
      limit: settings.metadataCacheLimit,
      policies: database.metadataPolicies,
      counters: counters.metadata,
      omissions: omissions.values
    )
    self.omissions = omissions.caches
    rowids = RowidCache(limit: settings.rowidCacheLimit)
    apply(settings)
  }

  func apply(_ settings: YapDatabaseConnectionDefaults) {
    objects.isEnabled = settings.objectCacheEnabled
    objects.limit = settings.objectCacheLimit
    objects.policies.ofConnection = settings.objectPolicy
    metadata.isEnabled = settings.metadataCacheEnabled
    metadata.limit = settings.metadataCacheLimit
    metadata.policies.ofConnection = settings.metadataPolicy
    rowids.limit = settings.rowidCacheLimit
  }

  /// Follows a commit of another connection.
  func follow(_ commit: Commit) {
    let changes = commit.changes
    let values = commit.values?.current ?? ChangedValues()
    objects.follow(changes, carrying: values)
    metadata.follow(changes, carrying: values)
    rowids.follow(changes)
  }

  /// Records the rowid at which a row was found or inserted. A rowid is useful only for rows whose values are cached
  /// too. When the object cache is full, most rows are read only once, and recording all their rowids would make such
  /// reads 10% slower.
  func noteRowid(_ rowid: Int64, of row: RowKey) {
    if objects.hasRoom { rowids.set(rowid, for: row) }
  }

  // MARK: Changes by this connection's own transactions

  func remove(_ row: RowKey) {
    objects.remove(row)
    metadata.remove(row)
    rowids.remove(row)
  }

  func removeAll(inCollection collection: Int64) {
    objects.removeAll(inCollection: collection)
    metadata.removeAll(inCollection: collection)
    rowids.removeAll(inCollection: collection)
  }

  func removeAll() {
    objects.removeAll()
    metadata.removeAll()
    rowids.removeAll()
  }

  /// Drops what a rolled-back transaction with these changes may have cached. It may have stored or decoded any value,
  /// so all values are dropped.
  func undo(_ changes: ChangeSet) {
    if !omissions.has(.keepsRolledBackValues) {
      objects.removeAll()
      metadata.removeAll()
    }
    if !omissions.has(.keepsRolledBackRowids) { rowids.undo(changes) }
  }
}

/// Rowids of rows in the data table, which save a search of the key index.
///
/// A rowid is a hint: statements that use one compare the key as well, because SQLite reuses the rowids of removed
/// rows. A cached rowid does prove that its row exists.
typealias RowidCache = LRUCache<Int64>

extension RowidCache {
  /// Follows a commit of another connection. A row that was removed and set again may have a different rowid.
  mutating func follow(_ changes: CommittedChanges) {
    if count == 0 { return }
    switch changes {
    case .row(let changed): if changed.change.contains(.removed) { remove(changed.row) }
    case .set(let set): follow(set.changes)
    }
  }

  private mutating func follow(_ changes: ChangeSet) {
    if changes.isEverythingRemoved { return removeAll() }
    guard changes.removesSomething else { return }
    for changed in changes.collections.entries {
      let collection = changed.value
      if collection.isCleared {
        removeAll(inCollection: collection.number)
      } else {
        forget(collection) { $0.contains(.removed) }
      }
    }
  }

  /// Drops the rowids of rows that a rolled-back transaction changed. Other rows keep theirs.
  mutating func undo(_ changes: ChangeSet) {
    for changed in changes.collections.entries { forget(changed.value) { _ in true } }
  }

  private mutating func forget(_ collection: CollectionChanges, where isOutdated: (KeyChange) -> Bool) {
    if collection.keys.count > count {
      for row in keys where row.collection == collection.number {
        if let change = collection.keys[row.key], isOutdated(change) { remove(row) }
      }
    } else {
      for entry in collection.keys.entries where isOutdated(entry.value) {
        remove(RowKey(collection: collection.number, key: entry.key))
      }
    }
  }
}
