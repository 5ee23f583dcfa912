internal import Synchronization
internal import ThreadingPrimitives

/// One commit, linked to the one that came after it.
///
/// Commits form a list that only grows at its end. Whoever follows the database (a connection, the delivery of
/// notifications) holds the commit that it has reached and walks on from there, without a lock. What nobody has yet to
/// pass is freed by reference counting: nothing else prunes the list. Whoever holds a commit holds all that came after
/// it, so only followers do: what is handed to clients is a copy of the change set.
final class Commit: Sendable {
  /// The memory of a commit in bytes, without the objects that it refers to.
  static let bytes = 96

  /// The commit's number; the state before the first is 0. Of folded commits, the last one's.
  let snapshot: UInt64
  private let content: Content
  /// The extensions as the commit leaves them; nil where none was ever registered.
  let extensions: ExtensionSnapshot?
  /// Nanoseconds of `MonotonicClock` at which it was about to be written. Of folded commits, the first one's.
  let committedAt: UInt64
  /// The memory of all commits since the database was opened, this one included, in bytes. What waits for a follower
  /// is the difference between two of these.
  let cumulativeChangeBytes: Int
  /// The same for the values.
  let cumulativeValueBytes: Int

  /// Retained. Unmanaged, so that the end of a long list can be taken apart without recursion.
  private let successor = Atomic<Unmanaged<Commit>?>(nil)
  /// The frame of the WAL that ends the commit, packed with the WAL's generation; 0 until SQLite has told.
  private let packedPosition = Atomic<UInt64>(0)
  /// Microseconds after `committedAt`; 0 if unknown.
  private let writtenAfter = Atomic<UInt32>(0)
  /// The number of the connection that made it; 0 for none. 32 bits save memory, and no process creates so many.
  private let originNumber: UInt32

  /// - Parameters:
  ///   - extensions: nil where it leaves them as `previous` does.
  ///   - rows: rows of recent commits, which it may share.
  init(
    snapshot: UInt64,
    changes: consuming ChangeSet = ChangeSet(),
    origin: ConnectionID?,
    committedAt: UInt64 = MonotonicClock.now,
    previous: Commit?,
    extensions: ExtensionSnapshot? = nil,
    sharing rows: RecentRows? = nil
  ) {
    self.snapshot = snapshot
    self.extensions = extensions ?? previous?.extensions
    let carried = changes.takeValues()
    let (committed, changeBytes) = CommittedChanges.made(of: changes, sharing: rows)
    let values = carried.collections.isEmpty ? nil : CommitValues(carried, of: committed)
    content = values.map(Content.values) ?? .changes(committed)
    originNumber = UInt32(truncatingIfNeeded: origin?.number ?? 0)
    self.committedAt = committedAt
    let bytes = Self.bytes + changeBytes + (values == nil ? 0 : CommitValues.bytes)
    cumulativeChangeBytes = (previous?.cumulativeChangeBytes ?? 0) + bytes
    cumulativeValueBytes = (previous?.cumulativeValueBytes ?? 0) + (values?.estimatedBytes ?? 0)
  }

  /// The commit that stands for several, in the list of a follower that folds them.
  /// - Parameters:
  ///   - last: the last of them.
  ///   - set: their changes. Values are not kept: followers read again what was changed.
  ///   - committedAt: that of the first.
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

  /// A copy of a commit that a follower stands on, for a list in which the next commits are folded.
  /// - Parameters:
  ///   - last: the last of the folded commits.
  ///   - changeBytes: the memory of the commit that stands for them. Sums that begin here count it in their place.
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

  /// The changed values that the commit carries to other connections; nil if it carries none.
  var values: CommitValues? {
    if case .values(let values) = content { values } else { nil }
  }

  /// The connection that made it; nil for the state in which the database was opened, and for folded commits.
  var origin: ConnectionID? { originNumber == 0 ? nil : ConnectionID(number: UInt64(originNumber)) }

  deinit {
    values?.drop()  // the account of what waits may still hold them
    // A follower that was far behind lets go of everything that it had yet to follow. Released as a chain, each commit
    // inside the end of the one before it, some ten thousand of them would overflow the stack.
    var rest = takeNext()
    while isKnownUniquelyReferenced(&rest) { rest = rest?.takeNext() }
  }

  /// Ends the list here, for a commit that nobody else can reach any more.
  private func takeNext() -> Commit? {
    successor.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  /// The commit after this one, once it is known to be committed.
  var next: Commit? { successor.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Whether it is the newest commit that is known.
  var isLast: Bool { successor.load(ordering: .acquiring) == nil }

  /// Makes `commit` the next. The registry does it, once for each commit.
  func link(to commit: Commit) {
    let next = Unmanaged.passRetained(commit)
    let (isFirst, _) = successor.compareExchange(expected: nil, desired: next, ordering: .acquiringAndReleasing)
    precondition(isFirst, "two commits follow commit \(snapshot)")
  }

  /// Nanoseconds of `MonotonicClock` at which COMMIT had ended, to the microsecond, where that was timed; else
  /// `committedAt`, as for a reader that sees the commit before its writer does.
  var writtenAt: UInt64 {
    get { committedAt + UInt64(writtenAfter.load(ordering: .relaxed)) * 1_000 }
    set {
      let after = newValue > committedAt ? (newValue - committedAt) / 1_000 : 0
      writtenAfter.store(UInt32(clamping: after), ordering: .relaxed)
    }
  }

  /// Where the commit ends in the WAL.
  var position: WALPosition {
    get { WALPosition(packed: packedPosition.load(ordering: .acquiring)) }
    set { packedPosition.store(newValue.packed, ordering: .releasing) }
  }
}

/// The changes of a commit and the values that it carries, in the memory of one reference: most commits carry none.
private enum Content {
  case changes(CommittedChanges)
  case values(CommitValues)
}

/// A place in the WAL, which starts again from its first frame once all of it has been copied.
struct WALPosition: Equatable, Sendable {
  /// How often the WAL had been started again.
  var generation: Int
  /// The last frame that belongs to what is meant; 0 for none.
  var frame: Int

  init(generation: Int, frame: Int) {
    self.generation = generation
    self.frame = frame
  }

  fileprivate init(packed: UInt64) {
    self.init(generation: Int(packed >> 32), frame: Int(packed & 0xffff_ffff))
  }

  /// SQLite counts frames in 32 bits.
  fileprivate var packed: UInt64 { UInt64(generation) << 32 | UInt64(frame) }
}

/// Tells connections apart, also those that are gone.
struct ConnectionID: Hashable, Sendable, Comparable {
  let number: UInt64

  static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}
