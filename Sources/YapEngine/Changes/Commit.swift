internal import Synchronization
internal import ThreadingPrimitives

/// One commit, linked to the next. Also represents the state at opening, and several commits that were folded.
///
/// Commits form a list that only grows at its end. Each follower (a connection, the delivery of notifications, or an
/// iteration over `modifications`) holds the commit that it has reached and walks on from there without a lock. Each
/// commit is freed by reference counting once all followers and pins have reached a later one. Holding a commit also
/// holds all later commits, so a client's modification holds only the change set.
final class Commit: Sendable {
  /// The memory of a commit in bytes, without the objects that it refers to.
  static let bytes = 96

  /// The commit's number. The state before the first commit has number 0. For folded commits, the number of the last.
  let snapshot: UInt64
  private let content: Content
  /// The extensions as of this commit; nil if none has been registered since the database was opened.
  let extensions: ExtensionSnapshot?
  /// The time at which the changes were complete, in nanoseconds of `MonotonicClock`: before the wait in a joint commit
  /// and before COMMIT. For folded commits, the time of the first.
  let committedAt: UInt64
  /// The memory of all commits since the database was opened, up to this one, in bytes, even of those that are freed.
  /// The memory that waits for a follower is the newest commit's sum minus the sum of the follower's commit.
  let cumulativeChangeBytes: Int
  /// The same sum for the values that the commits carry.
  let cumulativeValueBytes: Int

  /// The next commit, retained. Unmanaged, so that a long list can be released without recursion.
  private let successor = Atomic<Unmanaged<Commit>?>(nil)
  /// The packed `position`; 0 until SQLite has reported the frame.
  private let packedPosition = Atomic<UInt64>(0)
  /// Microseconds from `committedAt` until the commit was written, rounded down; 0 if unknown.
  private let writtenAfter = Atomic<UInt32>(0)
  /// The number of the connection that made the commit; 0 for none. 32 bits save memory and suffice for the connections
  /// of a process.
  private let originNumber: UInt32

  /// - Parameters:
  ///   - changes: Are moved into the commit.
  ///   - carried: The values of changed rows for the caches of other connections.
  ///   - extensions: nil if the commit leaves the extensions of `previous` unchanged.
  ///   - rows: Rows of recent commits, which this commit may share.
  init(
    snapshot: UInt64,
    changes: inout ChangeSet,
    carrying carried: ChangedValues = ChangedValues(),
    origin: ConnectionID?,
    committedAt: UInt64 = MonotonicClock.now,
    previous: Commit?,
    extensions: ExtensionSnapshot? = nil,
    sharing rows: RecentRows? = nil
  ) {
    self.snapshot = snapshot
    self.extensions = extensions ?? previous?.extensions
    let (committed, changeBytes) = CommittedChanges.made(of: &changes, sharing: rows)
    let values = carried.isEmpty ? nil : CommitValues(carried, of: committed)
    content = values.map(Content.values) ?? .changes(committed)
    originNumber = UInt32(truncatingIfNeeded: origin?.number ?? 0)
    self.committedAt = committedAt
    let bytes = Self.bytes + changeBytes + (values == nil ? 0 : CommitValues.bytes)
    cumulativeChangeBytes = (previous?.cumulativeChangeBytes ?? 0) + bytes
    cumulativeValueBytes = (previous?.cumulativeValueBytes ?? 0) + (values?.estimatedBytes ?? 0)
  }

  /// Creates a commit without changes.
  convenience init(
    snapshot: UInt64,
    origin: ConnectionID?,
    committedAt: UInt64 = MonotonicClock.now,
    previous: Commit?
  ) {
    var changes = ChangeSet()
    self.init(snapshot: snapshot, changes: &changes, origin: origin, committedAt: committedAt, previous: previous)
  }

  /// Creates a commit for those that another process has made after `commit`. It is not linked yet.
  /// - Parameter snapshot: The number of the last of them.
  convenience init(external snapshot: UInt64, after commit: Commit) {
    var changes = ChangeSet()
    changes.isEverythingRemoved = true
    changes.isExternal = true
    let set = SharedChangeSet(changes, foldedFrom: commit.snapshot + 1)
    let now = MonotonicClock.now
    let last = Commit(snapshot: snapshot, origin: nil, committedAt: now, previous: commit)
    self.init(last, standingFor: set, committedAt: now)
  }

  /// Creates the commit that replaces several commits in a folded list.
  /// - Parameters:
  ///   - last: The last of the folded commits.
  ///   - set: The changes of the folded commits. Their values are not kept, so caches drop the changed rows.
  ///   - committedAt: The `committedAt` of the first folded commit.
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

  /// Copies the commit before the folded ones, as the beginning of a folded list.
  /// - Parameters:
  ///   - last: The last of the folded commits.
  ///   - changeBytes: The memory of the commit that replaces the folded ones. The sums of the copy are set so that the
  ///     memory waiting after it includes these bytes instead of the memory of the folded commits.
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

  /// The changed values that the commit carries to other connections; nil if it was made without values.
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

  /// Unlinks and returns the next commit. Must be called only if no other reference to this commit remains.
  private func takeNext() -> Commit? {
    successor.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  /// The next commit; nil until it is known to be committed. The commits of a joint commit are linked earlier.
  var next: Commit? { successor.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Whether this is the newest known commit.
  var isLast: Bool { successor.load(ordering: .acquiring) == nil }

  /// Links the next commit. Called once per commit: by the registry, by a joint commit, or by folding.
  func link(to commit: Commit) {
    let next = Unmanaged.passRetained(commit)
    let (isFirst, _) = successor.compareExchange(expected: nil, desired: next, ordering: .acquiringAndReleasing)
    precondition(isFirst, "two commits follow commit \(snapshot)")
  }

  /// The time when COMMIT returned, in nanoseconds of `MonotonicClock`, accurate to a microsecond. Equals `committedAt`
  /// if the time is not known, because COMMIT was not timed. If a reader has seen the commit before COMMIT returned to
  /// the writer, the time at which the reader saw it, until the writer has timed COMMIT and records its own time.
  var writtenAt: UInt64 {
    get { committedAt + UInt64(writtenAfter.load(ordering: .relaxed)) * 1_000 }
    set {
      let after = newValue > committedAt ? (newValue - committedAt) / 1_000 : 0
      writtenAfter.store(UInt32(clamping: after), ordering: .relaxed)
    }
  }

  /// The end of the commit, or of its joint commit, in the WAL; `frame` is 0 until SQLite has reported it.
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

/// A position in the WAL. Each restart of the WAL begins a generation, whose frames are numbered from 1.
struct WALPosition: Equatable, Sendable {
  /// The number of restarts of the WAL since the database was opened.
  var generation: Int
  /// The last frame up to this position; 0 for none.
  var frame: Int
}

extension WALPosition {
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
