internal import ThreadingPrimitives

/// How a read-write transaction ended.
public enum YapDatabaseOutcome: Sendable {
  /// It was committed under this number.
  case committed(snapshot: UInt64)
  /// It changed nothing, so there is no commit.
  case noChanges
  /// Its block asked for a rollback.
  case rolledBack
  /// Its block threw, or the database could not do as told. Nothing was stored.
  case failed(any Error)
}

extension YapDatabaseConnection {
  /// Runs `block` in a read-write transaction, on the calling thread, when its turn comes.
  ///
  /// When the call returns the changes are committed, and every later read on any connection sees them, unless that
  /// connection is in a long-lived read. As for `read`, the engine cannot see what a block waits for elsewhere.
  /// - Returns: what `block` returns.
  /// - Throws: what `block` throws, and then nothing was stored; `nestedTransaction` inside a transaction of this
  ///   connection or inside any read-write transaction; `deadlock` inside a transaction of another connection for
  ///   which the holder of the write lane, or of this connection, waits; `longLivedReadInTheWay`; what SQLite said.
  public func readWrite<Result>(_ block: (YapDatabaseReadWriteTransaction) throws -> Result) throws -> Result {
    try enter("readWrite", .syncReadWrite)
    defer { lane.release() }
    return try runReadWrite(block).result.get()
  }

  /// With the lane held.
  /// - Throws: only what kept the block from being run.
  func runReadWrite<Result>(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Result
  ) throws -> (result: Swift.Result<Result, any Error>, outcome: YapDatabaseOutcome) {
    let writer = database.writer
    try beginWriting("readWrite")
    defer { writer.lane.release() }
    try writer.begin()
    // Nobody else commits now, so the newest commit is what the writer's handle sees.
    follow(to: adoptNewest())
    let transaction = spareReadWrite ?? YapDatabaseReadWriteTransaction(connection: self)
    spareReadWrite = nil
    transaction.beginWriting(on: writer.handle, snapshot: place.snapshot + 1)
    var result = Swift.Result { try block(transaction) }
    transaction.end()
    if case .success = result {
      do { try transaction.checkAtEnd() } catch { result = .failure(error) }
    }
    let outcome = finish(transaction, &result)
    transaction.tellCompletions(outcome, otherwise: database.notificationQueue)
    keep(transaction)
    return (result, outcome)
  }

  /// Takes the write lane, with the connection's own held, and ends a long-lived read where that is allowed. The caller
  /// releases the lane, unless this throws.
  func beginWriting(_ call: String) throws {
    if isLongLived, isStrict {
      throw YapDatabaseError(
        .longLivedReadInTheWay,
        "\(call) on connection \"\(name)\" would implicitly end its long-lived read transaction: "
          + "use another connection, or end the long-lived read first"
      )
    }
    try enterWriteLane(call)
    do {
      try checkIsOpen()
      try database.damageNotice.check()
      if isLongLived { _ = try endBookmark() }
    } catch {
      database.writer.lane.release()
      throw error
    }
  }

  /// Keeps the transaction for the next block, unless somebody else still holds it.
  private func keep(_ transaction: consuming YapDatabaseReadWriteTransaction) {
    transaction.changes = ChangeSet()
    transaction.completions = []
    transaction.upkeep = nil
    if isKnownUniquelyReferenced(&transaction) { spareReadWrite = transaction }
  }

  /// Commits or rolls back. A commit that fails turns `result` into its failure.
  private func finish<Result>(
    _ transaction: YapDatabaseReadWriteTransaction,
    _ result: inout Swift.Result<Result, any Error>
  ) -> YapDatabaseOutcome {
    if case .failure(let error) = result {
      undo(transaction)
      return .failed(error)
    }
    if transaction.isRolledBack {
      undo(transaction)
      return .rolledBack
    }
    if transaction.changes.isEmpty {
      // Whatever was written cancelled itself out, or only names of collections were stored.
      database.writer.rollback()
      return .noChanges
    }
    do {
      let extensions = try transaction.finishExtensions()
      return .committed(snapshot: try commit(transaction.changes, extensions))
    } catch {
      undo(transaction)
      result = .failure(error)
      return .failed(error)
    }
  }

  /// The order matters: announced before COMMIT, so that a reader who sees the commit on disk finds its change set;
  /// confirmed before the write lane is free, so that commits are told in their order.
  /// - Parameter extensions: nil if they stay as they are.
  func commit(_ changes: ChangeSet, _ extensions: ExtensionSnapshot? = nil) throws -> UInt64 {
    let hooks = database.options.testHooks
    let writer = database.writer
    let now = MonotonicClock.now
    let commit = Commit(
      snapshot: place.snapshot + 1,
      changes: changes,
      origin: id,
      committedAt: now,
      previous: place,
      extensions: extensions
    )
    try writer.store(commit.snapshot)
    hooks.reach(.commitNumbered, name)
    if !hooks.has(.announcesTooLate) { database.registry.withLock { $0.announce(commit) } }
    hooks.reach(.commitAnnounced, name)
    let wasCopied = database.checkpointer.account.backlog == 0
    do {
      try writer.commit()
    } catch {
      database.registry.withLock { $0.withdraw(commit) }
      throw error
    }
    hooks.reach(.commitWritten, name)
    commit.position = database.accountForCommit(wasCopied: wasCopied, at: now)
    if hooks.has(.announcesTooLate) { database.registry.withLock { $0.announce(commit) } }
    database.registry.withLock { $0.confirm(commit) }
    if let values = commit.values { writer.keep(values, of: commit) }
    if let extensions { writer.recentExtensions.add(extensions) }
    _ = adopt(commit)
    reach(commit)
    hooks.reach(.commitRegistered, name)
    database.scheduleNotifications()
    return commit.snapshot
  }

  /// Rolls back. What the block stored may be in the caches, so they start afresh.
  func undo(_ transaction: YapDatabaseReadWriteTransaction) {
    let isKnown = !transaction.hasFailed
    database.writer.rollback()
    #if TestPoints
      if database.options.testHooks.has(.keepsRolledBackViews) { keepRolledBackViews(transaction) }
    #endif
    // After a failure it is not known what was changed.
    isKnown ? caches.undo(transaction.changes, database.options.testHooks) : caches.removeAll()
  }
}
