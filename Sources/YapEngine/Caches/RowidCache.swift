/// Rowids of rows in the data table, which save a search of the key index.
///
/// A rowid is a hint: statements that use one compare the key as well, because SQLite reuses the rowids of removed
/// rows. A cached rowid does prove that its row exists.
struct RowidCache {
  private var rowids: LRUCache<Int64>

  /// - Parameter limit: The maximum number of entries; 0 for no limit.
  init(limit: Int) {
    rowids = LRUCache(limit: limit)
  }

  var limit: Int {
    get { rowids.limit }
    set { rowids.limit = newValue }
  }

  var rows: [RowKey] { rowids.keys }

  func peek(_ row: RowKey) -> Int64? { rowids.peek(row) }
  func contains(_ row: RowKey) -> Bool { rowids.contains(row) }
  mutating func find(_ row: RowKey) -> Int64? { rowids.value(for: row) }
  mutating func set(_ rowid: Int64, for row: RowKey) { rowids.set(rowid, for: row) }
  mutating func remove(_ row: RowKey) { rowids.remove(row) }
  mutating func removeAll(inCollection collection: Int64) { rowids.removeAll(inCollection: collection) }
  mutating func removeAll() { rowids.removeAll() }

  /// Follows a commit of another connection. A row that was removed and set again may have a different rowid.
  mutating func follow(_ changes: CommittedChanges) {
    if rowids.count == 0 { return }
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

  private mutating func forget(_ collection: CollectionChanges, where isGone: (KeyChange) -> Bool) {
    if collection.keys.count > rowids.count {
      for row in rows where row.collection == collection.number {
        if let change = collection.keys[row.key], isGone(change) { remove(row) }
      }
    } else {
      for entry in collection.keys.entries where isGone(entry.value) {
        remove(RowKey(collection: collection.number, key: entry.key))
      }
    }
  }
}
