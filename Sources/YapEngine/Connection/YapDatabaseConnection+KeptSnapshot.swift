internal import SQLiteBinding
internal import ThreadingPrimitives

/// Between two reads a connection keeps SQLite's read transaction open, as long as nothing is committed: then the next
/// read begins without a call to SQLite, and one that is served from the cache makes no system call at all.
///
/// A snapshot that is kept must not act as a reader's. So
///
/// - it is used only as long as its commit is the newest;
/// - a connection that does anything else than read lets it go first;
/// - the checkpointer lets go of it itself where nobody uses the connection, before it asks who is in its way;
/// - while the WAL is reset no read keeps its snapshot, so that a connection that reads without a pause leaves the WAL.
///
/// All with the lane held, but for the flag, which statistics look at.
extension YapDatabaseConnection {
  /// Makes `place` the newest snapshot, and pinned.
  func pinNewest() throws {
    if isSnapshotKept {
      if mayKeepSnapshot, handle.sqlite.isInTransaction { return }
      letKeptSnapshotGo()
    }
    follow(to: try pinSnapshot(isLongLived: false))
    show(place)
  }

  /// A read has ended: its snapshot stays pinned for the next one, or is let go.
  /// - Throws: `snapshotLost` where SQLite has ended the transaction before.
  func keepOrReleaseSnapshot() throws {
    if mayKeepSnapshot, handle.sqlite.isInTransaction {
      if !isSnapshotKept { isSnapshotKept = true }
    } else {
      isSnapshotKept = false
      try releaseSnapshot()
    }
  }

  private var mayKeepSnapshot: Bool {
    (place.isLast || database.options.testHooks.has(.readsOnFromAKeptSnapshot)) && !database.isResettingWAL
  }

  func letKeptSnapshotGo() {
    guard isSnapshotKept else { return }
    isSnapshotKept = false
    handle.rollbackIfNeeded()
    database.unpin(id)
  }

  /// For the checkpointer, which never waits for a lane.
  func letKeptSnapshotGoIfIdle() {
    guard isSnapshotKept, lane.tryAcquire() else { return }
    defer { lane.release() }
    letKeptSnapshotGo()
  }
}

extension YapDatabase {
  /// Lets go of snapshots that are in the way, where connections that nobody uses keep them.
  func letKeptSnapshotsGo(where isInTheWay: (CommitRegistry.Pin) -> Bool) {
    if options.testHooks.has(.keepsSnapshotsForEver) { return }
    let pinned = registry.withLock { registry in
      registry.pins.filter { !$0.value.isLongLived && isInTheWay($0.value) }.map(\.key)
    }
    guard !pinned.isEmpty else { return }
    for connection in liveConnections() where pinned.contains(connection.id) { connection.letKeptSnapshotGoIfIdle() }
  }
}
