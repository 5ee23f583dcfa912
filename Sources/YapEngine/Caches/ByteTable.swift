/// Values by key, in the order of insertion. Entries are never removed.
///
/// Used instead of a dictionary because each commit creates a change set and each follower iterates over it. Most
/// change sets hold a single key, which needs no hashing and one allocation. In the others the entries lie in the order
/// of the changes, where a dictionary's are scattered in memory.
struct ByteTable<Value> {
  struct Entry {
    /// Must be the first property: `forEachInPlace` takes an entry's address for its key's.
    let key: ByteString
    var value: Value
  }

  /// The largest number of keys for which a linear search is faster than an index.
  static var mostWithoutIndex: Int { 8 }

  private(set) var entries: ContiguousArray<Entry> = []
  /// nil up to `mostWithoutIndex` entries.
  private var index: RowIndex?

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// The index of a key in `entries`, or nil if the key is absent.
  @inline(__always)
  func place(of key: ByteString) -> Int? {
    guard let index else { return entries.firstIndex { $0.key == key } }
    return index.find(key.hash) { entries[Int($0)].key == key }.map { Int($0) }
  }

  /// Calls `body` with a pointer to each key, and with its value. Passing the key itself would retain and release it,
  /// which takes as long as the rest of the work per key.
  @inline(__always)
  func forEachInPlace(_ body: (UnsafePointer<ByteString>, Value) -> Void) {
    entries.withUnsafeBufferPointer { entries in
      guard let start = entries.baseAddress else { return }
      for place in entries.indices {
        let key = UnsafeRawPointer(start + place).assumingMemoryBound(to: ByteString.self)
        body(key, start[place].value)
      }
    }
  }

  subscript(key: ByteString) -> Value? { place(of: key).map { entries[$0].value } }

  /// The value of a key. Mutating access adds an absent key with `value`.
  subscript(key: ByteString, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      let place = place(of: key, adding: value())
      yield &entries[place].value
    }
  }

  /// The value at an index in `entries`. Indices never change.
  subscript(place place: Int) -> Value {
    _read { yield entries[place].value }
    _modify { yield &entries[place].value }
  }

  /// Returns the index of a key; adds an absent key with `value`.
  mutating func place(of key: ByteString, adding value: @autoclosure () -> Value) -> Int {
    if let place = place(of: key) { return place }
    let place = entries.count
    entries.append(Entry(key: key, value: value()))
    if index != nil {
      index?.insert(key.hash, at: Int32(place))
    } else if entries.count > Self.mostWithoutIndex {
      var index = RowIndex()
      for place in entries.indices { index.insert(entries[place].key.hash, at: Int32(place)) }
      self.index = index
    }
    return place
  }
}

extension ByteTable {
  /// The memory of the table and of its keys' texts, in bytes. Memory that values refer to is not counted.
  var allocatedBytes: Int {
    let entryBytes = Allocation.arrayBytes(capacity: entries.capacity, stride: MemoryLayout<Entry>.stride)
    return entries.indices.reduce(entryBytes + (index?.allocatedBytes ?? 0)) { $0 + entries[$1].key.allocatedBytes }
  }
}

extension ByteTable: Sendable where Value: Sendable {}
extension ByteTable.Entry: Sendable where Value: Sendable {}
