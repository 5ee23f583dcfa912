/// A bounded cache that evicts the least recently used entry.
///
/// Reading and setting a value both make an entry the newest. Entries lie in one array and are linked by index, so a
/// hit allocates nothing.
///
/// An entry can also be *emptied*: its value is dropped, but the cache remembers that there was one. It forgets this
/// when the key gets a value or is removed, or once `limit` other entries have been emptied since. Otherwise an emptied
/// entry counts as absent.
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
    private(set) var newest = LRUCache.nowhere
    private(set) var oldest = LRUCache.nowhere
    private(set) var count = 0

    mutating func remove(_ place: Int32, in entries: inout ContiguousArray<Entry>) {
      // Copies the two links instead of the entry: a copy of the entry would retain and release its value.
      let older = entries[Int(place)].older
      let newer = entries[Int(place)].newer
      if newer == LRUCache.nowhere { newest = older } else { entries[Int(newer)].older = older }
      if older == LRUCache.nowhere { oldest = newer } else { entries[Int(older)].newer = newer }
      count -= 1
    }

    mutating func addAsNewest(_ place: Int32, in entries: inout ContiguousArray<Entry>) {
      entries[Int(place)].older = newest
      entries[Int(place)].newer = LRUCache.nowhere
      if newest == LRUCache.nowhere { oldest = place } else { entries[Int(newest)].newer = place }
      newest = place
      count += 1
    }
  }

  private static var nowhere: Int32 { -1 }

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
  var keys: [RowKey] { places.map { entries[Int($0)].key } }

  /// The keys of emptied entries, in no order.
  var emptiedKeys: [RowKey] { index.places.filter { !entries[Int($0)].hasValue }.map { entries[Int($0)].key } }

  /// Whether adding an entry would evict another.
  var isFull: Bool { limit > 0 && count >= limit }

  private var places: [Int32] { index.places.filter { entries[Int($0)].hasValue } }

  private func isOver(_ chain: Chain) -> Bool { limit > 0 && chain.count > limit }

  mutating func value(for key: RowKey) -> Value? {
    guard let place = place(of: key), entries[Int(place)].hasValue else { return nil }
    makeNewest(place)
    return entries[Int(place)].value
  }

  /// Returns the value without making the entry newer.
  func peek(_ key: RowKey) -> Value? { place(of: key).flatMap { entries[Int($0)].value } }

  func contains(_ key: RowKey) -> Bool {
    guard let place = place(of: key) else { return false }
    return entries[Int(place)].hasValue
  }

  mutating func set(_ value: Value, for key: RowKey) {
    if let place = place(of: key) {
      if entries[Int(place)].hasValue {
        entries[Int(place)].value = value
        return makeNewest(place)
      }
      emptied.remove(place, in: &entries)
      if isFull { remove(at: used.oldest) }
      entries[Int(place)].value = value
      entries[Int(place)].hasValue = true
      return used.addAsNewest(place, in: &entries)
    }
    if isFull { remove(at: used.oldest) }
    let entry = Entry(key: key, value: value, older: Self.nowhere, newer: Self.nowhere)
    let place: Int32
    if let reused = free.popLast() {
      entries[Int(reused)] = entry
      place = reused
    } else {
      place = Int32(entries.count)
      entries.append(entry)
    }
    index.insert(key.rowHash, at: place)
    used.addAsNewest(place, in: &entries)
  }

  /// Replaces the value of an existing entry without making it newer.
  mutating func replace(_ value: Value, for key: RowKey) {
    if let place = place(of: key), entries[Int(place)].hasValue { entries[Int(place)].value = value }
  }

  /// - Returns: Whether there was a value.
  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool {
    guard let place = place(of: key) else { return false }
    let hadValue = entries[Int(place)].hasValue
    remove(at: place)
    return hadValue
  }

  /// Drops a value and remembers that there was one.
  /// - Returns: Whether there was one.
  @discardableResult
  mutating func empty(_ key: RowKey) -> Bool {
    guard let place = place(of: key), entries[Int(place)].hasValue else { return false }
    empty(at: place)
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
    withUnsafeTemporaryAllocation(of: (place: Int32, isRemoved: Bool).self, capacity: keys.count) { found in
      var count = 0
      keys.forEachInPlace { key, note in
        let fate = fate(note)
        guard fate != .stays, let place = place(of: key, in: collection), entries[Int(place)].hasValue else { return }
        found.initializeElement(at: count, to: (place, fate == .isRemoved))
        count += 1
      }
      // Entries evicted during this loop had been emptied before, so none of them is in `found`.
      for (place, isRemoved) in found[..<count] { isRemoved ? remove(at: place) : empty(at: place) }
      return count
    }
  }

  private mutating func empty(at place: Int32) {
    entries[Int(place)].value = nil
    entries[Int(place)].hasValue = false
    used.remove(place, in: &entries)
    emptied.addAsNewest(place, in: &entries)
    if isOver(emptied) { remove(at: emptied.oldest) }
  }

  /// Forgets that an entry was emptied.
  /// - Returns: Whether it had been emptied.
  mutating func forgetEmptied(_ key: RowKey) -> Bool {
    guard emptied.count > 0, let place = place(of: key), !entries[Int(place)].hasValue else { return false }
    remove(at: place)
    return true
  }

  mutating func removeAll() {
    self = LRUCache(limit: limit)
  }

  /// Removes every entry of a collection and returns how many of them had values.
  @discardableResult
  mutating func removeAll(inCollection collection: Int64) -> Int {
    let countBefore = count
    for place in index.places where entries[Int(place)].key.collection == collection { remove(at: place) }
    return countBefore - count
  }

  private mutating func remove(at place: Int32) {
    index.remove(entries[Int(place)].key.rowHash, at: place)
    if !entries[Int(place)].hasValue {
      emptied.remove(place, in: &entries)
    } else {
      used.remove(place, in: &entries)
      entries[Int(place)].value = nil  // do not keep the object alive in a free slot
      entries[Int(place)].hasValue = false
    }
    free.append(place)
  }

  @inline(__always)
  private func place(of key: RowKey) -> Int32? {
    index.find(key.rowHash) { entries[Int($0)].key == key }
  }

  @inline(__always)
  private func place(of key: UnsafePointer<ByteString>, in collection: Int64) -> Int32? {
    index.find(RowKey.hash(of: key.pointee.hash, in: collection)) {
      entries[Int($0)].key.collection == collection && entries[Int($0)].key.key == key.pointee
    }
  }

  private mutating func makeNewest(_ place: Int32) {
    guard place != used.newest else { return }
    used.remove(place, in: &entries)
    used.addAsNewest(place, in: &entries)
  }
}
