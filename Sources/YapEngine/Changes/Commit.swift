internal import Synchronization
internal import ThreadingPrimitives

/// One commit, linked to the next.
///
/// Commits form a list that only grows at its end. Each follower (a connection, the delivery of notifications, or an
/// iteration) holds the commit that it has reached and walks on from there without a lock. A commit is freed by
/// reference counting once no follower still has to pass it. Holding a commit also holds all later commits, so only
/// followers hold commits; clients get only the change set.
final class Commit: Sendable {
  /// The memory of a commit in bytes, without the objects that it refers to.
  static let bytes = 96

  /// The commit's number. The state before the first commit has number 0. For folded commits, the number of the last.
  let snapshot: UInt64
  private let content: Content
  /// The extensions as of this commit; nil if none was ever registered.
  let extensions: ExtensionSnapshot?
  /// The time just before the commit was written, in nanoseconds of `MonotonicClock`. For folded commits, that of the
  /// first.
  let committedAt: UInt64
  /// The memory of all commits since the database was opened, including this one, in bytes. The memory waiting for a
  /// follower is the difference of two of these sums.
  let cumulativeChangeBytes: Int
  /// The memory of the values of all commits since the database was opened, including this one, in bytes.
  let cumulativeValueBytes: Int

  /// The next commit, retained. Unmanaged, so that a long list can be released without recursion.
  private let successor = Atomic<Unmanaged<Commit>?>(nil)
  /// The WAL frame that ends the commit, packed with the WAL's generation; 0 until SQLite has reported it.
  private let packedPosition = Atomic<UInt64>(0)
  /// Microseconds from `committedAt` until the commit was written; 0 if unknown.
  private let writtenAfter = Atomic<UInt32>(0)
  /// The number of the connection that made the commit; 0 for none. 32 bits save memory and suffice for the connections
  /// of a process.
  private let originNumber: UInt32

  /// - Parameters:
  ///   - carried: The values of changed rows for the caches of other connections.
  ///   - extensions: nil if the commit leaves the extensions of `previous` unchanged.
  ///   - rows: Rows of recent commits, which this commit may share.
  init(
    snapshot: UInt64,
    changes: ChangeSet = ChangeSet(),
    carrying carried: ChangedValues = ChangedValues(),
    origin: ConnectionID?,
    committedAt: UInt64 = MonotonicClock.now,
    previous: Commit?,
    extensions: ExtensionSnapshot? = nil,
    sharing rows: RecentRows? = nil
  ) {
    self.snapshot = snapshot
    self.extensions = extensions ?? previous?.extensions
    let (committed, changeBytes) = CommittedChanges.made(of: changes, sharing: rows)
    let values = carried.isEmpty ? nil : CommitValues(carried, of: committed)
    content = values.map(Content.values) ?? .changes(committed)
    originNumber = UInt32(truncatingIfNeeded: origin?.number ?? 0)
    self.committedAt = committedAt
    let bytes = Self.bytes + changeBytes + (values == nil ? 0 : CommitValues.bytes)
    cumulativeChangeBytes = (previous?.cumulativeChangeBytes ?? 0) + bytes
    cumulativeValueBytes = (previous?.cumulativeValueBytes ?? 0) + (values?.estimatedBytes ?? 0)
  }

  /// Creates the commit that replaces several, for the list of a follower that folds them.
  /// - Parameters:
  ///   - last: The last of the folded commits.
  ///   - set: Their changes. Values are not kept, so followers read the changed values again.
  ///   - committedAt: The `committedAt` of the first.
  init(_ last: Commit, standingFor set: SharedChangeSet, committedAt: UInt64) {
    snapshot = last.snapshot
    content = .changes(.set(set))
    extensions = last.extensions
    originNumber = 0
    self.committedAt = committedAt
    cumulativeChangeBytes = last.cumulativeChangeBytes
    cumulativeValueBytes = last.cumulativeValueBytes
    position = last.position
    writtenAt = last.writtenAt
  }

  /// Copies the commit that a follower has reached, for a list in which the next commits are folded.
  /// - Parameters:
  ///   - last: The last of the folded commits.
  ///   - changeBytes: The memory of the commit that replaces them. Memory sums that begin at the copy count this
  ///     instead of the memory of the folded commits.
  init(_ commit: Commit, beforeFolded last: Commit, changeBytes: Int) {
    snapshot = commit.snapshot
    content = .changes(.set(.empty))
    extensions = commit.extensions
    originNumber = commit.originNumber
    committedAt = commit.committedAt
    cumulativeChangeBytes = last.cumulativeChangeBytes - changeBytes
    cumulativeValueBytes = last.cumulativeValueBytes
    position = commit.position
    writtenAt = commit.writtenAt
  }

  var changes: CommittedChanges {
    switch content {
    case .changes(let changes): changes
    case .values(let values): values.changes
    }
  }

  /// The changed values that the commit carries to other connections; nil if there are none.
  var values: CommitValues? {
    if case .values(let values) = content { values } else { nil }
  }

  /// The connection that made the commit; nil for the state at opening and for folded commits.
  var origin: ConnectionID? { originNumber == 0 ? nil : ConnectionID(number: UInt64(originNumber)) }

  deinit {
    values?.drop()  // `WaitingValues` may still hold them
    // A follower that is far behind may release a long list. Released recursively, about ten thousand commits would
    // overflow the stack.
    var rest = takeNext()
    while isKnownUniquelyReferenced(&rest) { rest = rest?.takeNext() }
  }

  /// Unlinks and returns the next commit. Called only if no other reference to this commit remains.
  private func takeNext() -> Commit? {
    successor.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  /// The next commit; nil until it is known to be committed.
  var next: Commit? { successor.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Whether this is the newest known commit.
  var isLast: Bool { successor.load(ordering: .acquiring) == nil }

  /// Links the next commit. Called once per commit: by the registry, or by folding for the commits that it creates.
  func link(to commit: Commit) {
    let next = Unmanaged.passRetained(commit)
    let (isFirst, _) = successor.compareExchange(expected: nil, desired: next, ordering: .acquiringAndReleasing)
    precondition(isFirst, "two commits follow commit \(snapshot)")
  }

  /// The time when COMMIT returned, in nanoseconds of `MonotonicClock`, accurate to a microsecond. Equals `committedAt`
  /// if the time is not known, for example for a reader that sees the commit before COMMIT returns to the writer.
  var writtenAt: UInt64 {
    get { committedAt + UInt64(writtenAfter.load(ordering: .relaxed)) * 1_000 }
    set {
      let after = newValue > committedAt ? (newValue - committedAt) / 1_000 : 0
      writtenAfter.store(UInt32(clamping: after), ordering: .relaxed)
    }
  }

  /// The end of the commit in the WAL.
  var position: WALPosition {
    get { WALPosition(packed: packedPosition.load(ordering: .acquiring)) }
    set { packedPosition.store(newValue.packed, ordering: .releasing) }
  }
}

/// The changes of a commit and the values that it carries, in the memory of one reference, because most commits carry
/// no values.
private enum Content {
  case changes(CommittedChanges)
  case values(CommitValues)
}

/// A position in the WAL. The WAL restarts at its first frame after all of it has been copied.
struct WALPosition: Equatable, Sendable {
  /// The number of times that the WAL has been restarted.
  var generation: Int
  /// The last frame up to this position; 0 for none.
  var frame: Int

  init(generation: Int, frame: Int) {
    self.generation = generation
    self.frame = frame
  }

  fileprivate init(packed: UInt64) {
    self.init(generation: Int(packed >> 32), frame: Int(packed & 0xffff_ffff))
  }

  /// SQLite numbers frames with 32 bits.
  fileprivate var packed: UInt64 { UInt64(generation) << 32 | UInt64(frame) }
}

/// Identifies a connection, even after the connection has ended.
struct ConnectionID: Hashable, Sendable, Comparable {
  let number: UInt64

  static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}
