internal import ThreadingPrimitives

/// The values of changed rows that a commit carries to the caches of other connections. What is missing is unknown.
struct ChangedValues: Sendable {
  struct Collection: Sendable {
    var objects = Half()
    var metadata = Half()

    var isEmpty: Bool { objects.isEmpty && metadata.isEmpty }
  }

  /// By the place of the row's key among the collection's changes.
  struct Half: Sendable {
    private var values: ContiguousArray<CarriedValue?> = []

    var isEmpty: Bool { !values.contains { $0 != nil } }

    var estimatedBytes: Int { values.reduce(0) { $0 + ($1?.estimatedBytes ?? 0) } }

    subscript(place: Int) -> CarriedValue? { place < values.count ? values[place] : nil }

    mutating func put(_ value: CarriedValue?, at place: Int) {
      if value == nil, place >= values.count { return }
      while values.count <= place { values.append(nil) }
      values[place] = value
    }
  }

  /// Only collections of which there are values.
  var collections = ByteTable<Collection>()

  var estimatedBytes: Int {
    collections.entries.reduce(0) { $0 + $1.value.objects.estimatedBytes + $1.value.metadata.estimatedBytes }
  }
}

/// One commit's values, kept until every connection has followed it, or too many wait.
final class CommitValues: Sendable {
  /// The memory in bytes that remains when the values are dropped: this object and the two allocations of its lock.
  static let bytes = 48 + 16 + Allocation.bytes(MemoryLayout<ChangedValues?>.stride)

  /// The changes of the same commit, which refers to them through this object.
  let changes: CommittedChanges
  let estimatedBytes: Int
  private let held: Guarded<ChangedValues?>

  init(_ values: ChangedValues, of changes: CommittedChanges) {
    self.changes = changes
    estimatedBytes = values.estimatedBytes
    held = Guarded(values)
  }

  /// nil once they were dropped.
  var current: ChangedValues? { held.withLock { $0 } }

  var isDropped: Bool { held.withLock { $0 == nil } }

  /// From now on every value is unknown.
  func drop() {
    // The last release of the client's objects happens out here, without the lock.
    let dropped = held.withLock { held in
      defer { held = nil }
      return held
    }
    withExtendedLifetime(dropped) {}
  }
}

/// Holds the values that wait for followers under a limit: the oldest are dropped first.
///
/// Keys are kept as long as a follower needs them; values could take any amount of memory behind a long-lived read. The
/// caller drops what is returned, outside of the lock under which this stands: values are the client's objects.
struct WaitingValues {
  private struct Waiting {
    let snapshot: UInt64
    let values: CommitValues
  }

  /// Bytes; nil for no limit.
  let limit: Int?
  /// By number, from `oldest` up to `next`. Emptied when a commit is freed, which happens in their order.
  private var waiting: [Int: Waiting] = [:]
  private var oldest = 0
  private var next = 0
  private(set) var bytes = 0

  init(limit: Int?) {
    self.limit = limit
  }

  /// Adds those of the newest commit.
  /// - Returns: values above the limit, to be dropped.
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
  /// - Parameter snapshot: the last of these commits.
  /// - Returns: the values, to be dropped.
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
