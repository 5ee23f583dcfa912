/// The changes of one commit. A value, immutable once it leaves the writer.
struct ChangeSet: Sendable {
  /// The changes by collection, so that a question about one collection inspects no other.
  var collections = ByteTable<CollectionChanges>()
  /// Whether every row was removed. The changes in `collections` were made after that.
  var isEverythingRemoved = false
  /// A value that the writer attaches for observers.
  var customObject: (any Sendable)?
  /// The changes of views, by view name.
  var views: [ByteString: ViewChanges] = [:]
  /// Whether extensions were registered or unregistered.
  var changesExtensions = false

  var isEmpty: Bool { !concernsRows && customObject == nil && !changesExtensions }

  /// Whether rows were changed or touched.
  var concernsRows: Bool { !collections.isEmpty || isEverythingRemoved }

  // The properties below iterate by index: binding an entry would retain and release its contents.

  var changedKeyCount: Int { collections.entries.indices.reduce(0) { $0 + collections[place: $1].keys.count } }

  /// Whether the database or a collection was cleared.
  var clearsSomething: Bool {
    isEverythingRemoved || collections.entries.indices.contains { collections[place: $0].isCleared }
  }

  var removesSomething: Bool {
    clearsSomething || collections.entries.indices.contains { collections[place: $0].hasRemovals }
  }

  /// The memory of the tables in bytes, without values.
  var allocatedBytes: Int {
    let views = views.isEmpty ? 0 : views.values.reduce(0) { $0 + $1.estimatedBytes }
    return collections.entries.indices.reduce(collections.allocatedBytes + views) {
      $0 + collections[place: $1].keys.allocatedBytes
    }
  }

  /// The changed row, if the commit changed a single row and nothing else; nil otherwise.
  var onlyRow: (collection: CollectionName, key: ByteString, change: KeyChange)? {
    guard collections.count == 1, !isEverythingRemoved, customObject == nil, views.isEmpty, !changesExtensions else {
      return nil
    }
    guard collections[place: 0].keys.count == 1, !collections[place: 0].isCleared else { return nil }
    let name = CollectionName(name: collections.entries[0].key, number: collections[place: 0].number)
    let row = collections[place: 0].keys.entries[0]
    return (name, row.key, row.value)
  }

  /// Records a change of one key.
  /// - Parameters:
  ///   - object: The value for other connections if the object changed; nil to carry none.
  ///   - metadata: The value for other connections if the metadata changed; nil to carry none.
  mutating func note(
    _ change: KeyChange,
    key: ByteString,
    in collection: CollectionName,
    object: CarriedValue? = nil,
    metadata: CarriedValue? = nil
  ) {
    collections[collection.name, default: CollectionChanges(number: collection.number)]
      .note(change, key, object, metadata)
  }

  /// Records a removal. It replaces earlier changes of the key.
  mutating func noteRemoval(of key: ByteString, in collection: CollectionName) {
    collections[collection.name, default: CollectionChanges(number: collection.number)].noteRemoval(of: key)
  }

  mutating func noteClearing(of collection: CollectionName) {
    let cleared = CollectionChanges(number: collection.number, isCleared: true)
    collections[collection.name, default: cleared] = cleared
  }

  mutating func noteClearingOfEverything() {
    collections = ByteTable()
    isEverythingRemoved = true
  }

  /// Moves the values out of the change set, because clients may keep the change set indefinitely.
  mutating func takeValues() -> ChangedValues {
    var taken = ChangedValues()
    for place in collections.entries.indices where !collections[place: place].values.isEmpty {
      let name = collections.entries[place].key
      taken.collections[name, default: ChangedValues.Collection()] = collections[place: place].values
      collections[place: place].values = ChangedValues.Collection()
    }
    return taken
  }
}

/// The changes of one commit in one collection.
struct CollectionChanges: Sendable {
  /// The number of the collection in the data table.
  let number: Int64
  /// Whether every row of the collection was removed. The changes in `keys` were made after that.
  var isCleared = false
  /// Whether a row was removed individually. It may have been set again.
  private(set) var hasRemovals = false
  var keys = ByteTable<KeyChange>()
  /// The values for other connections, collected while the transaction runs.
  var values = ChangedValues.Collection()

  init(number: Int64, isCleared: Bool = false) {
    self.number = number
    self.isCleared = isCleared
  }

  fileprivate mutating func note(
    _ change: KeyChange,
    _ key: ByteString,
    _ object: CarriedValue?,
    _ metadata: CarriedValue?
  ) {
    let place = keys.place(of: key, adding: [])
    keys[place: place].formUnion(change)
    if change.contains(.object) { values.objects.put(object, at: place) }
    if change.contains(.metadata) { values.metadata.put(metadata, at: place) }
  }

  /// Adds a later commit's change of a key.
  mutating func fold(_ change: KeyChange, _ key: ByteString) {
    keys[key, default: []].formUnion(change)
    if change.contains(.removed) { hasRemovals = true }
  }

  fileprivate mutating func noteRemoval(of key: ByteString) {
    let place = keys.place(of: key, adding: [])
    keys[place: place] = .removed
    hasRemovals = true
    values.objects.put(nil, at: place)
    values.metadata.put(nil, at: place)
  }
}

/// The changes of one key. A key that was removed and set again has both flags.
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

  /// Whether a cached object is out of date.
  var changesStoredObject: Bool { !isDisjoint(with: [.object, .removed]) }
  var changesStoredMetadata: Bool { !isDisjoint(with: [.metadata, .removed]) }

  /// Whether observers of objects are notified. A removal concerns both parts.
  var concernsObject: Bool { !isDisjoint(with: [.object, .objectTouched, .removed]) }
  var concernsMetadata: Bool { !isDisjoint(with: [.metadata, .metadataTouched, .removed]) }
}
