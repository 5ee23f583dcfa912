/// The objects that a connection remembers, or the metadata.
///
/// nil as a value stands for a row without metadata; an object is never nil. Rows that do not exist are not remembered.
struct ValueCache {
  /// In the place of nil: an optional `Any` in an optional costs each hit a sixth of its time.
  private struct NoValue {}

  /// Emptied are the rows whose values were dropped because others had changed them: whoever asks for one of them pays
  /// for the drop.
  private var entries: LRUCache<Any>?
  var policies: PolicyChoice
  let counters: ValueCounters

  init(limit: Int, policies: PolicyChoice, counters: ValueCounters) {
    entries = LRUCache(limit: limit)
    self.limit = limit
    self.policies = policies
    self.counters = counters
  }

  /// Entries at most; 0 for no limit.
  var limit: Int {
    didSet { entries?.limit = limit }
  }

  /// Turning it off drops everything.
  var isEnabled: Bool {
    get { entries != nil }
    set {
      guard newValue != isEnabled else { return }
      entries = newValue ? LRUCache(limit: limit) : nil
    }
  }

  /// Whether a further value would push out none.
  var hasRoom: Bool { entries?.isFull == false }

  var count: Int { entries?.count ?? 0 }
  var rows: [RowKey] { entries?.keys ?? [] }

  /// The object that is remembered of a row, for somebody who wants it. Counted as a hit or a miss.
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

  /// The same for metadata; an inner nil for a row without.
  mutating func findMetadata(_ row: RowKey) -> Any?? {
    guard let value = findObject(row) else { return nil }
    return .some(Self.unwrapped(value))
  }

  /// What is remembered of a row, without a trace: not counted, and no use of it.
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

  /// For a scan: takes what there is room for, and pushes nothing out.
  mutating func offer(_ value: Any?, for row: RowKey) {
    if hasRoom { set(value, for: row) }
  }

  /// What another connection has stored: takes the place of what is remembered, and is no use of it.
  mutating func replace(_ value: Any?, for row: RowKey) {
    counters.updatedByPolicy.add(1)
    entries?.replace(Self.wrapped(value), for: row)
  }

  /// Another connection has changed the row, and how is not known here, or has removed it.
  mutating func drop(_ row: RowKey, isGone: Bool) {
    let wasThere = isGone ? entries?.remove(row) : entries?.empty(row)
    if wasThere == true { counters.dropped.add(1) }
  }

  /// The same for all that a commit has changed in a collection.
  mutating func drop(_ changes: CollectionChanges, fate: (KeyChange) -> LRUCache<Any>.Fate) {
    counters.dropped.add(entries?.drop(changes.keys, in: changes.number, fate: fate) ?? 0)
  }

  /// This connection has removed the row.
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
