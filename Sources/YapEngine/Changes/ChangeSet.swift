/// The changes of one commit, or of several commits that were folded. Immutable once the commit has been made.
struct ChangeSet: Sendable {
  /// The changes by collection, so that a question about one collection inspects no other.
  var collections = ByteTable<CollectionChanges>()
  /// Whether every row was removed. Unless commits were folded, the changes in `collections` were made afterwards.
  var isEverythingRemoved = false
  /// Whether another process made the commits, so that the changes are not known. Every row may have changed.
  var isExternal = false
  /// A value that the writer attaches for observers.
  var customObject: CustomObject?
  /// The changes of views, by view name.
  var views: [ByteString: ViewChanges] = [:]
  /// Whether extensions were registered, unregistered, or changed by other means than rows.
  var changesExtensions = false
  /// Whether the only entry of `collections` has no changes, but memory for those of the next transaction.
  private var isEntrySpare = false

  // These are inlined, because otherwise the getters would get copies of the change set.
  @inline(__always)
  var isEmpty: Bool { !concernsRows && customObject == nil && !changesExtensions }

  /// Whether rows were changed or touched.
  @inline(__always)
  var concernsRows: Bool { !collections.isEmpty && !isEntrySpare || isEverythingRemoved }

  /// Whether nothing was recorded.
  @inline(__always)
  var isUntouched: Bool { isEmpty && views.isEmpty && !isExternal }

  // The properties below iterate by index: binding an entry would retain and release its contents.

  var changedKeyCount: Int { collections.entries.indices.reduce(0) { $0 + collections[at: $1].keys.count } }

  /// Whether the database or a collection was cleared.
  var clearsSomething: Bool {
    isEverythingRemoved || collections.entries.indices.contains { collections[at: $0].isCleared }
  }

  var removesSomething: Bool {
    clearsSomething || collections.entries.indices.contains { collections[at: $0].hasRemovals }
  }

  /// The estimated memory of the tables and of the views' changes, in bytes. The custom object is not counted.
  var allocatedBytes: Int {
    let views = views.isEmpty ? 0 : views.values.reduce(0) { $0 + $1.estimatedBytes }
    return collections.entries.indices.reduce(collections.allocatedBytes + views) {
      $0 + collections[at: $1].keys.allocatedBytes
    }
  }

  /// Whether a few rows of one collection were changed and nothing else.
  @inline(__always)
  var isOfFewRows: Bool {
    guard collections.count == 1, !isEverythingRemoved, customObject == nil, views.isEmpty, !changesExtensions else {
      return false
    }
    return (1...ChangedRows.most).contains(collections[at: 0].keys.count) && !collections[at: 0].isCleared
  }

  /// Removes the changes if they are of a few rows, and keeps their memory, which the next transaction probably needs
  /// for the same collection.
  mutating func removeFewRows() {
    collections[at: 0].removeRows()
    isEntrySpare = true
  }

  /// Removes and returns all changes.
  mutating func take() -> ChangeSet {
    dropSpareEntry()
    var taken = ChangeSet()
    swap(&taken, &self)
    return taken
  }

  /// Records a change of one key, in addition to its earlier changes.
  /// - Returns: The index of the key in the collection's changes.
  @discardableResult
  mutating func note(_ change: KeyChange, of key: ByteString, in collection: CollectionName) -> Int {
    collections[at: index(of: collection)].note(change, of: key)
  }

  /// Records a removal. It replaces earlier changes of the key.
  /// - Returns: The index of the key in the collection's changes.
  @discardableResult
  mutating func noteRemoval(of key: ByteString, in collection: CollectionName) -> Int {
    collections[at: index(of: collection)].noteRemoval(of: key)
  }

  mutating func noteClearing(of collection: CollectionName) {
    collections[at: index(of: collection)] = CollectionChanges(number: collection.number, isCleared: true)
  }

  mutating func noteClearingOfEverything() {
    collections = ByteTable()
    isEntrySpare = false
    isEverythingRemoved = true
  }

  /// Returns the index of a collection's changes, to which one is about to be added.
  private mutating func index(of collection: CollectionName) -> Int {
    if isEntrySpare, collections.entries[0].key == collection.name { isEntrySpare = false }
    dropSpareEntry()
    return collections.index(of: collection.name, adding: CollectionChanges(number: collection.number))
  }

  private mutating func dropSpareEntry() {
    guard isEntrySpare else { return }
    collections = ByteTable()
    isEntrySpare = false
  }
}

/// A value that a writer attaches to its commit.
// A class, because a value of any type inside the change set would make most accesses copy the whole set.
final class CustomObject: Sendable {
  let value: any Sendable

  init(_ value: any Sendable) { self.value = value }
}

/// The changes of one commit, or of several folded commits, in one collection.
struct CollectionChanges: Sendable {
  /// The number of the collection in the data table.
  let number: Int64
  /// Whether every row of the collection was removed. Unless commits were folded, `keys` were changed afterwards.
  var isCleared = false
  /// Whether a row was removed individually. The row may have been set again.
  private(set) var hasRemovals = false
  var keys = ByteTable<KeyChange>()

  fileprivate mutating func note(_ change: KeyChange, of key: ByteString) -> Int {
    let index = keys.index(of: key, adding: [])
    keys[at: index].formUnion(change)
    return index
  }

  fileprivate mutating func removeRows() {
    keys.removeAll()
    hasRemovals = false
  }

  /// Adds a later commit's change of a key to the earlier changes of the key.
  mutating func fold(_ change: KeyChange, of key: ByteString) {
    keys[key, default: []].formUnion(change)
    if change.contains(.removed) { hasRemovals = true }
  }

  fileprivate mutating func noteRemoval(of key: ByteString) -> Int {
    let index = keys.index(of: key, adding: [])
    keys[at: index] = .removed
    hasRemovals = true
    return index
  }
}

/// The changes of one key. A key that was removed and set again has the flags of both changes.
struct KeyChange: OptionSet, Sendable {
  let rawValue: UInt8

  static let object = KeyChange(rawValue: 1)
  static let metadata = KeyChange(rawValue: 2)
  static let removed = KeyChange(rawValue: 4)
  /// The key was set when it had no row.
  static let inserted = KeyChange(rawValue: 8)
  /// Observers are notified of a change, but the stored value is the same.
  static let objectTouched = KeyChange(rawValue: 16)
  static let metadataTouched = KeyChange(rawValue: 32)

  /// Whether a new value of one of the parts was stored.
  func stores(_ parts: RowPart) -> Bool { rawValue & parts.rawValue != 0 }

  /// Whether values of one of the parts that were cached before the change are out of date.
  func outdates(_ parts: RowPart) -> Bool { stores(parts) || contains(.removed) }

  func touches(_ parts: RowPart) -> Bool { rawValue & (parts.rawValue << 4) != 0 }

  /// Whether observers of one of the parts are notified. A removal concerns both parts.
  func concerns(_ parts: RowPart) -> Bool { outdates(parts) || touches(parts) }
}
