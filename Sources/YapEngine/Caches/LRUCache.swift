/// A cache with a limit that drops what was used the longest time ago.
///
/// A get and a set both make an entry the newest. Entries lie in one array and are linked by index, so that a hit
/// allocates nothing.
struct LRUCache<Value> {
  private struct Entry {
    var key: RowKey
    var value: Value?
    var older: Int32
    var newer: Int32
  }

  private static var nowhere: Int32 { -1 }

  private var index = RowIndex()
  private var entries: ContiguousArray<Entry> = []
  private var free: [Int32] = []
  private var newest = nowhere
  private var oldest = nowhere

  /// Entries at most; 0 for no limit. Lowering it drops the oldest at once.
  var limit: Int {
    didSet { while isOverfull { dropOldest() } }
  }

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { index.count }

  /// In no order.
  var keys: [RowKey] { index.places.map { entries[Int($0)].key } }

  /// Whether a further entry would push out another.
  var isFull: Bool { limit > 0 && count >= limit }

  private var isOverfull: Bool { limit > 0 && count > limit }

  mutating func value(for key: RowKey) -> Value? {
    guard let place = place(of: key) else { return nil }
    makeNewest(place)
    return entries[Int(place)].value
  }

  /// The value, of which the age stays.
  func peek(_ key: RowKey) -> Value? { place(of: key).flatMap { entries[Int($0)].value } }

  func contains(_ key: RowKey) -> Bool { place(of: key) != nil }

  mutating func set(_ value: Value, for key: RowKey) {
    if let place = place(of: key) {
      entries[Int(place)].value = value
      return makeNewest(place)
    }
    if isFull { dropOldest() }
    let entry = Entry(key: key, value: value, older: Self.nowhere, newer: Self.nowhere)
    let place: Int32
    if let reused = free.popLast() {
      entries[Int(reused)] = entry
      place = reused
    } else {
      place = Int32(entries.count)
      entries.append(entry)
    }
    index.insert(key, at: place)
    linkAsNewest(place)
  }

  /// Another value for an entry that is there; its age stays.
  mutating func replace(_ value: Value, for key: RowKey) {
    if let place = place(of: key) { entries[Int(place)].value = value }
  }

  @discardableResult
  mutating func remove(_ key: RowKey) -> Bool {
    guard let place = place(of: key) else { return false }
    drop(place)
    return true
  }

  mutating func removeAll() {
    self = LRUCache(limit: limit)
  }

  /// Removes every entry whose key is of `collection`, and returns how many.
  @discardableResult
  mutating func removeAll(inCollection collection: Int64) -> Int {
    let places = index.places.filter { entries[Int($0)].key.collection == collection }
    for place in places { drop(place) }
    return places.count
  }

  private mutating func dropOldest() {
    drop(oldest)
  }

  private mutating func drop(_ place: Int32) {
    index.remove(entries[Int(place)].key, at: place)
    unlink(place)
    entries[Int(place)].value = nil  // the object must not live on in a free place
    free.append(place)
  }

  @inline(__always)
  private func place(of key: RowKey) -> Int32? {
    index.find(key) { entries[Int($0)].key == key }
  }

  private mutating func makeNewest(_ place: Int32) {
    guard place != newest else { return }
    unlink(place)
    linkAsNewest(place)
  }

  private mutating func unlink(_ place: Int32) {
    // The two of them, and not the entry: a copy of that would retain and release its value.
    let older = entries[Int(place)].older
    let newer = entries[Int(place)].newer
    if newer == Self.nowhere { newest = older } else { entries[Int(newer)].older = older }
    if older == Self.nowhere { oldest = newer } else { entries[Int(older)].newer = newer }
  }

  private mutating func linkAsNewest(_ place: Int32) {
    entries[Int(place)].older = newest
    entries[Int(place)].newer = Self.nowhere
    if newest == Self.nowhere { oldest = place } else { entries[Int(newest)].newer = place }
    newest = place
  }
}
