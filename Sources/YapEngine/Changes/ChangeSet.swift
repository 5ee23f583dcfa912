/// What one commit changed: a value, frozen before it leaves the writer.
struct ChangeSet: Sendable {
  /// By collection, so that a question about one looks at no other.
  var collections = ByteTable<CollectionChanges>()
  /// Every row was removed; what `collections` holds came after that.
  var isEverythingRemoved = false
  /// Whatever the writer wants to tell those who are notified.
  var customObject: (any Sendable)?
  /// What became of views, by their names.
  var views: [ByteString: ViewChanges] = [:]
  /// Extensions were registered or unregistered.
  var changesExtensions = false

  var isEmpty: Bool { !concernsRows && customObject == nil && !changesExtensions }

  /// Whether rows were changed or touched.
  var concernsRows: Bool { !collections.isEmpty || isEverythingRemoved }

  // These go by place: to hand over an entry retains and releases what it holds.

  var changedKeyCount: Int { collections.entries.indices.reduce(0) { $0 + collections[place: $1].keys.count } }

  /// Whether every row of something was removed at once.
  var clearsSomething: Bool {
    isEverythingRemoved || collections.entries.indices.contains { collections[place: $0].isCleared }
  }

  var removesSomething: Bool {
    clearsSomething || collections.entries.indices.contains { collections[place: $0].hasRemovals }
  }

  /// The memory that its tables take, in bytes, without values.
  var allocatedBytes: Int {
    let views = views.isEmpty ? 0 : views.values.reduce(0) { $0 + $1.estimatedBytes }
    return collections.entries.indices.reduce(collections.allocatedBytes + views) {
      $0 + collections[place: $1].keys.allocatedBytes
    }
  }

  /// The row, where one row was changed and nothing else; nil otherwise.
  var onlyRow: (collection: CollectionName, key: ByteString, change: KeyChange)? {
    guard collections.count == 1, !isEverythingRemoved, customObject == nil, views.isEmpty, !changesExtensions else {
      return nil
    }
    guard collections[place: 0].keys.count == 1, !collections[place: 0].isCleared else { return nil }
    let name = CollectionName(name: collections.entries[0].key, number: collections[place: 0].number)
    let row = collections[place: 0].keys.entries[0]
    return (name, row.key, row.value)
  }

  /// - Parameters:
  ///   - object: what others get for a changed object; nil for nothing.
  ///   - metadata: the same for changed metadata.
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

  /// A removal takes back what was noted of the key before it.
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

  /// Parts the values from the change set, which clients may keep for as long as they like.
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

/// What a commit changed in one collection.
struct CollectionChanges: Sendable {
  /// The number that stands for the collection in the data table.
  let number: Int64
  /// Every row of it was removed; what `keys` holds came after that.
  var isCleared = false
  /// A row was removed by itself, and may have been set again.
  private(set) var hasRemovals = false
  var keys = ByteTable<KeyChange>()
  /// What others are to get, while the transaction runs.
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

  /// Adds what a later commit did to a key.
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

/// What happened to one key. A key that was removed and set again is both.
struct KeyChange: OptionSet, Sendable {
  let rawValue: UInt8

  static let object = KeyChange(rawValue: 1)
  static let metadata = KeyChange(rawValue: 2)
  static let removed = KeyChange(rawValue: 4)
  /// There was no row when the key was set.
  static let inserted = KeyChange(rawValue: 8)
  /// Told to observers as a change; what is stored stayed the same.
  static let objectTouched = KeyChange(rawValue: 16)
  static let metadataTouched = KeyChange(rawValue: 32)

  /// Whether a cached object is no longer what is stored.
  var changesStoredObject: Bool { !isDisjoint(with: [.object, .removed]) }
  var changesStoredMetadata: Bool { !isDisjoint(with: [.metadata, .removed]) }

  /// Whether an observer of objects is told. A removal is a change of both.
  var concernsObject: Bool { !isDisjoint(with: [.object, .objectTouched, .removed]) }
  var concernsMetadata: Bool { !isDisjoint(with: [.metadata, .metadataTouched, .removed]) }
}
