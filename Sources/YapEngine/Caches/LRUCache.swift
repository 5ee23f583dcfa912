/// A cache with a limit that drops what was used the longest time ago.
///
/// A get and a set both make an entry the newest. Entries lie in one array and are linked by index, so that a hit
/// allocates nothing.
///
/// An entry can also be *emptied*: its value goes, and that it was there is remembered, until its key gets a value or
/// is removed, or as many others as the limit have been emptied since. Apart from that an emptied entry is none.
struct LRUCache<Value> {
  private struct Entry {
    var key: RowKey
    /// nil for one that is emptied, and for a free place.
    var value: Value?
    /// Whether there is one: to look at it would retain and release it.
    var hasValue = true
    var older: Int32
    var newer: Int32
  }

  /// Entries that are linked, by the time of their last use, or of their emptying.
  private struct Chain {
    private(set) var newest = LRUCache.nowhere
    private(set) var oldest = LRUCache.nowhere
    private(set) var count = 0

    mutating func remove(_ place: Int32, in entries: inout ContiguousArray<Entry>) {
      // The two of them, and not the entry: a copy of that would retain and release its value.
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

  /// Of both chains.
  private var index = RowIndex()
  private var entries: ContiguousArray<Entry> = []
  private var free: [Int32] = []
  private var used = Chain()
  private var emptied = Chain()

  /// Entries at most; 0 for no limit. Lowering it drops the oldest at once.
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

  /// In no order.
  var keys: [RowKey] { places.map { entries[Int($0)].key } }

  /// Those that were emptied, in no order.
  var emptiedKeys: [RowKey] { index.places.filter { !entries[Int($0)].hasValue }.map { entries[Int($0)].key } }

  /// Whether a further entry would push out another.
  var isFull: Bool { limit > 0 && count >= limit }

  private var places: [Int32] { index.places.filter { entries[Int($0)].hasValue } }

  private func isOver(_ chain: Chain) -> Bool { limit > 0 && chain.count > limit }

  mutating func value(for key: RowKey) -> Value? {
    guard let place = place(of: key), entries[Int(place)].hasValue else { return nil }
    makeNewest(place)
    return entries[Int(place)].value
  }

  /// The value, of which the age stays.
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

  /// Another value for an entry that is there; its age stays.
  mutating func replace(_ value: Value, for key: RowKey) {
    if let place = place(of: key), entries[Int(place)].hasValue { entries[Int(place)].value = value }
  }

  /// - Returns: whether there was a value.
  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool {
    guard let place = place(of: key) else { return false }
    let hadValue = entries[Int(place)].hasValue
    remove(at: place)
    return hadValue
  }

  /// Drops a value, and remembers that it was there.
  /// - Returns: whether there was one.
  @discardableResult
  mutating func empty(_ key: RowKey) -> Bool {
    guard let place = place(of: key), entries[Int(place)].hasValue else { return false }
    empty(at: place)
    return true
  }

  /// What becomes of an entry whose row others have changed.
  enum Fate {
    case stays, isEmptied, isRemoved
  }

  /// Drops the values of keys of one collection, those that are there.
  ///
  /// All are looked for before the first is dropped: while nothing is written, the processor fetches what belongs to
  /// the next keys from memory before it is done with one.
  /// - Parameter fate: what becomes of a key's entry, by what `keys` says of the key.
  /// - Returns: how many there were.
  mutating func drop<Note>(_ keys: ByteTable<Note>, in collection: Int64, fate: (Note) -> Fate) -> Int {
    withUnsafeTemporaryAllocation(of: (place: Int32, isRemoved: Bool).self, capacity: keys.count) { found in
      var count = 0
      keys.forEachInPlace { key, note in
        let fate = fate(note)
        guard fate != .stays, let place = place(of: key, in: collection), entries[Int(place)].hasValue else { return }
        found.initializeElement(at: count, to: (place, fate == .isRemoved))
        count += 1
      }
      // What is pushed out meanwhile was emptied before, so that it is none of those.
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
  /// - Returns: whether it was.
  mutating func forgetEmptied(_ key: RowKey) -> Bool {
    guard emptied.count > 0, let place = place(of: key), !entries[Int(place)].hasValue else { return false }
    remove(at: place)
    return true
  }

  mutating func removeAll() {
    self = LRUCache(limit: limit)
  }

  /// Removes every entry whose key is of `collection`, and returns how many had values.
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
      entries[Int(place)].value = nil  // the object must not live on in a free place
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
