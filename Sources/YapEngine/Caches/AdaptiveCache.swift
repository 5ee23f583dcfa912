/// A value that a cache can hold.
protocol CacheableValue {
  /// The content of an entry without a value. An optional of an untyped value takes longer to copy and to release.
  static var absent: Self { get }
}

extension Int64: CacheableValue {
  static var absent: Int64 { 0 }
}

/// A cache with a limit that keeps rows that are read again, and that adapts to the order in which rows are read.
///
/// The values are in two segments: *fresh* ones, which were not used since they were cached, in the order of caching;
/// and *reused* ones, in the order of their last use. A read once of many rows evicts only fresh values, and an
/// `EvictionHistory` decides how many of the values may be fresh and whether a full cache takes a further row at all.
/// Documentation/internals/storage.md compares the hit shares with other policies.
///
/// Entries lie in one array and are linked by index, so a hit allocates nothing.
///
/// An entry can also be *emptied*: its value is dropped, but the cache remembers the key until the key gets a value, is
/// removed or is forgotten. Of the emptied entries only the latest are remembered, at most `limit`. In all other
/// respects an emptied entry counts as absent.
// Not copyable, because the compiler would copy it in many lookups, which takes longer than a lookup.
struct AdaptiveCache<Value: CacheableValue>: ~Copyable {
  private struct Entry {
    var key: RowKey
    /// `absent` in an emptied entry and in a free slot.
    var value: Value
  }

  private enum Segment { case fresh, reused, emptied }

  /// The position of an entry. Not a part of `Entry`, whose copy would retain and release the value.
  private struct Link: BitwiseCopyable {
    var segment: Segment
    var older = AdaptiveCache.noSlot
    var newer = AdaptiveCache.noSlot
  }

  /// A linked list of entries, in the order in which they were added.
  private struct Chain {
    private(set) var newest = AdaptiveCache.noSlot
    private(set) var oldest = AdaptiveCache.noSlot
    private(set) var count = 0

    mutating func remove(_ slot: Int32, in links: inout SlotTable<Link>) {
      let link = links[slot]
      if link.newer == AdaptiveCache.noSlot { newest = link.older } else { links[link.newer].older = link.older }
      if link.older == AdaptiveCache.noSlot { oldest = link.newer } else { links[link.older].newer = link.newer }
      count -= 1
    }

    @inline(__always)
    mutating func addAsNewest(_ slot: Int32, in links: inout SlotTable<Link>) {
      links[slot].older = newest
      links[slot].newer = AdaptiveCache.noSlot
      if newest == AdaptiveCache.noSlot { oldest = slot } else { links[newest].newer = slot }
      newest = slot
      count += 1
    }
  }

  private static var noSlot: Int32 { -1 }

  /// Indexes the entries of all chains.
  private var index = RowIndex()
  private var entries: ContiguousArray<Entry> = []
  private var links = SlotTable<Link>()
  private var free: [Int32] = []
  private var fresh = Chain()
  private var reused = Chain()
  private var emptied = Chain()
  private var history: EvictionHistory

  /// The maximum number of values, and of emptied entries; 0 for no limit. Lowering it evicts values immediately.
  var limit: Int {
    didSet {
      guard limit != oldValue else { return }
      history = EvictionHistory(limit: limit)
      guard limit > 0 else { return }
      while count > limit { evict() }
      while emptied.count > limit { remove(at: emptied.oldest) }
    }
  }

  init(limit: Int) {
    self.limit = limit
    history = EvictionHistory(limit: limit)
  }

  var count: Int { fresh.count + reused.count }

  /// The keys that have a value, in no particular order.
  var keys: [RowKey] { index.indices.filter { hasValue(at: $0) }.map { entries[Int($0)].key } }

  var hasEmptied: Bool { emptied.count > 0 }

  /// The keys of emptied entries, in no particular order.
  var emptiedKeys: [RowKey] { index.indices.filter { !hasValue(at: $0) }.map { entries[Int($0)].key } }

  /// Whether adding an entry would evict another one.
  var isFull: Bool { limit > 0 && count >= limit }

  /// Returns the value, and makes it the newest of the reused ones.
  mutating func value(for key: RowKey) -> Value? {
    use(key.key.text, hash: key.key.hash, in: key.collection).map { entries[Int($0)].value }
  }

  /// Makes the value of a key the newest of the reused ones.
  /// - Parameter hash: The hash of the key.
  /// - Returns: The index of the value, valid until the next change; nil if there is no value.
  @inline(__always)
  mutating func use(_ key: String, hash: UInt64, in collection: Int64) -> Int32? {
    use(RowKey.hash(of: hash, in: collection)) { row in
      row.collection == collection && row.key.hash == hash && row.key.text.hasSameBytes(as: key)
    }
  }

  /// The same for a key in SQLite's memory.
  @inline(__always)
  mutating func use(_ key: UnsafeRawBufferPointer, hash: UInt64, in collection: Int64) -> Int32? {
    use(RowKey.hash(of: hash, in: collection)) { $0.collection == collection && $0.key.text.hasBytes(key) }
  }

  @inline(__always)
  private mutating func use(_ hash: UInt64, where isRow: (RowKey) -> Bool) -> Int32? {
    let slot = index.find(hash) { isRow(entries[Int($0)].key) }
    guard let slot, hasValue(at: slot) else { return nil }
    use(slot)
    return slot
  }

  /// The value at an index that `use` has returned.
  // Inlined, because otherwise the cache would be copied into the getter's argument.
  subscript(slot: Int32) -> Value {
    @inline(__always) get { entries[Int(slot)].value }
  }

  /// Returns the value without counting this as a use.
  func peek(_ key: RowKey) -> Value? {
    guard let slot = slot(of: key), hasValue(at: slot) else { return nil }
    return entries[Int(slot)].value
  }

  func contains(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    return hasValue(at: slot)
  }

  /// Whether the value of a row that is not cached should be cached once it is read from the file. It should unless the
  /// cache is full and the history advises against the row. To be called once for each read.
  @inline(__always)
  mutating func wants(_ key: RowKey) -> Bool { !isFull || history.admits(key.rowHash) }

  /// Caches a value that was written. A full cache takes a further row only as it takes one that was read: most rows
  /// that are written in large numbers are not read soon.
  mutating func setIfWanted(_ value: consuming Value, for key: RowKey) {
    if let slot = slot(of: key) { return set(value, at: slot) }
    if wants(key) { insert(value, for: key) }
  }

  /// Caches a value. Replacing a cached value counts as a use.
  mutating func set(_ value: consuming Value, for key: RowKey) {
    if let slot = slot(of: key) { set(value, at: slot) } else { insert(value, for: key) }
  }

  private mutating func set(_ value: consuming Value, at slot: Int32) {
    if hasValue(at: slot) {
      use(slot)
    } else {
      if isFull { evict() }
      move(slot, to: .fresh)
    }
    entries[Int(slot)].value = value
  }

  private mutating func insert(_ value: consuming Value, for key: RowKey) {
    var segment = Segment.fresh
    if isFull {
      if history.recall(key.rowHash) { segment = .reused }
      evict()
    }
    let slot: Int32
    if let reused = free.popLast() {
      entries[Int(reused)].key = key
      entries[Int(reused)].value = value
      links[reused].segment = segment
      slot = reused
    } else {
      slot = Int32(entries.count)
      entries.append(Entry(key: key, value: value))
      links.append(Link(segment: segment))
    }
    index.insert(key.rowHash, at: slot)
    attach(slot)
  }

  /// Replaces a key's value without counting this as a use. Does nothing if the key has no value.
  mutating func replace(_ value: Value, for key: RowKey) {
    if let slot = slot(of: key), hasValue(at: slot) { entries[Int(slot)].value = value }
  }

  /// - Returns: Whether there was a value.
  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key) else { return false }
    let hadValue = hasValue(at: slot)
    remove(at: slot)
    return hadValue
  }

  /// Drops the value of a key and remembers the key.
  /// - Returns: Whether there was a value.
  @discardableResult
  mutating func empty(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key), hasValue(at: slot) else { return false }
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
    withUnsafeTemporaryAllocation(of: Found.self, capacity: keys.count) { found in
      drop(keys, in: collection, fate: fate, listing: found)
    }
  }

  /// An entry that is about to be emptied or removed.
  private typealias Found = (slot: Int32, isRemoved: Bool)

  // The loop is outside of the closure that gets the memory: a closure that searches the cache would copy the cache,
  // and retain and release each of its arrays.
  private mutating func drop<Note>(
    _ keys: UnsafeBufferPointer<ByteTable<Note>.Entry>,
    in collection: Int64,
    fate: (Note) -> Fate,
    listing found: UnsafeMutableBufferPointer<Found>
  ) -> Int {
    var count = 0
    for index in keys.indices {
      let fate = fate(keys[index].value)
      guard fate != .stays, let slot = slot(of: keys.key(at: index), in: collection), hasValue(at: slot) else {
        continue
      }
      found.initializeElement(at: count, to: (slot, fate == .isRemoved))
      count += 1
    }
    // `empty(at:)` evicts only emptied entries, so no slot in `found` is freed before it is visited.
    for index in 0..<count {
      let (slot, isRemoved) = found[index]
      isRemoved ? remove(at: slot) : empty(at: slot)
    }
    return count
  }

  private mutating func empty(at slot: Int32) {
    entries[Int(slot)].value = .absent
    move(slot, to: .emptied)
    if limit > 0, emptied.count > limit { remove(at: emptied.oldest) }
  }

  /// Forgets that an entry was emptied.
  /// - Returns: Whether it had been emptied.
  mutating func forgetEmptied(_ key: RowKey) -> Bool {
    guard let slot = slot(of: key), !hasValue(at: slot) else { return false }
    remove(at: slot)
    return true
  }

  mutating func removeAll() {
    self = AdaptiveCache(limit: limit)
  }

  /// Removes every entry of a collection and returns how many of them had values.
  @discardableResult
  mutating func removeAll(inCollection collection: Int64) -> Int {
    let countBefore = count
    for slot in index.indices where entries[Int(slot)].key.collection == collection { remove(at: slot) }
    return countBefore - count
  }

  /// Removes the oldest fresh value if there are more than the history advises, otherwise the oldest reused value.
  private mutating func evict() {
    let isFresh = reused.count == 0 || fresh.count >= history.freshTarget
    let slot = isFresh ? fresh.oldest : reused.oldest
    history.note(entries[Int(slot)].key.rowHash, wasFresh: isFresh)
    remove(at: slot)
  }

  private mutating func remove(at slot: Int32) {
    index.remove(entries[Int(slot)].key.rowHash, at: slot)
    entries[Int(slot)].value = .absent  // do not keep the object alive in a free slot
    detach(slot)
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

  @inline(__always)
  private func hasValue(at slot: Int32) -> Bool { links[slot].segment != .emptied }

  @inline(__always)
  private mutating func use(_ slot: Int32) {
    if slot == reused.newest { return }
    if links[slot].segment == .reused {
      reused.remove(slot, in: &links)
      reused.addAsNewest(slot, in: &links)
    } else {
      if links[slot].segment == .fresh { history.noteUse() }
      move(slot, to: .reused)
    }
  }

  private mutating func move(_ slot: Int32, to segment: Segment) {
    detach(slot)
    links[slot].segment = segment
    attach(slot)
  }

  private mutating func detach(_ slot: Int32) {
    switch links[slot].segment {
    case .fresh: fresh.remove(slot, in: &links)
    case .reused: reused.remove(slot, in: &links)
    case .emptied: emptied.remove(slot, in: &links)
    }
  }

  private mutating func attach(_ slot: Int32) {
    switch links[slot].segment {
    case .fresh: fresh.addAsNewest(slot, in: &links)
    case .reused: reused.addAsNewest(slot, in: &links)
    case .emptied: emptied.addAsNewest(slot, in: &links)
    }
  }
}
