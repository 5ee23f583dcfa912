internal import ThreadingPrimitives

/// The values of changed rows that a commit carries to the caches of other connections. A missing value is unknown.
///
/// A transaction collects them beside its `ChangeSet`, because clients may keep the change set indefinitely.
struct ChangedValues: Sendable {
  /// The values of one part of a collection's rows, by the index of the row's key in the collection's changes.
  struct Part: Sendable {
    private var values: ContiguousArray<CarriedValue?> = []

    var isEmpty: Bool { !values.contains { $0 != nil } }

    var estimatedBytes: Int { values.reduce(0) { $0 + ($1?.estimatedBytes ?? 0) } }

    subscript(index: Int) -> CarriedValue? { index < values.count ? values[index] : nil }

    mutating func set(_ value: CarriedValue?, at index: Int) {
      if value == nil, index >= values.count { return }
      while values.count <= index { values.append(nil) }
      values[index] = value
    }
  }

  private struct Collection {
    var objects = Part()
    var metadata = Part()
  }

  private var collections = ByteTable<Collection>()

  /// Whether there is no value.
  var isEmpty: Bool {
    collections.entries.allSatisfy { $0.value.objects.isEmpty && $0.value.metadata.isEmpty }
  }

  var estimatedBytes: Int {
    collections.entries.reduce(0) { $0 + $1.value.objects.estimatedBytes + $1.value.metadata.estimatedBytes }
  }

  /// Returns the values of one part of a collection's rows.
  func values(of part: RowPart, in collection: ByteString) -> Part {
    guard !collections.isEmpty, let found = collections[collection] else { return Part() }
    return part == .object ? found.objects : found.metadata
  }

  /// Sets the value of one part of a row; nil if it is unknown.
  /// - Parameter index: The index of the row's key in the collection's changes.
  mutating func set(_ value: CarriedValue?, for part: RowPart, at index: Int, in collection: ByteString) {
    if value == nil, collections[collection] == nil { return }
    if part == .object {
      collections[collection, default: Collection()].objects.set(value, at: index)
    } else {
      collections[collection, default: Collection()].metadata.set(value, at: index)
    }
  }

  /// Drops the values of a row that was removed.
  /// - Parameter index: The index of the row's key in the collection's changes.
  mutating func remove(at index: Int, in collection: ByteString) {
    set(nil, for: .object, at: index, in: collection)
    set(nil, for: .metadata, at: index, in: collection)
  }

  /// Drops the values of a collection that was cleared.
  mutating func removeAll(in collection: ByteString) {
    if collections[collection] != nil { collections[collection, default: Collection()] = Collection() }
  }
}

/// The values of one commit. They are dropped once every connection has followed the commit, when they are the oldest
/// and the waiting values exceed their limit, or when the commit is freed.
final class CommitValues: Sendable {
  /// The memory in bytes that remains after the values are dropped: this object and the two allocations of `held`.
  static let bytes = 48 + 16 + Allocation.bytes(MemoryLayout<ChangedValues?>.stride)

  /// The changes of the same commit. The commit refers to them through this object.
  let changes: CommittedChanges
  let estimatedBytes: Int
  private let held: Guarded<ChangedValues?>

  init(_ values: ChangedValues, of changes: CommittedChanges) {
    self.changes = changes
    estimatedBytes = values.estimatedBytes
    held = Guarded(values)
  }

  /// The values; nil after `drop()`.
  var current: ChangedValues? { held.withLock { $0 } }

  var isDropped: Bool { held.withLock { $0 == nil } }

  /// Drops the values. From then on every value is unknown.
  func drop() {
    // Clients' objects may be released for the last time here, which must not happen under the lock.
    let dropped = held.withLock { $0.take() }
    withExtendedLifetime(dropped) {}
  }
}

/// Selects the oldest values to be dropped, so that the values that wait for followers stay within a limit of memory.
///
/// Keys are kept as long as a follower needs them, but behind a long-lived read values could take any amount of memory.
/// The values are clients' objects, so the caller drops the returned values outside the lock that protects this state.
struct WaitingValues {
  private struct Waiting {
    let snapshot: UInt64
    let values: CommitValues
  }

  /// The limit in bytes; nil for no limit.
  let limit: Int?
  /// The waiting values, numbered from `oldest` to `next` - 1. A commit that is freed has dropped its values; older
  /// commits are freed first.
  private var waiting: [Int: Waiting] = [:]
  private var oldest = 0
  private var next = 0
  private(set) var bytes = 0

  init(limit: Int?) {
    self.limit = limit
  }

  /// Adds the values of the newest commit.
  /// - Returns: As many of the oldest values as must be dropped to keep the limit. The caller drops them.
  mutating func add(_ values: CommitValues, of snapshot: UInt64) -> [CommitValues] {
    while let first = waiting[oldest], first.values.isDropped { removeOldest() }
    waiting[next] = Waiting(snapshot: snapshot, values: values)
    next += 1
    bytes += values.estimatedBytes
    var dropped: [CommitValues] = []
    while let limit, bytes > limit, let first = waiting[oldest] {
      dropped.append(first.values)
      removeOldest()
    }
    return dropped
  }

  /// Removes the values of commits that the caches of every connection have followed.
  /// - Parameter snapshot: The number of the last of these commits.
  /// - Returns: The values. The caller drops them.
  mutating func removeFollowed(through snapshot: UInt64) -> [CommitValues] {
    var followed: [CommitValues] = []
    while let first = waiting[oldest], first.snapshot <= snapshot {
      followed.append(first.values)
      removeOldest()
    }
    return followed
  }

  private mutating func removeOldest() {
    bytes -= waiting.removeValue(forKey: oldest)?.values.estimatedBytes ?? 0
    oldest += 1
  }
}
