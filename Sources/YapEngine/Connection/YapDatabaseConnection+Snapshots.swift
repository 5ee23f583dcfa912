internal import SQLiteBinding
internal import ThreadingPrimitives

/// Pins and releases snapshots. The lane must be held, except for `pinAnewIfIdle`, which acquires it.
extension YapDatabaseConnection {
  /// Begins a read transaction in SQLite and pins its snapshot immediately.
  ///
  /// BEGIN alone takes no snapshot; the first read does. That first read is the number of the snapshot, which also
  /// determines the commits that the caches have to follow. Pinning makes no writer wait.
  ///
  /// The steps, and the effect of concurrent commits:
  ///
  ///     BEGIN                        any number of commits may still precede the snapshot
  ///     SELECT number                takes the snapshot; further commits are newer
  ///     registry.pin                 finds the snapshot's commit, which was announced before it was on disk
  ///     follow the commits           further commits do not matter
  /// - Returns: the commit whose state is pinned, with its extensions adopted.
  func pinSnapshot(isLongLived: Bool) throws -> Commit {
    while true {
      let pinned = try pinOnce(isLongLived: isLongLived)
      if adopt(pinned) { return pinned }
      // So many commits came between taking and registering the snapshot that the states of its extensions were
      // dropped.
      handle.rollbackIfNeeded()
    }
  }

  private func pinOnce(isLongLived: Bool) throws -> Commit {
    let hooks = database.options.testHooks
    // Read before SQLite takes its snapshot: if the snapshot was copied only afterwards, SQLite still reads it from the
    // WAL.
    let copied = database.checkpointer.state.copiedSnapshot
    do {
      try handle.run(.begin)
      hooks.reach(.readBegun, name)
      let number =
        omissions.has(.pinsLazily) ? database.registry.withLock { $0.newest.snapshot } : try handle.storedSnapshot()
      hooks.reach(.readPinned, name)
      let now = MonotonicClock.now
      let pinned = database.registry.withLock {
        $0.pin(number, by: id, from: place, at: now, isLongLived: isLongLived, copied: copied)
      }
      guard let pinned else {
        throw YapDatabaseError(
          .snapshotLost,
          "\(database.path) holds commit \(number), which this process did not make: another program writes to the "
            + "file. Close it there, and open the database again."
        )
      }
      hooks.reach(.readRegistered, name)
      return pinned
    } catch {
      handle.rollbackIfNeeded()
      database.unpin(id)
      throw error
    }
  }

  /// Ends the read transaction in SQLite.
  /// - Throws: `snapshotLost` if SQLite has already ended it, because later reads were then not of one snapshot; the
  ///   error of a failed COMMIT.
  func releaseSnapshot() throws {
    defer { database.unpin(id) }
    guard handle.sqlite.isInTransaction else { throw snapshotLost() }
    do { try handle.run(.commit) } catch {
      handle.rollbackIfNeeded()
      throw error
    }
  }

  /// Releases the bookmarked snapshot, if any, and bookmarks the newest, as one step for all threads that wait for the
  /// lane.
  /// - Returns: the commits of other connections after the last one that the client was shown, oldest first.
  func moveBookmark() throws -> [YapDatabaseModification] {
    letKeptSnapshotGo()
    if isLongLived {
      isLongLived = false  // until the new snapshot is pinned: after a failure below there is no bookmark
      // This repairs a bookmark whose transaction SQLite has ended. The registry keeps the old pin until the new one
      // replaces it.
      handle.rollbackIfNeeded()
    }
    let pinned = try pinSnapshot(isLongLived: true)
    isLongLived = true
    database.checkpointer.signals.oldestPinMoved()
    return showAll(to: pinned)
  }

  /// Releases the bookmark's snapshot and pins the same snapshot again, unless the connection's lane is held. If all of
  /// the WAL has been copied, the bookmark then no longer reads from it; the client notices nothing.
  ///
  /// The write lane must be held, so that nothing is committed in between. The connection's lane is acquired only if it
  /// is free, because its holder may be waiting for the write lane.
  /// - Throws: the errors of SQLite. If SQLite then holds no transaction, the bookmark is lost, and the client's next
  ///   read throws `snapshotLost`.
  func pinAnewIfIdle(_ newest: Commit) throws {
    guard lane.tryAcquire() else { return }
    defer { lane.release() }
    guard isLongLived, place === newest || database.omissions.has(.resetsOldBookmarks) else { return }
    handle.rollbackIfNeeded()
    let copied = database.checkpointer.state.copiedSnapshot
    try handle.run(.begin)
    let number = try handle.storedSnapshot()
    let pinned = database.registry.withLock {
      $0.pin(number, by: id, from: place, at: MonotonicClock.now, isLongLived: true, copied: copied)
    }
    guard let pinned else {
      handle.rollbackIfNeeded()
      throw snapshotLost()
    }
    follow(to: pinned)
  }

  /// Follows the commits up to `pinned`, and returns those that the client has not been shown.
  ///
  /// The sweep of idle connections may have moved the caches beyond the commit that the client was shown. The caches
  /// are never behind that commit.
  /// - Returns: the commits of other connections in between, oldest first; folded commits as one modification.
  func showAll(to pinned: Commit) -> [YapDatabaseModification] {
    var jumped: [YapDatabaseModification] = []
    // From here on, only `last` holds the commits, and releases each when it moves to the next.
    var last = seen
    show(pinned)
    while last !== pinned {
      guard let next = last.next else {
        preconditionFailure("commit \(pinned.snapshot) is not after commit \(last.snapshot) in the list")
      }
      if next.snapshot > place.snapshot { follow(next) }
      if next.origin != id { jumped.append(YapDatabaseModification(commit: next)) }
      last = next
    }
    return jumped
  }

  /// Checks that SQLite still holds the bookmark's transaction, which an error inside it may have ended.
  /// - Throws: `snapshotLost` if it does not; the long-lived read has then ended.
  func checkBookmark() throws {
    guard !handle.sqlite.isInTransaction else { return }
    isLongLived = false
    database.unpin(id)
    throw snapshotLost()
  }

  private func snapshotLost() -> YapDatabaseError {
    YapDatabaseError(
      .snapshotLost,
      "connection \"\(name)\" has lost its snapshot \(place.snapshot), because SQLite ended the transaction after an "
        + "error: read again, or begin a new long-lived read transaction"
    )
  }
}
