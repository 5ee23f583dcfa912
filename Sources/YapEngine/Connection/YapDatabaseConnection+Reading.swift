internal import ThreadingPrimitives

extension YapDatabaseConnection {
  /// Runs `block` on one snapshot of the database, on the calling thread, when the connection's turn comes.
  ///
  /// It is the newest snapshot, or the bookmarked one during a long-lived read.
  ///
  /// Waiting inside a transaction for something outside of the engine that in turn waits for this connection, such as
  /// a semaphore or another queue's `sync`, hangs: the engine cannot see it.
  /// - Returns: what `block` returns.
  /// - Throws: what `block` throws; `nestedTransaction` inside a transaction of this connection; `deadlock` inside a
  ///   transaction of another one that in turn waits for this one; what SQLite said.
  public func read<Result>(_ block: (YapDatabaseReadTransaction) throws -> Result) throws -> Result {
    let laneWait = try enter("read", .syncRead)
    defer { lane.release() }
    return try runRead(block, laneWait: laneWait)
  }

  /// With the lane held.
  /// - Parameter laneWait: nanoseconds that were waited for it; nil where nobody knows.
  func runRead<Result>(
    _ block: (YapDatabaseReadTransaction) throws -> Result,
    laneWait: UInt64? = nil
  ) throws -> Result {
    if isLongLived {
      try checkBookmark()
      if database.options.testHooks.has(.losesTheBookmark) {
        try handle.run(.commit)
        try handle.run(.begin)
        _ = try handle.storedSnapshot()
      }
    } else {
      try pinNewest()
    }
    let transaction = spareRead ?? YapDatabaseReadTransaction(connection: self)
    spareRead = nil
    transaction.begin(on: handle, snapshot: place.snapshot, laneWait: laneWait)
    let result: Result
    do { result = try block(transaction) } catch {
      // An error that cost the snapshot tells more than its loss.
      try? finish(transaction)
      throw error
    }
    try finish(transaction)
    return result
  }

  /// Ends the transaction and keeps it for the next block, unless somebody else still holds it: an escaped one stays
  /// ended.
  private func finish(_ transaction: consuming YapDatabaseReadTransaction) throws {
    transaction.end()
    if isKnownUniquelyReferenced(&transaction) { spareRead = transaction }
    guard isLongLived else { return try keepOrReleaseSnapshot() }
    try checkBookmark()
    foldIfMissed()
  }

  /// Bookmarks the newest snapshot: from now on every `read` of this connection sees it, whatever others commit.
  ///
  /// Called again it moves the bookmark to the newest snapshot, in one step, so that no read falls in between. It is
  /// absolutely needed to do so when the database changes: what was committed after the bookmark cannot leave the WAL.
  ///
  /// The jumped commits are those after the last snapshot that the client saw through this connection: by its last
  /// read, read-write, beginning or end of a long-lived read, or, if there was none, at the connection's creation. Each
  /// is returned once over the life of the connection. Several may be folded into one modification, which then says so
  /// in `YapDatabaseModification.snapshots`: behind a bookmark if `YapDatabaseOptions.bookmarkCommitLimit` allows it,
  /// and on a connection without a bookmark that has shown nothing for more than 100,000 commits.
  /// - Returns: the changes of each jumped commit of other connections, oldest first.
  @discardableResult
  public func beginLongLivedReadTransaction() throws -> [YapDatabaseModification] {
    try enter("beginLongLivedReadTransaction", .syncRead)
    defer { lane.release() }
    return try moveBookmark()
  }

  /// Ends the long-lived read. A later `beginLongLivedReadTransaction` goes on after what this returns, unless the
  /// connection reads or writes before.
  /// - Returns: the changes of each commit of other connections since the bookmark, oldest first; nil if there was no
  ///   bookmark.
  @discardableResult
  public func endLongLivedReadTransaction() throws -> [YapDatabaseModification]? {
    try enter("endLongLivedReadTransaction", .syncRead)
    defer { lane.release() }
    guard isLongLived else { return nil }
    return try endBookmark()
  }

  /// With the lane held, in a long-lived read.
  func endBookmark() throws -> [YapDatabaseModification] {
    isLongLived = false
    handle.rollbackIfNeeded()
    database.unpin(id)
    let missed = showAll(to: adoptNewest())
    return database.options.testHooks.has(.endsWithoutTelling) ? [] : missed
  }

  /// Whether a bookmark is held at this moment. Waits for nothing.
  public var isInLongLivedReadTransaction: Bool { isLongLived }
}
