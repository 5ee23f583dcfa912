/// A connection's cache of one part of the rows: objects or metadata.
///
/// A value of nil stands for a row without metadata; an object is never nil. Rows that do not exist are not cached.
struct ValueCache {
  /// Stands for nil. An `Any?` within an optional would make each hit a sixth slower.
  private struct NoValue {}

  /// nil while the cache is disabled. Emptied entries are rows whose values were dropped because another connection
  /// changed them. The next miss of such a row is counted as `readAgain`.
  private var entries: LRUCache<Any>?
  /// The part of the rows that the cache holds. It decides which changes affect the cache.
  let part: RowPart
  var policies: PolicyChoice
  let counters: ValueCounters
  let omissions: Omissions<Omission>

  init(
    of part: RowPart,
    limit: Int,
    policies: PolicyChoice,
    counters: ValueCounters,
    omissions: Omissions<Omission> = Omissions()
  ) {
    entries = LRUCache(limit: limit)
    self.part = part
    self.limit = limit
    self.policies = policies
    self.counters = counters
    self.omissions = omissions
  }

  /// The maximum number of entries; 0 for no limit.
  var limit: Int {
    didSet { entries?.limit = limit }
  }

  /// Whether the cache is in use. Setting it to false drops all values.
  var isEnabled: Bool {
    get { entries != nil }
    set {
      guard newValue != isEnabled else { return }
      entries = newValue ? LRUCache(limit: limit) : nil
    }
  }

  /// Whether the cache is enabled and a further value would evict none.
  var hasRoom: Bool { entries?.isFull == false }

  var count: Int { entries?.count ?? 0 }
  var rows: [RowKey] { entries?.keys ?? [] }

  /// Returns the cached object of a row, and counts a hit or a miss.
  @inline(__always)
  mutating func findObject(_ row: RowKey) -> Any? {
    guard let value = entries?.value(for: row) else {
      counters.misses.add(1)
      if entries?.forgetEmptied(row) == true { counters.readAgain.add(1) }
      return nil
    }
    counters.hits.add(1)
    return value
  }

  /// Returns the cached metadata of a row, and counts a hit or a miss. The inner optional is nil for a row without
  /// metadata.
  mutating func findMetadata(_ row: RowKey) -> Any?? {
    guard let value = findObject(row) else { return nil }
    return .some(Self.unwrapped(value))
  }

  /// Returns the cached value of a row. Counts nothing and does not make the entry newer.
  func peek(_ row: RowKey) -> Any?? {
    guard let value = entries?.peek(row) else { return nil }
    return .some(Self.unwrapped(value))
  }

  private static func wrapped(_ value: Any?) -> Any {
    guard let value else { return NoValue() }
    return value
  }

  private static func unwrapped(_ value: Any) -> Any? {
    type(of: value) == NoValue.self ? nil : .some(value)
  }

  func contains(_ row: RowKey) -> Bool { entries?.contains(row) == true }

  mutating func set(_ value: Any?, for row: RowKey) {
    entries?.set(Self.wrapped(value), for: row)
  }

  /// Caches a value that an enumeration has decoded, if there is room. Evicts nothing.
  mutating func offer(_ value: Any?, for row: RowKey) {
    if hasRoom { set(value, for: row) }
  }

  /// Replaces the value of a cached row with one that another connection stored. Does not make the entry newer.
  mutating func replace(_ value: Any?, for row: RowKey) {
    counters.updatedByPolicy.add(1)
    entries?.replace(Self.wrapped(value), for: row)
  }

  /// Drops the value of a row, if it is cached, because a commit has changed it to an unknown value or removed the row.
  /// - Parameter isRemoved: Whether the row was removed.
  mutating func drop(_ row: RowKey, isRemoved: Bool) {
    if isRemoved, omissions.has(.keepsRemovedRows) { return }
    let hadValue = isRemoved ? entries?.remove(row) : entries?.empty(row)
    if hadValue == true { counters.dropped.add(1) }
  }

  /// Drops cached values of the rows that a commit has changed in one collection, as `fate` decides.
  mutating func drop(
    _ changed: UnsafeBufferPointer<ChangedRows.Row>,
    in collection: Int64,
    fate: (KeyChange) -> LRUCache<Any>.Fate
  ) {
    counters.dropped.add(entries?.drop(changed, in: collection, fate: fate) ?? 0)
  }

  /// Removes a row that this connection has removed.
  mutating func remove(_ row: RowKey) {
    entries?.remove(row)
  }

  mutating func removeAll(inCollection collection: Int64) {
    entries?.removeAll(inCollection: collection)
  }

  mutating func removeAll() {
    entries?.removeAll()
  }
}
