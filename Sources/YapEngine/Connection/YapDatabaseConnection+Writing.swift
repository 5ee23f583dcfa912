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
    let laneWait = try enter("readWrite", .syncReadWrite)
    defer { lane.release() }
    return try runReadWrite(block, laneWait: laneWait).result.get()
  }

  /// With the lane held.
  /// - Parameter laneWait: nanoseconds that were waited for it; nil where nobody knows.
  /// - Throws: only what kept the block from being run.
  func runReadWrite<Result>(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Result,
    laneWait: UInt64? = nil
  ) throws -> (result: Swift.Result<Result, any Error>, outcome: YapDatabaseOutcome) {
    let writer = database.writer
    try beginWriting("readWrite")
    // Whoever has waited for others may have passed it on.
    defer { if writer.lane.isHeldByCurrentThread { writer.lane.release() } }
    let joint = writer.joint
    try writer.begin(by: id)
    // Nobody else commits now, so the newest commit is what the writer's handle sees, and what waits to be committed.
    follow(to: adoptNewest())
    show(place)
    let base = joint.map { followAhead($0) } ?? place
    let transaction = spareReadWrite ?? YapDatabaseReadWriteTransaction(connection: self)
    spareReadWrite = nil
    transaction.beginWriting(on: writer.handle, snapshot: base.snapshot + 1, laneWait: laneWait)
    var result = Swift.Result { try block(transaction) }
    transaction.end()
    if case .success = result {
      do { try transaction.checkAtEnd() } catch { result = .failure(error) }
    }
    var (outcome, commit) = conclude(transaction, on: base, &result)
    if commit != nil || joint != nil {
      do { try settle(commit, joint, base) } catch {
        // What the block has seen of others is lost with them.
        if case .success = result { (result, outcome) = (.failure(error), .failed(error)) }
      }
    }
    show(place)
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
      try checkMayRun()
      try database.damageNotice.check()
      letKeptSnapshotGo()
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

  /// Rolls back, or makes the commit that is to be written.
  private func conclude<Result>(
    _ transaction: YapDatabaseReadWriteTransaction,
    on base: Commit,
    _ result: inout Swift.Result<Result, any Error>
  ) -> (outcome: YapDatabaseOutcome, commit: Commit?) {
    if case .failure(let error) = result {
      undo(transaction, because: error)
      return (.failed(error), nil)
    }
    if transaction.isRolledBack {
      undo(transaction)
      return (.rolledBack, nil)
    }
    if transaction.changes.isEmpty {
      // Whatever was written cancelled itself out, or only names of collections were stored.
      database.writer.rollback()
      return (.noChanges, nil)
    }
    do {
      let extensions = try transaction.finishExtensions()
      let snapshot = base.snapshot + 1
      return (
        .committed(snapshot: snapshot),
        Commit(
          snapshot: snapshot,
          changes: transaction.takeChanges(),
          origin: id,
          previous: base,
          extensions: extensions,
          sharing: database.writer.recentRows
        )
      )
    } catch {
      undo(transaction, because: error)
      result = .failure(error)
      return (.failed(error), nil)
    }
  }

  /// Commits, or waits until others have done so.
  /// - Parameters:
  ///   - commit: what the transaction has made; nil for nothing.
  ///   - joint: what was open when it began.
  ///   - base: what it was made on, and what the caches reflect without it.
  private func settle(_ commit: Commit?, _ joint: JointCommit?, _ base: Commit) throws {
    do {
      let isWaiting = try joinOthers(commit, joint)
      if let commit, !isWaiting { return try write(commit) }
      let hooks = database.options.testHooks
      if hooks.has(.returnsBeforeTheJointCommit), !database.writer.lane.isHeldByCurrentThread { return }
      _ = adopt(commit ?? base)
      reach(commit ?? base)
    } catch {
      // The caches may hold what nobody ever committed.
      if !database.options.testHooks.has(.keepsLostJointCommits) { caches.removeAll() }
      adopted = nil
      throw error
    }
  }

  /// Takes part in a joint commit, if there is one or is to be one.
  /// - Returns: whether there was; otherwise `commit` is still to be written.
  private func joinOthers(_ commit: Commit?, _ joint: JointCommit?) throws -> Bool {
    let writer = database.writer
    let now = commit?.committedAt ?? MonotonicClock.now
    // Who holds other lanes could keep the next writer from its end.
    let waits = writer.isWorthWaiting(at: now) && !lane.isInsideAnother
    guard waits || joint != nil else { return false }
    let joint = try commit.map { try writer.join($0, at: now) } ?? joint
    guard let joint else { return false }
    if waits, writer.joint === joint {
      database.options.testHooks.reach(.transactionJoined, name)
      writer.lane.release()
      if database.options.testHooks.has(.returnsBeforeTheJointCommit) { return true }
      guard waitForTheOthers(of: joint) else { return try joint.check() }
    }
    if writer.joint === joint {
      database.endJointCommit(by: name, isTimed: timing != nil)
      timing?.commit = writer.commitNanoseconds
    }
    return try joint.check()
  }

  /// - Returns: whether the write lane is held again; otherwise the joint commit has ended.
  private func waitForTheOthers(of joint: JointCommit) -> Bool {
    let lane = database.writer.lane
    guard timing != nil else { return lane.acquire(unless: joint.ended) }
    let began = MonotonicClock.now
    defer { timing?.jointWait = MonotonicClock.now - began }
    return lane.acquire(unless: joint.ended)
  }

  /// Writes one commit by itself.
  func write(_ commit: Commit) throws {
    do { try database.write(commit, through: commit, by: name, isTimed: timing != nil) } catch {
      database.writer.rollback()
      throw error
    }
    timing?.commit = database.writer.commitNanoseconds
    _ = adopt(commit)
    reach(commit)
    database.options.testHooks.reach(.commitRegistered, name)
    database.scheduleNotifications()
  }

  /// Makes the caches right for what waits to be committed, and the transaction see its extensions.
  /// - Returns: the last of it. The connection has not reached it: it may still be lost.
  private func followAhead(_ joint: JointCommit) -> Commit {
    let hooks = database.options.testHooks
    var ahead: Commit? = joint.first
    while let commit = ahead {
      if !hooks.has(.staysBehindJointCommits) { caches.follow(commit, hooks) }
      ahead = commit.next
    }
    if !hooks.has(.joinsWithOldViews) { _ = adopt(joint.last) }
    return joint.last
  }

  /// Rolls back. What the block stored may be in the caches, so they start afresh.
  func undo(_ transaction: YapDatabaseReadWriteTransaction, because cause: (any Error)? = nil) {
    let isKnown = !transaction.hasFailed
    database.writer.rollback(because: cause)
    #if TestPoints
      if database.options.testHooks.has(.keepsRolledBackViews) { keepRolledBackViews(transaction) }
    #endif
    // After a failure it is not known what was changed.
    isKnown ? caches.undo(transaction.changes, database.options.testHooks) : caches.removeAll()
  }
}
