/// A bounded cache that evicts the least recently used entry.
///
/// Reading and setting a value both make an entry the newest. Entries lie in one array and are linked by index, so a
/// hit allocates nothing.
///
/// An entry can also be *emptied*: its value is dropped, but the cache remembers that there was one. It forgets this
/// when the key gets a value or is removed, or once `limit` other entries have been emptied since. In all other
/// respects an emptied entry counts as absent.
struct LRUCache<Value> {
  private struct Entry {
    var key: RowKey
    /// nil for an emptied entry and for a free slot.
    var value: Value?
    /// Whether there is a value. Testing `value` itself would retain and release it.
    var hasValue = true
    var older: Int32
    var newer: Int32
  }

  /// A linked list of entries, ordered by their last use or by when they were emptied.
  private struct Chain {
    private(set) var newest = LRUCache.noSlot
    private(set) var oldest = LRUCache.noSlot
    private(set) var count = 0

    mutating func remove(_ slot: Int32, in entries: inout ContiguousArray<Entry>) {
      // Copies the two links instead of the entry: a copy of the entry would retain and release its value.
      let older = entries[Int(slot)].older
      let newer = entries[Int(slot)].newer
      if newer == LRUCache.noSlot { newest = older } else { entries[Int(newer)].older = older }
      if older == LRUCache.noSlot { oldest = newer } else { entries[Int(older)].newer = newer }
      count -= 1
    }

    mutating func addAsNewest(_ slot: Int32, in entries: inout ContiguousArray<Entry>) {
      entries[Int(slot)].older = newest
      entries[Int(slot)].newer = LRUCache.noSlot
      if newest == LRUCache.noSlot { oldest = slot } else { entries[Int(newest)].newer = slot }
      newest = slot
      count += 1
    }
  }

  private static var noSlot: Int32 { -1 }

  /// Indexes the entries of both chains.
  private var index = RowIndex()
  private var entries: ContiguousArray<Entry> = []
  private var free: [Int32] = []
  private var used = Chain()
  private var emptied = Chain()

  /// The maximum number of entries; 0 for no limit. Lowering it evicts the oldest entries immediately.
  var limit: Int {
    didSet {
      while isOver(used) { remove(at: used.oldest) }
      while isOver(emptied) { remove(at: emptied.oldest) }
    }
  }

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { used.count }

  /// The keys that have a value, in no order.
  var keys: [RowKey] { slots.map { entries[Int($0)].key } }

  /// The keys of emptied entries, in no order.
  var emptiedKeys: [RowKey] { index.indices.filter { !entries[Int($0)].hasValue }.map { entries[Int($0)].key } }

  /// Whether adding an entry would evict another.
  var isFull: Bool { limit > 0 && count >= limit }

  private var slots: [Int32] { index.indices.filter { entries[Int($0)].hasValue } }

  private func isOver(_ chain: Chain) -> Bool { limit > 0 && chain.count > limit }

  mutating func value(for key: RowKey) -> Value? {
    guard let slot = slot(of: key), entries[Int(slot)].hasValue else { return nil }
    makeNewest(slot)
    return entries[Int(slot)].value
  }

  /// Returns the value without making the entry newer.
  func peek(_ key: RowKey) -> Value? { slot(of: key).flatMap { entries[Int($0)].value } }

  func contains(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    return entries[Int(slot)].hasValue
  }

  mutating func set(_ value: Value, for key: RowKey) {
    if let slot = slot(of: key) {
      if entries[Int(slot)].hasValue {
        entries[Int(slot)].value = value
        return makeNewest(slot)
      }
      emptied.remove(slot, in: &entries)
      if isFull { remove(at: used.oldest) }
      entries[Int(slot)].value = value
      entries[Int(slot)].hasValue = true
      return used.addAsNewest(slot, in: &entries)
    }
    if isFull { remove(at: used.oldest) }
    let entry = Entry(key: key, value: value, older: Self.noSlot, newer: Self.noSlot)
    let slot: Int32
    if let reused = free.popLast() {
      entries[Int(reused)] = entry
      slot = reused
    } else {
      slot = Int32(entries.count)
      entries.append(entry)
    }
    index.insert(key.rowHash, at: slot)
    used.addAsNewest(slot, in: &entries)
  }

  /// Replaces the value of an existing entry without making it newer.
  mutating func replace(_ value: Value, for key: RowKey) {
    if let slot = slot(of: key), entries[Int(slot)].hasValue { entries[Int(slot)].value = value }
  }

  /// - Returns: Whether there was a value.
  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    let hadValue = entries[Int(slot)].hasValue
    remove(at: slot)
    return hadValue
  }

  /// Drops a value and remembers that there was one.
  /// - Returns: Whether there was one.
  @discardableResult
  mutating func empty(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key), entries[Int(slot)].hasValue else { return false }
    empty(at: slot)
    return true
  }

  /// The outcome for an entry whose row another connection has changed.
  enum Fate {
    case stays, isEmptied, isRemoved
  }

  /// Drops the cached values of the given keys of one collection.
  ///
  /// All keys are looked up before the first value is dropped: as long as nothing is written, the processor prefetches
  /// the memory of the next keys.
  /// - Parameter fate: Returns the outcome for a key's entry, from the value of the key in `keys`.
  /// - Returns: The number of values dropped.
  mutating func drop<Note>(_ keys: ByteTable<Note>, in collection: Int64, fate: (Note) -> Fate) -> Int {
    withUnsafeTemporaryAllocation(of: (slot: Int32, isRemoved: Bool).self, capacity: keys.count) { found in
      var count = 0
      keys.forEachInPlace { key, note in
        let fate = fate(note)
        guard fate != .stays, let slot = slot(of: key, in: collection), entries[Int(slot)].hasValue else { return }
        found.initializeElement(at: count, to: (slot, fate == .isRemoved))
        count += 1
      }
      // Entries evicted during this loop had been emptied before, so none of them is in `found`.
      for (slot, isRemoved) in found[..<count] { isRemoved ? remove(at: slot) : empty(at: slot) }
      return count
    }
  }

  private mutating func empty(at slot: Int32) {
    entries[Int(slot)].value = nil
    entries[Int(slot)].hasValue = false
    used.remove(slot, in: &entries)
    emptied.addAsNewest(slot, in: &entries)
    if isOver(emptied) { remove(at: emptied.oldest) }
  }

  /// Forgets that an entry was emptied.
  /// - Returns: Whether it had been emptied.
  mutating func forgetEmptied(_ key: RowKey) -> Bool {
    guard emptied.count > 0, let slot = slot(of: key), !entries[Int(slot)].hasValue else { return false }
    remove(at: slot)
    return true
  }

  mutating func removeAll() {
    self = LRUCache(limit: limit)
  }

  /// Removes every entry of a collection and returns how many of them had values.
  @discardableResult
  mutating func removeAll(inCollection collection: Int64) -> Int {
    let countBefore = count
    for slot in index.indices where entries[Int(slot)].key.collection == collection { remove(at: slot) }
    return countBefore - count
  }

  private mutating func remove(at slot: Int32) {
    index.remove(entries[Int(slot)].key.rowHash, at: slot)
    if !entries[Int(slot)].hasValue {
      emptied.remove(slot, in: &entries)
    } else {
      used.remove(slot, in: &entries)
      entries[Int(slot)].value = nil  // do not keep the object alive in a free slot
      entries[Int(slot)].hasValue = false
    }
    free.append(slot)
  }

  @inline(__always)
  private func slot(of key: RowKey) -> Int32? {
    index.find(key.rowHash) { entries[Int($0)].key == key }
  }

  @inline(__always)
  private func slot(of key: UnsafePointer<ByteString>, in collection: Int64) -> Int32? {
    index.find(RowKey.hash(of: key.pointee.hash, in: collection)) {
      entries[Int($0)].key.collection == collection && entries[Int($0)].key.key == key.pointee
    }
  }

  private mutating func makeNewest(_ slot: Int32) {
    guard slot != used.newest else { return }
    used.remove(slot, in: &entries)
    used.addAsNewest(slot, in: &entries)
  }
}
