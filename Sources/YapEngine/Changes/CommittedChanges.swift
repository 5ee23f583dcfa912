/// The changes of one commit as they are kept: immutable, and shared by the commit and its modifications.
///
/// Designed to take little memory for each commit behind a bookmark. Most commits change a single row. A commit that
/// changes the same row in the same way as a recent commit shares the `ChangedRow` of that commit.
enum CommittedChanges: Sendable {
  /// One row was changed and nothing else.
  case row(ChangedRow)
  case set(SharedChangeSet)

  /// - Parameter rows: Rows of recent commits that this one may share; nil to share none.
  /// - Returns: The changes, and the bytes of memory newly allocated for them.
  static func made(of changes: ChangeSet, sharing rows: RecentRows?) -> (changes: CommittedChanges, bytes: Int) {
    guard let (collection, key, change) = changes.onlyRow else {
      if changes.isEmpty, changes.views.isEmpty { return (.set(.empty), 0) }
      let set = SharedChangeSet(changes)
      return (.set(set), set.allocatedBytes)
    }
    if let (row, bytes) = rows?.share(key, in: collection, change: change) { return (.row(row), bytes) }
    let row = ChangedRow(key: key, collection: collection, change: change)
    return (.row(row), row.allocatedBytes)
  }

  /// The value that the writer attached, if any. For folded commits, the last value attached to any of them.
  var customObject: (any Sendable)? {
    switch self {
    case .row: nil
    case .set(let set): set.changes.customObject
    }
  }

  /// Returns the changes of a view; nil if there are none.
  func changes(ofView name: ByteString) -> ViewChanges? {
    switch self {
    case .row: nil
    case .set(let set): set.changes.views[name]
    }
  }

  /// The number of the first folded commit; nil for the changes of a single commit.
  var foldedFrom: UInt64? {
    switch self {
    case .row: nil
    case .set(let set): set.foldedFrom
    }
  }

  var changedKeyCount: Int {
    switch self {
    case .row: 1
    case .set(let set): set.changes.changedKeyCount
    }
  }
}

/// A row and the change that a commit made to it.
final class ChangedRow: Sendable {
  let key: ByteString
  let collection: CollectionName
  let change: KeyChange

  init(key: ByteString, collection: CollectionName, change: KeyChange) {
    self.key = key
    self.collection = collection
    self.change = change
  }

  var row: RowKey { RowKey(collection: collection.number, key: key) }

  /// The estimated memory of the object and its key, in bytes.
  var allocatedBytes: Int { Allocation.bytes(73) + key.allocatedBytes }
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
    var row: ChangedRow?
  }

  private static var setCount: Int { 128 }

  private var entries = ContiguousArray(repeating: Entry(), count: 2 * setCount)

  /// Returns the same change of the same row if a recent commit made it. Otherwise adds a new one.
  /// - Returns: The row, and the bytes of memory allocated for it.
  func share(_ key: ByteString, in collection: CollectionName, change: KeyChange) -> (row: ChangedRow, bytes: Int) {
    let hash = RowKey.hash(of: key.hash, in: collection.number)
    let first = 2 * Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(Self.setCount - 1))
    return entries.withUnsafeMutableBufferPointer { entries in
      func row(at index: Int) -> ChangedRow? {
        guard entries[index].hash == hash, let row = entries[index].row else { return nil }
        return row.change == change && row.collection.number == collection.number && row.key == key ? row : nil
      }
      if let found = row(at: first) { return (found, 0) }
      if let found = row(at: first + 1) {
        entries.swapAt(first, first + 1)
        return (found, 0)
      }
      let row = ChangedRow(key: key, collection: collection, change: change)
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
