/// Values by key, in the order of insertion. Entries are never removed one by one.
///
/// Used instead of a dictionary, because each read-write transaction fills such tables and followers iterate over them.
/// Most tables hold a single key, which takes one allocation and no index. The entries of larger tables lie in memory
/// in the order of insertion; a dictionary would scatter them.
struct ByteTable<Value> {
  struct Entry {
    /// Must be the first property: `key(at:)` uses the address of an entry as the address of its key.
    let key: ByteString
    var value: Value
  }

  /// The largest number of keys for which a linear search is faster than an index.
  static var mostWithoutIndex: Int { 8 }

  private(set) var entries: ContiguousArray<Entry> = []
  /// nil up to `mostWithoutIndex` entries.
  private var rowIndex: RowIndex?

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// The index of a key in `entries`, or nil if the key is absent.
  @inline(__always)
  func index(of key: ByteString) -> Int? {
    guard let rowIndex else { return entries.firstIndex { $0.key == key } }
    return rowIndex.find(key.hash) { entries[Int($0)].key == key }.map { Int($0) }
  }

  subscript(key: ByteString) -> Value? { index(of: key).map { entries[$0].value } }

  /// The value of a key; `value` if the key is absent. Mutating access adds an absent key with `value`.
  subscript(key: ByteString, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      let index = index(of: key, adding: value())
      yield &entries[index].value
    }
  }

  /// The value at an index in `entries`. Indices never change.
  subscript(at index: Int) -> Value {
    _read { yield entries[index].value }
    _modify { yield &entries[index].value }
  }

  /// Returns the index of a key; adds an absent key with `value`.
  mutating func index(of key: ByteString, adding value: @autoclosure () -> Value) -> Int {
    if let index = index(of: key) { return index }
    let index = entries.count
    entries.append(Entry(key: key, value: value()))
    if rowIndex != nil {
      rowIndex?.insert(key.hash, at: Int32(index))
    } else if entries.count > Self.mostWithoutIndex {
      var rowIndex = RowIndex()
      for index in entries.indices { rowIndex.insert(entries[index].key.hash, at: Int32(index)) }
      self.rowIndex = rowIndex
    }
    return index
  }

  /// Removes all entries, and keeps the memory for further ones.
  mutating func removeAll() {
    // For a few entries faster than `removeAll(keepingCapacity:)`.
    while !entries.isEmpty { entries.removeLast() }
    rowIndex = nil
  }
}

extension ByteTable {
  /// The estimated memory of the table and of its keys' texts, in bytes. Memory that values refer to is not counted.
  var allocatedBytes: Int {
    let entryBytes = Allocation.arrayBytes(capacity: entries.capacity, stride: MemoryLayout<Entry>.stride)
    return entries.indices.reduce(entryBytes + (rowIndex?.allocatedBytes ?? 0)) { $0 + entries[$1].key.allocatedBytes }
  }
}

extension UnsafeBufferPointer {
  /// Returns a pointer to the key at an index. Passing the key itself would retain and release it, which takes as long
  /// as the rest of the work per key.
  @inline(__always)
  func key<Value>(at index: Int) -> UnsafePointer<ByteString> where Element == ByteTable<Value>.Entry {
    precondition(indices.contains(index), "the table has no entry \(index)")
    let entry = UnsafeRawPointer(baseAddress.unsafelyUnwrapped + index)
    return entry.assumingMemoryBound(to: ByteString.self)
  }
}

extension ByteTable: Sendable where Value: Sendable {}
extension ByteTable.Entry: Sendable where Value: Sendable {}
