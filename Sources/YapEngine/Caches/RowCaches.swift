/// A connection's caches of objects, metadata and rowids, each with its own limit, and the collection used last.
///
/// A class, so that transactions can refer to it directly. Otherwise each access to a row would retain and release the
/// connection, which is several times as slow for an object that has weak references.
final class RowCaches {
  var objects: ValueCache {
    @inline(__always) _read {
      objectUse.check()
      yield uncheckedObjects
    }
    @inline(__always) _modify {
      objectUse.begin()
      defer { objectUse.end() }
      yield &uncheckedObjects
    }
  }

  var metadata: ValueCache {
    @inline(__always) _read {
      metadataUse.check()
      yield uncheckedMetadata
    }
    @inline(__always) _modify {
      metadataUse.begin()
      defer { metadataUse.end() }
      yield &uncheckedMetadata
    }
  }

  // Swift's checks of exclusive access would take longer than a lookup. Because the lane orders all accesses, only code
  // that a cache calls could interfere: when it releases an object, the object's `deinit` may use the transaction.
  // `ExclusiveUse` finds that. The cache of rowids calls no such code.
  @exclusivity(unchecked)
  private var uncheckedObjects: ValueCache
  @exclusivity(unchecked)
  private var objectUse = ExclusiveUse()
  @exclusivity(unchecked)
  private var uncheckedMetadata: ValueCache
  @exclusivity(unchecked)
  private var metadataUse = ExclusiveUse()
  @exclusivity(unchecked)
  var rowids: RowidCache
  let counters: CacheCounters
  let objectPolicy: ConnectionPolicy
  let metadataPolicy: ConnectionPolicy
  /// The names of the collections. A database that is only read may see other names in each snapshot, so each of its
  /// connections has its own; otherwise all connections share them.
  var names: CollectionNames {
    didSet { lastCollection = nil }
  }
  /// The collection that was found last. The next call usually names the same collection.
  private var lastCollection: CollectionName?

  init(_ settings: YapDatabaseConnectionDefaults, of database: YapDatabase, counters: CacheCounters) {
    objectPolicy = ConnectionPolicy(database.objectPolicies)
    metadataPolicy = ConnectionPolicy(database.metadataPolicies)
    uncheckedObjects = ValueCache(
      of: .object,
      limit: settings.objectCacheLimit,
      policy: objectPolicy,
      counters: counters.objects
    )
    uncheckedMetadata = ValueCache(
      of: .metadata,
      limit: settings.metadataCacheLimit,
      policy: metadataPolicy,
      counters: counters.metadata
    )
    names = database.names
    self.counters = counters
    rowids = RowidCache(limit: settings.rowidCacheLimit)
    apply(settings)
  }

  func apply(_ settings: YapDatabaseConnectionDefaults) {
    objects.isEnabled = settings.objectCacheEnabled
    objects.limit = settings.objectCacheLimit
    objectPolicy.own = settings.objectPolicy
    metadata.isEnabled = settings.metadataCacheEnabled
    metadata.limit = settings.metadataCacheLimit
    metadataPolicy.own = settings.metadataPolicy
    rowids.limit = settings.rowidCacheLimit
  }

  /// Follows a commit of another connection, or a folded commit.
  func follow(_ commit: Commit) {
    let changes = commit.changes
    let values = commit.values?.current ?? ChangedValues()
    objects.follow(changes, carrying: values)
    metadata.follow(changes, carrying: values)
    rowids.follow(changes)
  }

  /// Records the rowid at which a row was found or inserted, unless the object cache is full or disabled. While the
  /// object cache is full, most rows are read only once, and recording their rowids would make such reads 10% slower.
  func noteRowid(_ rowid: Int64, of row: RowKey) {
    if objects.hasRoom { rowids.set(rowid, for: row) }
  }

  /// Caches an object that a read by key has decoded, and records the rowid at which it was found.
  func set(_ object: Any, for row: RowKey, foundAt rowid: Int64) {
    noteRowid(rowid, of: row)
    objects.set(object, for: row)
  }

  // MARK: Collections

  /// Returns the collection with that name; nil if the name is not known, because no transaction has stored in it.
  @inline(__always)
  func collection(named name: String) -> CollectionName? {
    wasFoundLast(name) ? lastCollection : findCollection(named: name)
  }

  /// Returns the number of the collection with that name; nil if the name is not known.
  // A copy of the whole collection would retain and release its name.
  @inline(__always)
  func collectionNumber(named name: String) -> Int64? {
    wasFoundLast(name) ? lastCollection?.number : findCollection(named: name)?.number
  }

  @inline(__always)
  private func wasFoundLast(_ name: String) -> Bool {
    if let lastCollection { lastCollection.name.text.hasSameBytes(as: name) } else { false }
  }

  @inline(never)
  private func findCollection(named name: String) -> CollectionName? {
    guard let found = names.find(ByteString(name)) else { return nil }
    lastCollection = found
    return found
  }

  /// Returns the collection with the number that a row refers to.
  /// - Throws: `corrupt` if that number has no name.
  func collection(numbered number: Int64) throws -> CollectionName {
    if let lastCollection, lastCollection.number == number { return lastCollection }
    guard let name = names.name(of: number) else {
      throw YapDatabaseError(.corrupt, "a row belongs to collection \(number), which has no name; restore a backup")
    }
    let found = CollectionName(name: name, number: number)
    lastCollection = found
    return found
  }

  /// Returns the collection with that name for a transaction that stores in it, and stores the name if it is new.
  @inline(__always)
  func storedCollection(named name: String, by writer: Writer) throws -> CollectionName {
    let known = collection(named: name)
    if let known, writer.isLastStored(known) { return known }
    return try writer.collection(named: known?.name ?? ByteString(name))
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

  /// Drops all values, because a rolled-back transaction may have stored or decoded any of them. Drops only
  /// the rowids of rows that the transaction changed.
  func undo(_ changes: ChangeSet) {
    objects.removeAll()
    metadata.removeAll()
    rowids.undo(changes)
  }
}

/// Ends the process if a cache is used while it is being changed.
private struct ExclusiveUse {
  private var isChanging = false

  @inline(__always)
  func check() { precondition(!isChanging, "the deinit of a cached value uses the transaction that releases it") }

  @inline(__always)
  mutating func begin() {
    check()
    isChanging = true
  }

  @inline(__always)
  mutating func end() { isChanging = false }
}

/// Rowids of rows in the data table, which save a search of the key index.
///
/// Statements that use a rowid compare the key as well, because SQLite reuses the rowids of removed rows. If the rowid
/// of a row is cached, the row exists.
typealias RowidCache = AdaptiveCache<Int64>

extension RowidCache {
  /// Drops the rowids of rows that a commit has removed. A row that was removed and set again may have another rowid.
  mutating func follow(_ changes: CommittedChanges) {
    if count == 0 { return }
    switch changes {
    case .rows(let changed):
      changed.withRows { rows in
        for row in rows where row.value.contains(.removed) {
          remove(RowKey(collection: changed.collection.number, key: row.key))
        }
      }
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

  /// Drops the rowids of rows that a rolled-back transaction changed, and keeps all others.
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
