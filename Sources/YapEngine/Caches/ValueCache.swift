/// The objects that a connection remembers, or the metadata.
///
/// nil as a value stands for a row without metadata; an object is never nil. Rows that do not exist are not remembered.
struct ValueCache {
  private var entries: LRUCache<Any?>?
  var policies: PolicyChoice
  let counters: ValueCounters

  init(limit: Int, policies: PolicyChoice, counters: ValueCounters) {
    entries = LRUCache(limit: limit)
    self.limit = limit
    self.policies = policies
    self.counters = counters
  }

  /// Entries at most; 0 for no limit.
  var limit: Int { didSet { entries?.limit = limit } }

  /// Turning it off drops everything.
  var isEnabled: Bool {
    get { entries != nil }
    set { if newValue != isEnabled { entries = newValue ? LRUCache(limit: limit) : nil } }
  }

  /// Whether a further value would push out none.
  var hasRoom: Bool { entries?.isFull == false }

  var count: Int { entries?.count ?? 0 }
  var rows: [RowKey] { entries?.keys ?? [] }

  /// What is remembered of a row, for somebody who wants it. Counted as a hit or a miss.
  mutating func find(_ row: RowKey) -> Any?? {
    guard let value = entries?.value(for: row) else {
      counters.misses.add(1)
      return nil
    }
    counters.hits.add(1)
    return .some(value)
  }

  /// The same without a trace: not counted, and no use of it.
  func peek(_ row: RowKey) -> Any?? { entries?.peek(row) }

  func contains(_ row: RowKey) -> Bool { entries?.contains(row) == true }

  mutating func set(_ value: Any?, for row: RowKey) {
    entries?.set(value, for: row)
  }

  /// For a scan: takes what there is room for, and pushes nothing out.
  mutating func offer(_ value: Any?, for row: RowKey) {
    if hasRoom { entries?.set(value, for: row) }
  }

  /// What others get of a value that this connection stores.
  /// - Parameter bytes: its encoded size.
  func carried(_ value: Any?, in collection: CollectionName, bytes: Int, _ database: YapDatabase) -> CarriedValue? {
    let policy = policies.policy(for: collection.name)
    if policy == .containment { return nil }
    return CarriedValue(value, policy, encodedBytes: bytes, counters, database.options.testHooks)
  }

  /// What another connection has stored: takes the place of what is remembered, and is no use of it.
  mutating func replace(_ value: Any?, for row: RowKey) {
    counters.updatedByPolicy.add(1)
    entries?.replace(value, for: row)
  }

  /// Another connection has changed the row, and how is not known here.
  mutating func drop(_ row: RowKey) {
    if entries?.remove(row) == true { counters.dropped.add(1) }
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
