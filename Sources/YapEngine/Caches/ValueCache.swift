/// A connection's cache of one part of the rows: objects or metadata.
///
/// A value of nil stands for a row without metadata; an object is never nil. Rows that do not exist are not cached.
struct ValueCache: ~Copyable {
  /// Stands for nil. An `Any?` within an optional would make each hit a sixth slower.
  private struct NoValue {}

  /// A value of any type.
  struct Value: CacheableValue {
    let any: Any

    static var absent: Value { Value(any: ()) }
  }

  /// Emptied entries are rows whose values were dropped because another connection changed them. The next miss of such
  /// a row is counted as `readAgain`.
  private var entries: AdaptiveCache<Value>
  /// The part of the rows that the cache holds. It decides which changes affect the cache.
  let part: RowPart
  let policy: ConnectionPolicy
  let counters: ValueCounters

  init(
    of part: RowPart,
    limit: Int,
    policy: ConnectionPolicy,
    counters: ValueCounters
  ) {
    entries = AdaptiveCache(limit: limit)
    self.part = part
    self.limit = limit
    self.policy = policy
    self.counters = counters
  }

  /// The maximum number of entries; 0 for no limit.
  var limit: Int {
    didSet { entries.limit = limit }
  }

  /// Whether the cache is in use. Setting it to false drops all values.
  var isEnabled = true {
    didSet { if !isEnabled { entries.removeAll() } }
  }

  /// Whether the cache is enabled and a further value would evict none.
  var hasRoom: Bool { isEnabled && !entries.isFull }

  var count: Int { entries.count }
  var rows: [RowKey] { entries.keys }

  /// Finds the cached object of a row, and counts a hit or a miss.
  /// - Returns: The index of the object, valid until the next change; nil if it is not cached.
  // An optional of an untyped value takes longer to copy and to release than an index.
  @inline(__always)
  mutating func slot(of key: String, hash: UInt64, in collection: Int64) -> Int32? {
    guard let slot = entries.use(key, hash: hash, in: collection) else {
      counters.misses.add(1)
      if entries.hasEmptied { noteReadAgain(RowKey(collection: collection, key: ByteString(key, hash: hash))) }
      return nil
    }
    counters.hits.add(1)
    return slot
  }

  /// The object at an index that `slot` has returned.
  subscript(slot: Int32) -> Any {
    @inline(__always) get { entries[slot].any }
  }

  /// Returns the cached object of a row, and counts a hit or a miss.
  mutating func findObject(_ row: RowKey) -> Any? {
    slot(of: row.key.text, hash: row.key.hash, in: row.collection).map { self[$0] }
  }

  /// The same for a key in SQLite's memory.
  /// - Parameter text: The key.
  @inline(__always)
  mutating func findObject(_ key: UnsafeRawBufferPointer, in collection: Int64, text: String) -> Any? {
    let hash = ByteString.hash(key)
    guard let slot = entries.use(key, hash: hash, in: collection) else {
      counters.misses.add(1)
      if entries.hasEmptied { noteReadAgain(RowKey(collection: collection, key: ByteString(text, hash: hash))) }
      return nil
    }
    counters.hits.add(1)
    return entries[slot].any
  }

  /// Returns the cached metadata of a row, and counts a hit or a miss. The inner optional is nil for a row without
  /// metadata.
  mutating func findMetadata(_ row: RowKey) -> Any?? {
    guard let value = findObject(row) else { return nil }
    return .some(Self.unwrapped(value))
  }

  /// Whether the value of a row that was not found should be cached once it is read by its key. To be called once for
  /// each such read.
  mutating func wants(_ row: RowKey) -> Bool { isEnabled && entries.wants(row) }

  @inline(never)
  private mutating func noteReadAgain(_ row: RowKey) {
    if entries.forgetEmptied(row) { counters.readAgain.add(1) }
  }

  /// Returns the cached value of a row. Counts nothing, and does not count as a use.
  func peek(_ row: RowKey) -> Any?? {
    guard let value = entries.peek(row) else { return nil }
    return .some(Self.unwrapped(value.any))
  }

  private static func wrapped(_ value: Any?) -> Value {
    guard let value else { return Value(any: NoValue()) }
    return Value(any: value)
  }

  private static func unwrapped(_ value: Any) -> Any? {
    type(of: value) == NoValue.self ? nil : .some(value)
  }

  func contains(_ row: RowKey) -> Bool { entries.contains(row) }

  mutating func set(_ value: Any?, for row: RowKey) {
    if isEnabled { entries.set(Self.wrapped(value), for: row) }
  }

  /// Caches a value that the connection has stored, unless the cache is full and is advised against the row.
  @inline(__always)
  mutating func setStored(_ object: consuming Any, for row: RowKey) {
    if isEnabled { entries.setIfWanted(Value(any: object), for: row) }
  }

  /// The same for metadata; nil for a row without any.
  mutating func setStored(metadata: Any?, for row: RowKey) {
    if isEnabled { entries.setIfWanted(Self.wrapped(metadata), for: row) }
  }

  /// The same for a row without metadata.
  @inline(__always)
  mutating func setStoredNil(for row: RowKey) {
    if isEnabled { entries.setIfWanted(Value(any: NoValue()), for: row) }
  }

  /// Caches a value that an enumeration has decoded, if there is room. Evicts nothing.
  /// - Returns: Whether there still is room.
  @discardableResult
  mutating func offer(_ value: Any?, for row: RowKey) -> Bool {
    if hasRoom { set(value, for: row) }
    return hasRoom
  }

  /// Replaces the value of a cached row with one that another connection stored. Does not count as a use.
  mutating func replace(_ value: Any?, for row: RowKey) {
    counters.updatedByPolicy.add(1)
    entries.replace(Self.wrapped(value), for: row)
  }

  /// Drops the value of a row, if it is cached, because a commit has changed it to an unknown value or removed the row.
  /// - Parameter isRemoved: Whether the row was removed.
  mutating func drop(_ row: RowKey, isRemoved: Bool) {
    let hadValue = isRemoved ? entries.remove(row) : entries.empty(row)
    if hadValue { counters.dropped.add(1) }
  }

  /// Drops cached values of the rows that a commit has changed in one collection, as `fate` decides.
  mutating func drop(
    _ changed: UnsafeBufferPointer<ChangedRows.Row>,
    in collection: Int64,
    fate: (KeyChange) -> AdaptiveCache<Value>.Fate
  ) {
    counters.dropped.add(entries.drop(changed, in: collection, fate: fate))
  }

  /// Removes a row that this connection has removed.
  mutating func remove(_ row: RowKey) {
    entries.remove(row)
  }

  mutating func removeAll(inCollection collection: Int64) {
    entries.removeAll(inCollection: collection)
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}
