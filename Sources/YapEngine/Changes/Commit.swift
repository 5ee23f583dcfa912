internal import Synchronization

/// One commit, linked to the one that came after it.
///
/// Commits form a list that only grows at its end. Whoever follows the database (a connection, the delivery of
/// notifications) holds the commit that it has reached and walks on from there, without a lock. What nobody has yet to
/// pass is freed by reference counting: nothing else prunes the list.
final class Commit: Sendable {
  /// The commit's number; the state before the first is 0.
  let snapshot: UInt64
  let changes: ChangeSet
  /// The connection that made it; nil for the state in which the database was opened.
  let origin: ConnectionID?
  /// Nanoseconds of `MonotonicClock` at which it was about to be written.
  let committedAt: UInt64
  /// `estimatedBytes` of all change sets since the database was opened, this one included. What waits for a follower
  /// is the difference between two of these.
  let cumulativeChangeBytes: Int

  private let successor = AtomicLazyReference<Commit>()
  /// The frame of the WAL that ends the commit, packed with the WAL's generation; 0 until SQLite has told.
  private let packedPosition = Atomic<UInt64>(0)

  init(snapshot: UInt64, changes: ChangeSet, origin: ConnectionID?, committedAt: UInt64, previous: Commit?) {
    self.snapshot = snapshot
    self.changes = changes
    self.origin = origin
    self.committedAt = committedAt
    cumulativeChangeBytes = (previous?.cumulativeChangeBytes ?? 0) + changes.estimatedBytes
  }

  /// The commit after this one, once it is known to be committed.
  var next: Commit? { successor.load() }

  /// Makes `commit` the next. The registry does it, once for each commit.
  func link(to commit: Commit) {
    let linked = successor.storeIfNil(commit)
    precondition(linked === commit, "two commits follow commit \(snapshot)")
  }

  /// Where the commit ends in the WAL.
  var position: WALPosition {
    get { WALPosition(packed: packedPosition.load(ordering: .acquiring)) }
    set { packedPosition.store(newValue.packed, ordering: .releasing) }
  }
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
