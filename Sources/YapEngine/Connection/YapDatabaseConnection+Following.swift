internal import Synchronization
internal import ThreadingPrimitives

/// Following the list of commits. All of it runs with the lane held.
extension YapDatabaseConnection {
  /// Applies every commit up to `target`, one by one, and releases each before the next.
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

  /// Applies the commit after `place`, or several that were folded.
  func follow(_ next: Commit) {
    if next.origin != id, !database.options.testHooks.has(.forgetsToDropChangedValues) {
      caches.follow(next, database.options.testHooks)
    }
    reach(next)
    database.options.testHooks.reach(.commitFollowed, name)
  }

  /// Brings an idle connection up to date, so that its caches need no old commits. Commits that it has yet to return
  /// are folded where they are too many.
  /// - Parameter lists: the lists that the sweep has folded already.
  /// - Returns: whether it reflects `newest` now.
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
    if isSnapshotKept, hooks.has(.keepsSnapshotsForEver) { return false }
    guard adopt(newest) else { return false }
    letKeptSnapshotGo()
    hooks.reach(.sweepBegun, name)
    follow(to: newest)
    if hooks.has(.forgetsWhatTheSweepPassed) { show(newest) }
    fold(&lists, limit: hooks.unseenCommitLimit)
    return true
  }

  /// Folds the commits behind a bookmark if a sweep could not.
  func foldIfMissed() {
    guard foldingMissed.load(ordering: .relaxed) else { return }
    foldingMissed.store(false, ordering: .relaxed)
    var lists = FoldedLists(upTo: database.registry.withLock { $0.newest })
    fold(&lists, limit: database.options.bookmarkCommitLimit)
  }

  /// Folds the oldest commits after `seen`, where more than `limit` came.
  private func fold(_ lists: inout FoldedLists, limit: Int?) {
    guard let limit, let copy = lists.list(after: seen, limit: limit, database.options.testHooks) else { return }
    goOn(from: copy)
  }
}
