/// The changes of one commit as they are kept: immutable, and shared by the commit and its modifications.
///
/// Designed to take little memory for each commit behind a bookmark. Most commits change few rows, and many only one. A
/// commit that changes one row in the same way as a recent commit shares the `ChangedRows` of that commit.
enum CommittedChanges: Sendable {
  /// At most `ChangedRows.most` rows of one collection were changed and nothing else.
  case rows(ChangedRows)
  case set(SharedChangeSet)

  /// - Parameters:
  ///   - changes: Are removed from the set.
  ///   - rows: Rows of recent commits that this one may share; nil to share none.
  /// - Returns: The changes, and the bytes of memory newly allocated for them.
  static func made(of changes: inout ChangeSet, sharing rows: RecentRows?) -> (changes: CommittedChanges, bytes: Int) {
    guard changes.isOfFewRows else {
      if changes.isEmpty, changes.views.isEmpty { return (.set(.empty), 0) }
      let set = SharedChangeSet(changes.take())
      return (.set(set), set.allocatedBytes)
    }
    defer { changes.removeFewRows() }
    let number = changes.collections[at: 0].number
    let collection = CollectionName(name: changes.collections.entries[0].key, number: number)
    if changes.collections[at: 0].keys.count == 1, let rows {
      let (row, bytes) = rows.share(changes.collections[at: 0].keys.entries[0], in: collection)
      return (.rows(row), bytes)
    }
    let made = ChangedRows(changes.collections[at: 0].keys.entries, in: collection)
    return (.rows(made), made.allocatedBytes)
  }

  /// The value that the writer attached, if any. For folded commits, the last value attached to any of them.
  var customObject: (any Sendable)? {
    switch self {
    case .rows: nil
    case .set(let set): set.changes.customObject?.value
    }
  }

  /// Returns the changes of a view; nil if there are none.
  func changes(ofView name: ByteString) -> ViewChanges? {
    switch self {
    case .rows: nil
    case .set(let set): set.changes.views[name]
    }
  }

  /// The number of the first folded commit; nil for the changes of a single commit.
  var foldedFrom: UInt64? {
    switch self {
    case .rows: nil
    case .set(let set): set.foldedFrom
    }
  }

  var changedKeyCount: Int {
    switch self {
    case .rows(let rows): rows.count
    case .set(let set): set.changes.changedKeyCount
    }
  }
}

/// A few rows of one collection and the changes that a commit made to them, in the order in which they were first
/// changed.
///
/// They lie in one allocation, because a follower that is far behind has to fetch each line of them from memory.
// Immutable once it is made.
struct ChangedRows: @unchecked Sendable {
  typealias Row = ByteTable<KeyChange>.Entry

  struct Header {
    let collection: CollectionName
    let count: Int
  }

  final class Storage: ManagedBuffer<Header, Row> {
    deinit {
      _ = withUnsafeMutablePointers { header, rows in rows.deinitialize(count: header.pointee.count) }
    }
  }

  /// The largest number of rows. Their keys are searched one after the other.
  static let most = 16

  let storage: ManagedBuffer<Header, Row>

  init(_ changed: some RandomAccessCollection<Row>, in collection: CollectionName) {
    storage = Storage.create(minimumCapacity: changed.count) { _ in
      Header(collection: collection, count: changed.count)
    }
    storage.withUnsafeMutablePointerToElements { rows in
      for (index, row) in changed.enumerated() { (rows + index).initialize(to: row) }
    }
  }

  // Accesses to `storage.header` would be checked for exclusivity at run time.
  var collection: CollectionName { storage.withUnsafeMutablePointerToHeader { $0.pointee.collection } }
  var count: Int { storage.withUnsafeMutablePointerToHeader { $0.pointee.count } }

  func withRows<Result>(_ body: (UnsafeBufferPointer<Row>) -> Result) -> Result {
    storage.withUnsafeMutablePointers { header, rows in
      body(UnsafeBufferPointer(start: rows, count: header.pointee.count))
    }
  }

  /// Returns the change of a row; nil if the row was not changed.
  func change(of key: ByteString) -> KeyChange? {
    withRows { rows in rows.first { $0.key == key }?.value }
  }

  /// The estimated memory of the rows and their keys, in bytes.
  var allocatedBytes: Int {
    let size = 16 + MemoryLayout<Header>.stride + count * MemoryLayout<Row>.stride
    return withRows { rows in rows.reduce(Allocation.bytes(size)) { $0 + $1.key.allocatedBytes } }
  }
}

/// A change set of any size, shared by reference.
final class SharedChangeSet: Sendable {
  let changes: ChangeSet
  /// The number of the first folded commit; nil for the changes of a single commit.
  let foldedFrom: UInt64?

  static let empty = SharedChangeSet(ChangeSet())

  init(_ changes: ChangeSet, foldedFrom: UInt64? = nil) {
    self.changes = changes
    self.foldedFrom = foldedFrom
  }

  /// The estimated memory of the object and its tables, in bytes; 0 for `empty`, which commits share.
  var allocatedBytes: Int {
    if self === Self.empty { return 0 }
    return Allocation.bytes(16 + MemoryLayout<ChangeSet>.stride + 9) + changes.allocatedBytes
  }
}

/// The rows changed by recent commits of a single row. Equal changes of the same row are kept once.
///
/// Holds at most 256 rows, in sets of two selected by the row's hash. A set evicts its least recently used row.
// Accessed only under the write lane.
final class RecentRows {
  /// A row and its hash. Because the hash is stored here, a lookup of an unknown row touches no memory of other rows.
  private struct Entry {
    var hash: UInt64 = 0
    var row: ChangedRows?
  }

  private static var setCount: Int { 128 }

  // Exclusive access is not checked at run time, in each commit: accesses run no other code.
  @exclusivity(unchecked)
  private var entries = ContiguousArray(repeating: Entry(), count: 2 * setCount)

  /// Returns the same change of the same row if a recent commit made it. Otherwise adds a new one.
  /// - Returns: The row, and the bytes of memory allocated for it.
  func share(_ changed: ChangedRows.Row, in collection: CollectionName) -> (row: ChangedRows, bytes: Int) {
    let hash = RowKey.hash(of: changed.key.hash, in: collection.number)
    let first = 2 * Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(Self.setCount - 1))
    return entries.withUnsafeMutableBufferPointer { entries in
      func row(at index: Int) -> ChangedRows? {
        guard entries[index].hash == hash, let row = entries[index].row else { return nil }
        let isSame = row.collection.number == collection.number && row.change(of: changed.key) == changed.value
        return isSame ? row : nil
      }
      if let found = row(at: first) { return (found, 0) }
      if let found = row(at: first + 1) {
        entries.swapAt(first, first + 1)
        return (found, 0)
      }
      let row = ChangedRows(CollectionOfOne(changed), in: collection)
      entries[first + 1] = entries[first]
      entries[first] = Entry(hash: hash, row: row)
      return (row, row.allocatedBytes)
    }
  }
}

/// Estimates the memory of an allocation, because allocators round sizes up.
enum Allocation {
  /// Rounds up to jemalloc's size classes: multiples of 16 up to 128, then four classes per power of two.
  /// - Parameter size: The requested bytes.
  static func bytes(_ size: Int) -> Int {
    if size <= 128 { return (size + 15) & ~15 }
    let step = 1 << (Int.bitWidth - 1 - (size - 1).leadingZeroBitCount - 2)
    return (size + step - 1) & ~(step - 1)
  }

  /// The memory of an array's buffer, which is a header of 32 bytes and the elements; 0 if the capacity is 0.
  static func arrayBytes(capacity: Int, stride: Int) -> Int {
    capacity == 0 ? 0 : bytes(32 + capacity * stride)
  }
}

extension ByteString {
  /// The memory of the text besides the string value itself; none up to 15 bytes of UTF-8.
  var allocatedBytes: Int {
    let count = text.utf8.count
    return count <= 15 ? 0 : Allocation.bytes(33 + count)
  }
}
