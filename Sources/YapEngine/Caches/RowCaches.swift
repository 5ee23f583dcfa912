/// A connection's caches of objects, metadata and rowids, each with its own limit.
///
/// A class, so that transactions can hold it beside their connection. The connection has weak references, which make
/// each retain and release of it several times as slow, and there would be one of each per row.
final class RowCaches {
  var objects: ValueCache
  var metadata: ValueCache
  var rowids: RowidCache
  /// The collection of the last call. The next call usually names the same one.
  var lastCollection: CollectionName?
  private let omissions: Omissions<Omission>

  init(_ settings: YapDatabaseConnectionDefaults, _ database: YapDatabase, _ counters: CacheCounters) {
    let omissions = database.options.testHooks.omissions
    objects = ValueCache(
      limit: settings.objectCacheLimit,
      policies: database.objectPolicies,
      counters: counters.objects,
      omissions: omissions.values
    )
    metadata = ValueCache(
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
    objects.follow(changes, values, .objects)
    metadata.follow(changes, values, .metadata)
    rowids.follow(changes)
  }

  /// Records the rowid at which a row was found or inserted. A rowid is useful only for rows whose values are cached
  /// too. When the cache is full, most rows are read only once, and recording all their rowids would make such reads
  /// 10% slower.
  func noteRowid(_ rowid: Int64, of row: RowKey) {
    if objects.hasRoom { rowids.set(rowid, for: row) }
  }

  // MARK: What this connection's own transaction does

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

  /// Rolls back a transaction with these changes. Any cached value may have been stored or decoded by that transaction,
  /// so all values are dropped.
  func undo(_ changes: ChangeSet) {
    if !omissions.has(.keepsRolledBackValues) {
      objects.removeAll()
      metadata.removeAll()
    }
    if !omissions.has(.keepsRolledBackRowids) { rowids.undo(changes) }
  }
}
