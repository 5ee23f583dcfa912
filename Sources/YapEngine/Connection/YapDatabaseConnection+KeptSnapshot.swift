internal import SQLiteBinding
internal import ThreadingPrimitives

/// Between two reads, a connection keeps SQLite's read transaction open as long as nothing is committed. The next read
/// then begins without a call to SQLite, and makes no system call at all if it is served from the cache.
///
/// A kept snapshot must be neither stale nor an obstacle to the checkpointer. Therefore:
///
/// - it is used only as long as its commit is the newest;
/// - a connection that does anything but read releases it first;
/// - the checkpointer itself releases the kept snapshots of idle connections, before it looks for the connection that
///   blocks it;
/// - while the WAL is being reset, no read keeps its snapshot, so that a connection that reads without a pause stops
///   reading from the WAL.
///
/// The lane must be held, except for `letKeptSnapshotGoIfIdle`, which acquires it. Statistics read the flag
/// `isSnapshotKept` without the lane.
extension YapDatabaseConnection {
  /// Pins the newest snapshot and makes its commit `place`. A kept snapshot is used if it is still the newest.
  func pinNewest() throws {
    if isSnapshotKept {
      if mayKeepSnapshot, handle.sqlite.isInTransaction { return }
      letKeptSnapshotGo()
    }
    follow(to: try pinSnapshot(isLongLived: false))
    show(place)
  }

  /// Ends a read: its snapshot stays pinned for the next read, or is released.
  /// - Throws: `snapshotLost` if SQLite has already ended the transaction; the error of a failed COMMIT.
  func keepOrReleaseSnapshot() throws {
    if mayKeepSnapshot, handle.sqlite.isInTransaction {
      if !isSnapshotKept { isSnapshotKept = true }
    } else {
      isSnapshotKept = false
      try releaseSnapshot()
    }
  }

  private var mayKeepSnapshot: Bool {
    (place.isLast || omissions.has(.readsOnFromAKeptSnapshot)) && !database.isResettingWAL
  }

  func letKeptSnapshotGo() {
    guard isSnapshotKept else { return }
    isSnapshotKept = false
    handle.rollbackIfNeeded()
    database.unpin(id)
  }

  /// Releases the kept snapshot unless the lane is held: the checkpointer never waits for the lane of a connection.
  func letKeptSnapshotGoIfIdle() {
    guard isSnapshotKept, !omissions.has(.keepsSnapshotsForEver), lane.tryAcquire() else { return }
    defer { lane.release() }
    letKeptSnapshotGo()
  }
}

extension YapDatabase {
  /// Releases the snapshots that idle connections keep and whose pins satisfy `isInTheWay`.
  func letKeptSnapshotsGo(where isInTheWay: (CommitRegistry.Pin) -> Bool) {
    let pinned = registry.withLock { registry in
      registry.pins.filter { !$0.value.isLongLived && isInTheWay($0.value) }.map(\.key)
    }
    guard !pinned.isEmpty else { return }
    for connection in liveConnections() where pinned.contains(connection.id) { connection.letKeptSnapshotGoIfIdle() }
  }
}
