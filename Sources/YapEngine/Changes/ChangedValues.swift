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

/// One commit's values, kept until everybody has followed it, or too many wait.
final class CommitValues: Sendable {
  let estimatedBytes: Int
  private let held: Guarded<ChangedValues?>

  init(_ values: ChangedValues) {
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
/// Keys wait as long as anybody needs them; it is values that would take any amount of memory behind a long-lived read.
struct WaitingValues {
  /// Bytes; nil for no limit.
  let limit: Int?
  /// By number, from `oldest` up to `next`. Emptied when a commit is freed, which happens in their order.
  private var waiting: [Int: CommitValues] = [:]
  private var oldest = 0
  private var next = 0
  private(set) var bytes = 0

  init(limit: Int?) {
    self.limit = limit
  }

  /// Adds those of the newest commit.
  /// - Returns: bytes that had to be dropped for it.
  mutating func add(_ values: CommitValues) -> Int {
    while let first = waiting[oldest], first.isDropped { removeOldest() }
    waiting[next] = values
    next += 1
    bytes += values.estimatedBytes
    var dropped = 0
    while let limit, bytes > limit, let first = waiting[oldest] {
      if !first.isDropped { dropped += first.estimatedBytes }
      first.drop()
      removeOldest()
    }
    return dropped
  }

  private mutating func removeOldest() {
    bytes -= waiting.removeValue(forKey: oldest)?.estimatedBytes ?? 0
    oldest += 1
  }
}
