internal import Synchronization
internal import ThreadingPrimitives

/// A connection's caches, and the commits that the caches and the client have reached in the list of commits.
///
/// The caches are never behind the commit that the client was shown. They may be beyond it, because the sweep of idle
/// connections moves the caches alone.
// Used only with the connection's lane held, except the atomics and `counters`, which any thread may use.
final class CommitFollower: @unchecked Sendable {
  /// The number of commits that may wait, unfolded, behind a connection without a bookmark. They take 10 MB or more.
  static let unseenCommitLimit = 100_000

  let caches: RowCaches
  let counters = CacheCounters()
  /// The last commit that the caches reflect. Set only by `reach` and `continueFromFolded`.
  private(set) var commit: Commit
  /// The last commit that the client was shown, by a transaction or by the beginning or end of a long-lived read. The
  /// next beginning or end returns the commits after this one. Set only by `show`; initially the newest commit.
  ///
  /// This reference keeps the change sets of later commits in memory. Their values are dropped independently of it.
  private(set) var shown: Commit
  /// The extensions that were adopted last; nil if none were since the connection's creation or a failed commit.
  var adopted: AdoptedExtensions?

  let database: YapDatabase
  private let connection: ConnectionID
  private let name: String
  private let pin: SnapshotPin

  // The positions of `commit` and `shown`, for statistics and the sweep, which read them without the lane.
  private let reachedSnapshot: Atomic<UInt64>
  private let reachedValueBytes: Atomic<Int>
  private let shownSnapshot: Atomic<UInt64>
  private let shownChangeBytes: Atomic<Int>
  /// Whether a sweep could not fold commits because the lane was held.
  private let isFoldingMissed = Atomic<Bool>(false)

  /// - Parameter commit: the newest commit.
  init(
    at commit: Commit,
    pin: SnapshotPin,
    settings: YapDatabaseConnectionDefaults,
    connection: ConnectionID,
    name: String,
    database: YapDatabase
  ) {
    self.commit = commit
    shown = commit
    self.pin = pin
    self.connection = connection
    self.name = name
    self.database = database
    caches = RowCaches(settings, of: database, counters: counters)
    reachedSnapshot = Atomic(commit.snapshot)
    reachedValueBytes = Atomic(commit.cumulativeValueBytes)
    shownSnapshot = Atomic(commit.snapshot)
    shownChangeBytes = Atomic(commit.cumulativeChangeBytes)
  }

  /// The number of the last commit that the caches reflect. Any thread may read it.
  var snapshot: UInt64 { reachedSnapshot.load(ordering: .acquiring) }

  /// The numbers of `commit` and of `shown`, the cumulative bytes of values at `commit`, and the cumulative bytes of
  /// change sets at `shown`. Any thread may read them.
  var progress: (snapshot: UInt64, valueBytes: Int, shown: UInt64, shownChangeBytes: Int) {
    (
      snapshot, reachedValueBytes.load(ordering: .relaxed), shownSnapshot.load(ordering: .relaxed),
      shownChangeBytes.load(ordering: .relaxed)
    )
  }

  // MARK: Following

  /// Applies the commits after `commit` up to `target`, one by one, and releases each once the next has been applied.
  func follow(to target: Commit) {
    while commit !== target {
      guard let next = commit.next else {
        preconditionFailure("commit \(target.snapshot) is not after commit \(commit.snapshot) in the list")
      }
      follow(next)
    }
  }

  /// Applies `next`, the commit after `commit`, perhaps a folded one. The caches already reflect this connection's own.
  private func follow(_ next: Commit) {
    if next.origin != connection { caches.follow(next) }
    reach(next)
    database.options.testHooks.reach(.commitFollowed, name)
  }

  /// Records that the caches reflect `commit`.
  func reach(_ commit: Commit) {
    precondition(!pin.isKept, "the caches of connection \"\(name)\" moved although it keeps a snapshot")
    self.commit = commit
    reachedSnapshot.store(commit.snapshot, ordering: .releasing)
    reachedValueBytes.store(commit.cumulativeValueBytes, ordering: .relaxed)
  }

  /// Records that the client was shown the state of `commit`. Commits up to this one are not returned later.
  @inline(__always)
  func show(_ commit: Commit) {
    if shown === commit { return }
    shown = commit
    shownSnapshot.store(commit.snapshot, ordering: .relaxed)
    shownChangeBytes.store(commit.cumulativeChangeBytes, ordering: .relaxed)
  }

  /// Follows the commits up to the newest.
  func followNewest() {
    follow(to: adoptNewest())
  }

  /// Follows the commits up to the newest, whose state the client is about to see.
  func showNewest() {
    followNewest()
    show(commit)
  }

  /// Follows the commits up to `target`, and records that the client was shown the state of `target`.
  /// - Returns: the unseen commits of other connections, oldest first; folded ones, own included, as one modification.
  func showModifications(through target: Commit) -> [YapDatabaseModification] {
    var modifications: [YapDatabaseModification] = []
    // `shown` no longer holds the commits on the way to `target`, so each can be freed once `last` has passed it.
    var last = shown
    show(target)
    while last !== target {
      guard let next = last.next else {
        preconditionFailure("commit \(target.snapshot) is not after commit \(last.snapshot) in the list")
      }
      if next.snapshot > commit.snapshot { follow(next) }
      if next.origin != connection { modifications.append(YapDatabaseModification(commit: next)) }
      last = next
    }
    return modifications
  }

  // MARK: Joint commits

  /// Applies the commits of the open joint commit to the caches, and adopts their extensions.
  /// - Returns: the last of these commits. The connection has not reached it, because it may still be lost.
  func followAhead(_ joint: JointCommit) -> Commit {
    var ahead: Commit? = joint.first
    while let commit = ahead {
      caches.follow(commit)
      ahead = commit.next
    }
    _ = adopt(joint.last)
    return joint.last
  }

  /// Drops the cached values and the extensions, which may be from transactions that were never committed.
  func dropUncommitted() {
    caches.removeAll()
    adopted = nil
  }

  // MARK: Folding

  /// Folds the oldest commits after `shown` if more than `limit` of them wait; does nothing if `limit` is nil.
  func fold(_ lists: inout FoldedLists, limit: Int?) {
    guard let limit, let copy = lists.list(after: shown, limit: limit) else { return }
    continueFromFolded(copy)
  }

  /// Records that a sweep could not fold the commits after a bookmark, because the lane was held. Any thread may call
  /// this function.
  func recordMissedFolding() {
    if database.options.bookmarkCommitLimit != nil { isFoldingMissed.store(true, ordering: .relaxed) }
  }

  /// Folds the commits after the bookmark if a sweep could not fold them.
  func foldIfMissed() {
    guard isFoldingMissed.load(ordering: .relaxed) else { return }
    isFoldingMissed.store(false, ordering: .relaxed)
    var lists = FoldedLists(upTo: database.registry.withLock { $0.newest })
    fold(&lists, limit: database.options.bookmarkCommitLimit)
  }

  /// Continues with a list in which the commits after `shown` are folded.
  /// - Parameter copy: the copy of `shown` in that list.
  private func continueFromFolded(_ copy: Commit) {
    let (oldShown, oldCommit) = (shown, commit)
    if commit === shown {
      // The connection has a bookmark. Neither `commit` nor the pin may hold the unfolded commits.
      commit = copy
      reachedValueBytes.store(copy.cumulativeValueBytes, ordering: .relaxed)
      pin.replaceCommit(with: copy)
    }
    show(copy)
    // The unfolded commits are freed here, not under the registry's lock.
    withExtendedLifetime((oldShown, oldCommit)) {}
  }
}
