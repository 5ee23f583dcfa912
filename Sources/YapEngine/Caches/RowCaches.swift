/// What a connection remembers of rows: the objects, the metadata and where they lie, each with a limit of its own.
///
/// A class, which transactions hold beside their connection: to the connection there are weak references, for which
/// each retain and release of it takes several times as long, and that for every row.
final class RowCaches {
  var objects: ValueCache
  var metadata: ValueCache
  var rowids: RowidCache
  /// The collection that was named last, because the next call mostly names it again.
  var lastCollection: CollectionName?

  init(_ settings: YapDatabaseConnectionDefaults, _ database: YapDatabase, _ counters: CacheCounters) {
    objects = ValueCache(
      limit: settings.objectCacheLimit,
      policies: database.objectPolicies,
      counters: counters.objects
    )
    metadata = ValueCache(
      limit: settings.metadataCacheLimit,
      policies: database.metadataPolicies,
      counters: counters.metadata
    )
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

  /// Follows a commit that another connection made.
  func follow(_ commit: Commit, _ hooks: TestHooks) {
    let changes = commit.changes
    let values = commit.values?.current ?? ChangedValues()
    objects.follow(changes, values, .objects, hooks)
    metadata.follow(changes, values, .metadata, hooks)
    rowids.follow(changes)
  }

  /// A row was found, or made, at this rowid. It is of use for rows whose values are cached too; behind a full cache
  /// most rows pass by only once, and remembering them all would make such reads a tenth slower.
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

  /// A transaction with these changes is rolled back. Values that it stored or decoded may be anywhere in the caches.
  func undo(_ changes: ChangeSet, _ hooks: TestHooks) {
    if !hooks.has(.keepsRolledBackValues) {
      objects.removeAll()
      metadata.removeAll()
    }
    if !hooks.has(.keepsRolledBackRowids) { rowids.undo(changes) }
  }
}
