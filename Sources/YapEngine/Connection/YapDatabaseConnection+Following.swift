internal import Synchronization
internal import ThreadingPrimitives

/// Follows the list of commits. The lane must be held, except for `followIfIdle`, which acquires it.
extension YapDatabaseConnection {
  /// Applies each commit up to `target`, one by one, and releases each once the next has been applied.
  func follow(to target: Commit) {
    var current = place
    while current !== target {
      guard let next = current.next else {
        preconditionFailure("commit \(target.snapshot) is not after commit \(current.snapshot) in the list")
      }
      follow(next)
      current = next
    }
  }

  /// Applies the commit after `place`, which may be a folded commit.
  func follow(_ next: Commit) {
    if next.origin != id, !omissions.has(.forgetsToDropChangedValues) { caches.follow(next) }
    reach(next)
    database.options.testHooks.reach(.commitFollowed, name)
  }

  /// Follows the commits up to `newest` if the connection is idle, so that its caches need no old commits. A connection
  /// with a bookmark keeps its snapshot. If too many commits wait to be returned to the client, the oldest are folded.
  /// - Parameter lists: the lists that this sweep has already folded.
  /// - Returns: whether the connection now reflects `newest`.
  func followIfIdle(_ newest: Commit, _ lists: inout FoldedLists) -> Bool {
    if snapshot >= newest.snapshot { return true }
    guard lane.tryAcquire() else {
      if isLongLived, database.options.bookmarkCommitLimit != nil { foldingMissed.store(true, ordering: .relaxed) }
      return false
    }
    defer { lane.release() }
    let hooks = database.options.testHooks
    if isLongLived {
      fold(&lists, limit: database.options.bookmarkCommitLimit)
      return place.snapshot >= newest.snapshot
    }
    guard place.snapshot < newest.snapshot else { return true }
    if isSnapshotKept, omissions.has(.keepsSnapshotsForEver) { return false }
    guard adopt(newest) else { return false }
    letKeptSnapshotGo()
    hooks.reach(.sweepBegun, name)
    follow(to: newest)
    if omissions.has(.forgetsWhatTheSweepPassed) { show(newest) }
    fold(&lists, limit: hooks.unseenCommitLimit)
    return true
  }

  /// Folds the commits after the bookmark if a sweep could not, because the lane was held.
  func foldIfMissed() {
    guard foldingMissed.load(ordering: .relaxed) else { return }
    foldingMissed.store(false, ordering: .relaxed)
    var lists = FoldedLists(upTo: database.registry.withLock { $0.newest })
    fold(&lists, limit: database.options.bookmarkCommitLimit)
  }

  /// Folds the oldest commits after `seen` if more than `limit` of them wait; does nothing if `limit` is nil.
  private func fold(_ lists: inout FoldedLists, limit: Int?) {
    guard let limit, let copy = lists.list(after: seen, limit: limit) else { return }
    goOn(from: copy)
  }
}

extension YapDatabase {
  /// Makes idle connections follow, and drops values that every connection has followed. The commits themselves may be
  /// kept longer, by connections that have not returned them to their clients yet.
  /// - Returns: Whether every connection has followed every commit.
  func sweepIdleConnections() -> Bool {
    handles.dropExpired(at: MonotonicClock.now)
    let newest = registry.withLock { $0.newest }
    var isEverythingFollowed = true
    var followed = newest.snapshot
    var lists = FoldedLists(upTo: newest)
    for connection in liveConnections() {
      isEverythingFollowed = connection.followIfIdle(newest, &lists) && isEverythingFollowed
      followed = min(followed, connection.snapshot)
    }
    writer.dropValues(through: followed)
    // A new connection begins after the newest commit. The commit's writer may not have added the values to
    // `waitingValues` yet.
    if isEverythingFollowed { newest.values?.drop() }
    return isEverythingFollowed
  }
}
