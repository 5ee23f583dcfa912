/// Values by key, in the order in which the keys came. Entries are never removed.
///
/// Not a dictionary, because change sets are made at each commit and gone through by everybody who follows: most hold
/// a single key, which needs no hashing and one allocation, and the others lie in the order of their changes, where a
/// dictionary's lie anywhere in memory.
struct ByteTable<Value> {
  struct Entry {
    /// Comes first, so that where an entry lies its key does.
    let key: ByteString
    var value: Value
  }

  /// Up to so many keys are found faster by looking at all of them.
  static var mostWithoutIndex: Int { 8 }

  private(set) var entries: ContiguousArray<Entry> = []
  /// nil as long as there are few.
  private var index: RowIndex?

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// Where a key lies in `entries`; nil if it is not there.
  @inline(__always)
  func place(of key: ByteString) -> Int? {
    guard let index else { return entries.firstIndex { $0.key == key } }
    return index.find(key.hash) { entries[Int($0)].key == key }.map { Int($0) }
  }

  /// Calls `body` with each key where it lies, and its value. To hand over a key retains and releases it, which takes
  /// as long as all else that is done about it.
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

  /// The value of a key, which is added with `value` if it is not there.
  subscript(key: ByteString, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      let place = place(of: key, adding: value())
      yield &entries[place].value
    }
  }

  /// The value at a place; places stay what they are.
  subscript(place place: Int) -> Value {
    _read { yield entries[place].value }
    _modify { yield &entries[place].value }
  }

  /// Where a key lies, which is added with `value` if it is not there.
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
  /// The memory that it takes, with the texts of its keys, in bytes. What values hold is not counted.
  var allocatedBytes: Int {
    let entryBytes = Allocation.arrayBytes(capacity: entries.capacity, stride: MemoryLayout<Entry>.stride)
    return entries.indices.reduce(entryBytes + (index?.allocatedBytes ?? 0)) { $0 + entries[$1].key.allocatedBytes }
  }
}

extension ByteTable: Sendable where Value: Sendable {}
extension ByteTable.Entry: Sendable where Value: Sendable {}
