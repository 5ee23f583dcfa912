internal import ThreadingPrimitives

extension YapDatabaseConnection {
  /// Runs `block` on one snapshot of the database, on the calling thread, when the connection's turn comes.
  ///
  /// It is the newest snapshot, or the bookmarked one during a long-lived read.
  /// - Returns: what `block` returns.
  /// - Throws: what `block` throws; `nestedTransaction` inside a transaction of this connection; what SQLite said.
  public func read<Result>(_ block: (YapDatabaseReadTransaction) throws -> Result) throws -> Result {
    try enter("read")
    defer { lane.release() }
    return try runRead(block)
  }

  /// With the lane held.
  func runRead<Result>(_ block: (YapDatabaseReadTransaction) throws -> Result) throws -> Result {
    if isLongLived {
      try checkBookmark()
      if database.options.testHooks.has(.losesTheBookmark) {
        try handle.run(.commit)
        try handle.run(.begin)
        _ = try handle.storedSnapshot()
      }
    } else {
      follow(to: try pinSnapshot(isLongLived: false))
    }
    let transaction = spareRead ?? YapDatabaseReadTransaction(connection: self)
    spareRead = nil
    transaction.begin(on: handle, snapshot: place.snapshot)
    let result = Swift.Result { try block(transaction) }
    transaction.end()
    keep(transaction)
    do { try isLongLived ? checkBookmark() : releaseSnapshot() } catch {
      _ = try result.get()  // an error that cost the snapshot tells more than its loss
      throw error
    }
    return try result.get()
  }

  /// Keeps the transaction for the next block, unless somebody else still holds it: an escaped one stays ended.
  private func keep(_ transaction: consuming YapDatabaseReadTransaction) {
    if isKnownUniquelyReferenced(&transaction) { spareRead = transaction }
  }

  /// Bookmarks the newest snapshot: from now on every `read` of this connection sees it, whatever others commit.
  ///
  /// Called again it moves the bookmark to the newest snapshot, in one step, so that no read falls in between. It is
  /// absolutely needed to do so when the database changes: what was committed after the bookmark cannot leave the WAL.
  /// - Returns: what each jumped commit of other connections changed, oldest first; each is returned once.
  @discardableResult
  public func beginLongLivedReadTransaction() throws -> [YapDatabaseModification] {
    try enter("beginLongLivedReadTransaction")
    defer { lane.release() }
    return try moveBookmark()
  }

  /// Ends the long-lived read.
  /// - Returns: what was committed by others since the bookmark; nil if there was none.
  @discardableResult
  public func endLongLivedReadTransaction() throws -> [YapDatabaseModification]? {
    try enter("endLongLivedReadTransaction")
    defer { lane.release() }
    guard isLongLived else { return nil }
    return try endBookmark()
  }

  /// With the lane held, in a long-lived read.
  func endBookmark() throws -> [YapDatabaseModification] {
    isLongLived = false
    handle.rollbackIfNeeded()
    database.unpin(id)
    return modifications(after: place, to: database.registry.withLock { $0.newest })
  }

  /// Whether a bookmark is held. Waits for a running transaction of this connection, unless asked inside of it.
  public var isInLongLivedReadTransaction: Bool {
    lane.isHeldByCurrentThread ? isLongLived : lane.withLane { isLongLived }
  }

  /// Whether a read-write transaction on this connection is refused during a long-lived read; it is by default.
  /// Otherwise it silently ends the long-lived read, which is almost always a mistake.
  public var refusesToEndLongLivedReadImplicitly: Bool {
    get { lane.isHeldByCurrentThread ? isStrict : lane.withLane { isStrict } }
    set { if lane.isHeldByCurrentThread { isStrict = newValue } else { lane.withLane { isStrict = newValue } } }
  }
}
