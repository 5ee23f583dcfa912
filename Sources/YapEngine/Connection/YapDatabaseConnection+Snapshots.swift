internal import SQLiteBinding
internal import ThreadingPrimitives

/// How a connection pins a snapshot. All of it runs with the lane held.
extension YapDatabaseConnection {
  /// Begins a read transaction in SQLite and pins its snapshot at once.
  ///
  /// BEGIN alone takes no snapshot; the first read does. Reading the snapshot's number right away is that first read,
  /// and the number tells which commits the caches have to follow. A writer never has to wait for a reader.
  ///
  /// The steps, and what may happen between them:
  ///
  ///     BEGIN                        any number of commits
  ///     SELECT number                commits become newer than the snapshot
  ///     registry.pin                 a commit on disk is known, by its announcement
  ///     follow the commits           nothing that matters
  /// - Returns: the commit whose state is pinned, with its extensions adopted.
  func pinSnapshot(isLongLived: Bool) throws -> Commit {
    while true {
      let pinned = try pinOnce(isLongLived: isLongLived)
      if adopt(pinned) { return pinned }
      // So many commits came between the snapshot and the registry that its extensions have been let go.
      handle.rollbackIfNeeded()
    }
  }

  private func pinOnce(isLongLived: Bool) throws -> Commit {
    let hooks = database.options.testHooks
    // Before SQLite takes its snapshot: what is copied later does not make the snapshot leave the WAL.
    let copied = database.checkpointer.copiedSnapshot
    do {
      try handle.run(.begin)
      hooks.reach(.readBegun, name)
      let number =
        hooks.has(.pinsLazily) ? database.registry.withLock { $0.newest.snapshot } : try handle.storedSnapshot()
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
  /// - Throws: `snapshotLost` where SQLite has ended it before: what was read since was not of one snapshot.
  func releaseSnapshot() throws {
    defer { database.unpin(id) }
    guard handle.sqlite.isInTransaction else { throw snapshotLost() }
    do { try handle.run(.commit) } catch {
      handle.rollbackIfNeeded()
      throw error
    }
  }

  /// Lets go of the pinned snapshot and pins the newest, as one step for everybody who waits for the lane.
  /// - Returns: the commits of others after the last one that the client was shown, oldest first.
  func moveBookmark() throws -> [YapDatabaseModification] {
    letKeptSnapshotGo()
    if isLongLived {
      isLongLived = false  // until the new snapshot is pinned: a failure below must not leave us on none, unknowing
      // A bookmark that SQLite has lost is mended by moving it. The old pin stays until the new one takes its place.
      handle.rollbackIfNeeded()
    }
    let pinned = try pinSnapshot(isLongLived: true)
    isLongLived = true
    database.checkpointer.oldestPinMoved()
    return showAll(to: pinned)
  }

  /// Lets the bookmark's snapshot go and pins the same again, unless somebody uses the connection. Once all of the WAL
  /// is copied the bookmark does not read from it any more; its client notices nothing.
  ///
  /// With the write lane held, so that nothing is committed in between. A lane is never waited for here: whoever holds
  /// it may be waiting for the write lane.
  /// - Throws: what SQLite said; the bookmark is lost then, and the client's next read says so.
  func pinAnewIfIdle(_ newest: Commit) throws {
    guard lane.tryAcquire() else { return }
    defer { lane.release() }
    let hooks = database.options.testHooks
    guard isLongLived, place === newest || hooks.has(.resetsOldBookmarks) else { return }
    handle.rollbackIfNeeded()
    let copied = database.checkpointer.copiedSnapshot
    try handle.run(.begin)
    let number = try handle.storedSnapshot()
    let pinned = database.registry.withLock {
      $0.pin(number, by: id, from: place, at: MonotonicClock.now, isLongLived: true, copied: copied)
    }
    guard let pinned else {
      handle.rollbackIfNeeded()
      throw snapshotLost()
    }
    #if TestPoints
      if hooks.has(.repeatsAfterReset), pinned.origin != id { toldAgain = pinned }
    #endif
    follow(to: pinned)
  }

  /// Follows the commits up to `pinned`, and shows the client all that it has not been shown.
  ///
  /// The sweep of idle connections may have brought the caches further than the client was shown, never less far.
  /// - Returns: the commits of others in between, oldest first; folded ones as one.
  func showAll(to pinned: Commit) -> [YapDatabaseModification] {
    let hooks = database.options.testHooks
    var jumped: [YapDatabaseModification] = []
    #if TestPoints
      if let again = toldAgain { jumped.append(YapDatabaseModification(commit: again)) }
      toldAgain = nil
    #endif
    // From here on only `last` holds the commits, and releases each before the next.
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
    if hooks.has(.skipsANotification), jumped.count > 1 { jumped.removeFirst() }
    if hooks.has(.repeatsANotification), let last = jumped.last { jumped.append(last) }
    return jumped
  }

  /// A bookmark must still be held by SQLite when it is read from again: an error inside may have cost it.
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
