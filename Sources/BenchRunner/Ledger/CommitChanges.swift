internal import CommitLedger

/// The changes that a read-write transaction has made: the writes of its ledger entry, and the rows that it touched.
struct CommitChanges: Sendable {
  private(set) var writes: [LedgerEntry.Write] = []
  /// The rows that were touched, which changes no value.
  private var touched: [(collection: String, key: String, writesBefore: Int)] = []

  mutating func add(_ write: LedgerEntry.Write) { writes.append(write) }

  mutating func addTouch(_ key: String, in collection: String) { touched.append((collection, key, writes.count)) }

  mutating func add(_ other: CommitChanges) {
    touched += other.touched.map { ($0.collection, $0.key, $0.writesBefore + writes.count) }
    writes += other.writes
  }

  mutating func removeAll() {
    writes.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
  }

  /// Returns the keys of a collection that were changed or touched individually; after its clearing, if it was cleared.
  func keys(in collection: String) -> (keys: Set<String>, isCleared: Bool) {
    let clearing = writes.lastIndex { $0.change == .clearing && $0.collection == collection }
    let own = writes[((clearing ?? -1) + 1)...].filter { $0.collection == collection }.map(\.key)
    let touches = touched.filter { $0.collection == collection && $0.writesBefore > (clearing ?? -1) }.map(\.key)
    return (Set(own + touches), clearing != nil)
  }
}
