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
    try isLongLived ? checkBookmark() : keepOrReleaseSnapshot()
  }

  /// Bookmarks the newest snapshot: from now on every `read` of this connection sees it, whatever others commit.
  ///
  /// Called again it moves the bookmark to the newest snapshot, in one step, so that no read falls in between. It is
  /// absolutely needed to do so when the database changes: what was committed after the bookmark cannot leave the WAL.
  /// - Returns: what each jumped commit of other connections changed, oldest first; each is returned once.
  @discardableResult
  public func beginLongLivedReadTransaction() throws -> [YapDatabaseModification] {
    try enter("beginLongLivedReadTransaction", .syncRead)
    defer { lane.release() }
    return try moveBookmark()
  }

  /// Ends the long-lived read.
  /// - Returns: what was committed by others since the bookmark; nil if there was none.
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
    let missed = modifications(after: place, to: adoptNewest())
    return database.options.testHooks.has(.endsWithoutTelling) ? [] : missed
  }

  /// Whether a bookmark is held at this moment. Waits for nothing.
  public var isInLongLivedReadTransaction: Bool { isLongLived }
}
