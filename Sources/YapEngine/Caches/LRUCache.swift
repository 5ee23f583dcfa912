/// A cache that evicts the least recently used entry when it would exceed its limit.
///
/// `value(for:)` and `set(_:for:)` make an entry the newest. Entries lie in one array and are linked by index, so a hit
/// allocates nothing.
///
/// An entry can also be *emptied*: its value is dropped, but the cache remembers the key until the key gets a value, is
/// removed or is forgotten. Of the emptied entries only the latest are remembered, at most `limit`. In all other
/// respects an emptied entry counts as absent.
struct LRUCache<Value> {
  private struct Entry {
    var key: RowKey
    /// nil for an emptied entry and for a free slot.
    var value: Value?
    /// Whether there is a value. Testing `value` instead would retain and release the value.
    var hasValue = true
    var older: Int32
    var newer: Int32
  }

  /// A linked list of entries, in the order of their last use or, for emptied entries, of their emptying.
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

  /// The maximum number of values, and of emptied entries; 0 for no limit. Lowering it evicts the oldest immediately.
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

  /// The keys that have a value, in no particular order.
  var keys: [RowKey] { slots.map { entries[Int($0)].key } }

  /// The keys of emptied entries, in no particular order.
  var emptiedKeys: [RowKey] { index.indices.filter { !entries[Int($0)].hasValue }.map { entries[Int($0)].key } }

  /// Whether adding an entry would evict another one.
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

  /// Replaces a key's value without making its entry newer. Does nothing if the key has no value.
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

  /// Drops the value of a key and remembers the key.
  /// - Returns: Whether there was a value.
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

  /// Empties or removes the entries of the given keys of one collection, or leaves them, as `fate` decides.
  ///
  /// All keys are looked up before the first value is dropped: as long as nothing is written, the processor prefetches
  /// the memory of the next keys.
  /// - Parameter fate: Returns the outcome for a key's entry. Receives the value of the key in `keys`.
  /// - Returns: The number of values dropped.
  mutating func drop<Note>(
    _ keys: UnsafeBufferPointer<ByteTable<Note>.Entry>,
    in collection: Int64,
    fate: (Note) -> Fate
  ) -> Int {
    withUnsafeTemporaryAllocation(of: (slot: Int32, isRemoved: Bool).self, capacity: keys.count) { found in
      var count = 0
      keys.forEachInPlace { key, note in
        let fate = fate(note)
        guard fate != .stays, let slot = slot(of: key, in: collection), entries[Int(slot)].hasValue else { return }
        found.initializeElement(at: count, to: (slot, fate == .isRemoved))
        count += 1
      }
      // `empty(at:)` evicts only emptied entries, so no slot in `found` is freed before it is visited.
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
