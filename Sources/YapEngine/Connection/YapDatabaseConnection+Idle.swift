internal import ThreadingPrimitives

/// Visits of the checkpointer, which never waits for the lane of a connection: if the lane is held, it skips the
/// connection.
extension YapDatabaseConnection {
  /// Follows the commits up to `newest`, so that the caches need no old commits. A connection with a bookmark keeps its
  /// snapshot. If too many commits wait to be returned to the client, the oldest are folded.
  /// - Parameter lists: the lists that this sweep has already folded, to which this call may add one.
  /// - Returns: whether the connection now reflects `newest` or a later commit.
  func followIfIdle(_ newest: Commit, _ lists: inout FoldedLists) -> Bool {
    if snapshot >= newest.snapshot { return true }
    guard lane.tryAcquire() else {
      if pin.isBookmark { follower.recordMissedFolding() }
      return false
    }
    defer { lane.release() }
    if pin.isBookmark {
      follower.fold(&lists, limit: database.options.bookmarkCommitLimit)
      return follower.commit.snapshot >= newest.snapshot
    }
    guard follower.commit.snapshot < newest.snapshot else { return true }
    guard follower.adopt(newest) else { return false }
    pin.releaseKept()
    let hooks = database.options.testHooks
    hooks.reach(.sweepBegun, name)
    follower.follow(to: newest)
    follower.fold(&lists, limit: hooks.unseenCommitLimit)
    return true
  }

  /// Releases the snapshot if it is only kept for the next read.
  func releaseKeptSnapshotIfIdle() {
    guard pin.isKept, lane.tryAcquire() else { return }
    defer { lane.release() }
    pin.releaseKept()
  }

  /// Releases the bookmark's snapshot and pins it again, if the snapshot is `newest`. If all of the WAL has been
  /// copied, the bookmark then no longer reads from the WAL; the client notices nothing.
  ///
  /// Must be called with the write lane held, so that nothing is committed between release and pin.
  /// - Throws: the errors of SQLite. The bookmark is then lost, and the client's next read throws `snapshotLost`.
  func renewBookmarkIfIdle(_ newest: Commit) throws {
    guard lane.tryAcquire() else { return }
    defer { lane.release() }
    guard pin.isBookmark, follower.commit === newest else { return }
    follower.follow(to: try pin.renewBookmark(from: follower.commit))
  }
}

extension YapDatabase {
  /// Makes idle connections follow, drops values that every connection has followed, and closes expired handles. The
  /// commits themselves may be kept longer, by connections that have not returned them to their clients yet.
  /// - Returns: Whether every connection has followed every commit that existed at the start of the sweep.
  func sweepIdleConnections() -> Bool {
    handles.dropExpired(at: MonotonicClock.now)
    let newest = registry.withLock { $0.newest }
    var isEverythingFollowed = true
    var followed = newest.snapshot
    var lists = FoldedLists(upTo: newest)
    for connection in connections.live {
      isEverythingFollowed = connection.followIfIdle(newest, &lists) && isEverythingFollowed
      followed = min(followed, connection.snapshot)
    }
    writer.values.drop(through: followed)
    // The newest commit's writer may not have added its values to `Writer.values` yet. No connection needs them: a new
    // connection begins at that commit or a later one.
    if isEverythingFollowed { newest.values?.drop() }
    return isEverythingFollowed
  }

  /// Releases the snapshots that idle connections keep and whose pins satisfy `isInTheWay`.
  func releaseKeptSnapshots(where isInTheWay: (CommitRegistry.Pin) -> Bool) {
    let pinned = registry.withLock { registry in
      registry.pins.filter { !$0.value.isLongLived && isInTheWay($0.value) }.map(\.key)
    }
    guard !pinned.isEmpty else { return }
    for connection in connections.live where pinned.contains(connection.id) { connection.releaseKeptSnapshotIfIdle() }
  }

  /// Renews the bookmarks of idle connections that are at `newest` and read from the WAL. Must be called with the write
  /// lane held. If SQLite fails, the bookmark is lost, and its connection's next read throws `snapshotLost`.
  func renewBookmarks(at newest: Commit) {
    let pins = registry.withLock { Array($0.pins) }
    let reading = Set(pins.filter { $0.value.isLongLived && $0.value.readsWAL }.map(\.key))
    for connection in connections.live where reading.contains(connection.id) {
      try? connection.renewBookmarkIfIdle(newest)
    }
  }
}
