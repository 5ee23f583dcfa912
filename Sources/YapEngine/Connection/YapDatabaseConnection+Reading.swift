internal import ThreadingPrimitives

extension YapDatabaseConnection {
  /// Runs `block` on one snapshot of the database, on the calling thread, when the connection's turn comes.
  ///
  /// The snapshot is the newest, or the bookmarked one during a long-lived read. The block must not wait for anything
  /// outside the engine that in turn waits for this connection, for example a semaphore or another queue's `sync`. The
  /// engine cannot detect such a wait, so the call would hang.
  /// - Returns: the result of `block`.
  /// - Throws: the error that `block` throws; `notPermitted`; `closed`; `nestedTransaction` inside a transaction of
  ///   this connection; `deadlock` inside a transaction of another connection, if threads would wait for each other;
  ///   the errors of SQLite.
  @inlinable
  public func read<Result>(_ block: (YapDatabaseReadTransaction) throws -> Result) throws -> Result {
    var result: Result?
    try performRead { result = try block($0) }
    return Self.completed(result)
  }

  @usableFromInline
  func performRead(_ block: (YapDatabaseReadTransaction) throws -> Void) throws {
    let laneWait = try enter("read", .syncRead)
    defer { lane.release() }
    try runRead(block, laneWait: laneWait)
  }

  /// Runs `block` in a read transaction. Must be called with the lane held.
  /// - Parameter laneWait: the nanoseconds for which the call waited for the lane; nil if they were not measured.
  func runRead(
    _ block: (YapDatabaseReadTransaction) throws -> Void,
    laneWait: UInt64? = nil
  ) throws {
    if pin.isBookmark {
      try pin.checkBookmark()
    } else if !pin.reuseKept(isNewest: follower.commit.isLast) {
      try showNewestSnapshot()
    }
    let transaction = spareRead.take() ?? YapDatabaseReadTransaction(connection: self, handle: handle)
    transaction.begin(snapshot: follower.commit.snapshot, laneWait: laneWait)
    do { try block(transaction) } catch {
      // If the error also made SQLite end the transaction, it explains more than the `snapshotLost` of `finish`.
      try? finish(transaction)
      throw error
    }
    try finish(transaction)
  }

  // Not inlined: its stack frame would slow down reads of a kept snapshot, which take less than 100 ns.
  @inline(never)
  private func showNewestSnapshot() throws {
    follower.follow(to: try pinNewest(asBookmark: false))
    follower.show(follower.commit)
  }

  /// Pins the newest snapshot.
  /// - Returns: the commit whose state is pinned, with its extensions adopted.
  private func pinNewest(asBookmark isLongLived: Bool) throws -> Commit {
    if database.options.isReadOnly { return try pinForReadingOnly(asBookmark: isLongLived) }
    while true {
      let pinned = try pin.begin(from: follower.commit, asBookmark: isLongLived)
      if follower.adopt(pinned) { return pinned }
      // Many commits changed the extensions before the snapshot was registered, so its states have been dropped.
      handle.rollbackIfNeeded()
    }
  }

  /// Pins the newest snapshot of a database that is only read. If another process has committed, reads the names of the
  /// collections again, because a number or a name may have another meaning now.
  private func pinForReadingOnly(asBookmark isLongLived: Bool) throws -> Commit {
    let pinned = try pin.beginReadingOnly(from: follower.commit, asBookmark: isLongLived)
    guard pinned !== follower.commit else { return pinned }
    do { caches.names = try CollectionNames(handle.collections(path: database.path)) } catch {
      pin.release()
      throw error
    }
    follower.commit.link(to: pinned)
    return pinned
  }

  /// Ends the transaction and keeps the object for the next block, unless the object has escaped. An escaped
  /// transaction stays ended.
  private func finish(_ transaction: consuming YapDatabaseReadTransaction) throws {
    transaction.end()
    if isKnownUniquelyReferenced(&transaction) { spareRead = consume transaction }
    guard pin.isBookmark else { return try pin.endRead(isNewest: follower.commit.isLast) }
    try pin.checkBookmark()
    follower.foldIfMissed()
  }

  // MARK: Long-lived reads

  /// Bookmarks the newest snapshot: from now on, every `read` of this connection sees it, regardless of later commits.
  ///
  /// A later call moves the bookmark to the newest snapshot in one step, so no read runs between the two snapshots.
  /// Clients must make this call when the database changes: commits after the bookmark cannot be copied from the WAL.
  ///
  /// The jumped commits are those after the last snapshot that the client saw through this connection: in its last
  /// read, read-write transaction, or beginning or end of a long-lived read, or, if there was none, at the connection's
  /// creation. A connection returns no commit twice. Several commits may be folded into one modification, which is
  /// visible in `YapDatabaseModification.snapshots`: behind a bookmark if `YapDatabaseOptions.bookmarkCommitLimit` is
  /// set, and without a bookmark if the client has seen nothing for more than 100,000 commits.
  /// - Returns: the changes of each jumped commit of other connections, oldest first.
  /// - Throws: the errors of `read`. If SQLite fails, the connection has no bookmark afterwards.
  @discardableResult
  public func beginLongLivedReadTransaction() throws -> [YapDatabaseModification] {
    try enter("beginLongLivedReadTransaction", .syncRead)
    defer { lane.release() }
    return try moveBookmark()
  }

  /// Ends the long-lived read. A later `beginLongLivedReadTransaction` returns the commits after those that this call
  /// returns, or after the snapshot of a later read or write, if there is one.
  /// - Returns: the changes of each commit of other connections since the bookmark, oldest first; nil if there was no
  ///   bookmark.
  @discardableResult
  public func endLongLivedReadTransaction() throws -> [YapDatabaseModification]? {
    try enter("endLongLivedReadTransaction", .syncRead)
    defer { lane.release() }
    guard pin.isBookmark else { return nil }
    return endBookmark()
  }

  /// Whether the connection has a bookmark at this moment. Does not block.
  public var isInLongLivedReadTransaction: Bool { pin.isBookmark }

  /// Releases the bookmarked snapshot, if any, and bookmarks the newest, as one step for all threads that wait for the
  /// lane. Must be called with the lane held.
  /// - Returns: the commits of other connections after the last one that the client was shown, oldest first.
  func moveBookmark() throws -> [YapDatabaseModification] {
    pin.prepareMove()
    let pinned = try pinNewest(asBookmark: true)
    pin.becomeBookmark()
    return follower.showModifications(through: pinned)
  }

  /// Ends the bookmark and follows the commits up to the newest. Must be called with the lane held and a bookmark.
  /// - Returns: the commits of other connections that the client has not been shown, oldest first.
  func endBookmark() -> [YapDatabaseModification] {
    pin.release()
    return follower.showModifications(through: follower.adoptNewest())
  }
}
