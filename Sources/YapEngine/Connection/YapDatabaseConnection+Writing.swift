internal import ThreadingPrimitives

/// The outcome of a read-write transaction.
public enum YapDatabaseOutcome: Sendable {
  /// The transaction was committed under this number.
  case committed(snapshot: UInt64)
  /// The transaction changed nothing, so there is no commit.
  case noChanges
  /// The block called `rollback()`.
  case rolledBack
  /// The block threw, or the database reported an error. Nothing was stored.
  case failed(any Error)
}

extension YapDatabaseConnection {
  /// Runs `block` in a read-write transaction, on the calling thread, when its turn comes.
  ///
  /// When the call returns, the changes are committed, and every later read on any connection sees them, unless that
  /// connection is in a long-lived read. As with `read`, the engine cannot detect waits of the block outside the
  /// engine.
  /// - Returns: the result of `block`.
  /// - Throws: the error that `block` throws, and then nothing was stored; `nestedTransaction` inside a transaction of
  ///   this connection or inside any read-write transaction; `deadlock` inside a transaction of another connection for
  ///   which the holder of the write lane, or of this connection, waits; `longLivedReadInTheWay` during a long-lived
  ///   read that must not be ended implicitly; the errors of SQLite.
  public func readWrite<Result>(_ block: (YapDatabaseReadWriteTransaction) throws -> Result) throws -> Result {
    let laneWait = try enter("readWrite", .syncReadWrite)
    defer { lane.release() }
    return try runReadWrite(block, laneWait: laneWait).result.get()
  }

  /// Runs `block` in a read-write transaction. The lane must be held.
  /// - Parameter laneWait: the nanoseconds for which the call waited for the lane; nil if they were not measured.
  /// - Throws: only errors that kept the block from running.
  func runReadWrite<Result>(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Result,
    laneWait: UInt64? = nil
  ) throws -> (result: Swift.Result<Result, any Error>, outcome: YapDatabaseOutcome) {
    let writer = database.writer
    try beginWriting("readWrite")
    // `joinOthers` may already have handed the lane to the next writer.
    defer { if writer.lane.isHeldByCurrentThread { writer.lane.release() } }
    let joint = writer.joint
    try writer.begin(by: id)
    // The write lane is held, so no other transaction commits now. The writer's handle sees the newest commit, and
    // after it the open joint commit.
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
        // If the joint commit is lost, changes that the block saw are lost too, so the transaction fails even if it
        // changed nothing.
        if case .success = result { (result, outcome) = (.failure(error), .failed(error)) }
      }
    }
    show(place)
    transaction.callCompletions(outcome, otherwise: database.notificationQueue)
    keep(transaction)
    return (result, outcome)
  }

  /// Acquires the write lane, and ends a long-lived read if that is allowed. The connection's lane must be held. The
  /// caller releases the write lane, unless this throws.
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

  /// Keeps the object for the next block, unless it has escaped.
  private func keep(_ transaction: consuming YapDatabaseReadWriteTransaction) {
    transaction.dropChanges()
    transaction.completions = []
    transaction.upkeep = nil
    if isKnownUniquelyReferenced(&transaction) { spareReadWrite = transaction }
  }

  /// Returns the commit that is to be written. Rolls back instead if the transaction failed or changed nothing, or if
  /// its block called `rollback()`.
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
      // Nothing was written, the writes cancelled each other out, or only names of collections were stored.
      database.writer.rollback()
      return (.noChanges, nil)
    }
    do {
      let extensions = try transaction.finishExtensions()
      let snapshot = base.snapshot + 1
      let (changes, values) = transaction.takeChanges()
      return (
        .committed(snapshot: snapshot),
        Commit(
          snapshot: snapshot,
          changes: changes,
          carrying: values,
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

  /// Commits the transaction, or waits until the joint commit that contains it is committed.
  /// - Parameters:
  ///   - commit: the transaction's commit; nil if there is none.
  ///   - joint: the joint commit that was open when the transaction began.
  ///   - base: the commit on which the transaction is based, and which the caches reflect if `commit` is nil.
  private func settle(_ commit: Commit?, _ joint: JointCommit?, _ base: Commit) throws {
    do {
      let isWaiting = try joinOthers(commit, joint)
      if let commit, !isWaiting { return try write(commit) }
      let writer = database.writer
      if writer.omissions.has(.returnsBeforeTheJointCommit), !writer.lane.isHeldByCurrentThread { return }
      _ = adopt(commit ?? base)
      reach(commit ?? base)
    } catch {
      // The caches may hold values that were never committed.
      if !database.writer.omissions.has(.keepsLostJointCommits) { caches.removeAll() }
      adopted = nil
      throw error
    }
  }

  /// Joins the open joint commit, or begins one if that is worth the wait, and waits until it has ended.
  /// - Returns: whether there is a joint commit; if not, `commit` is still to be written.
  /// - Throws: the error because of which the joint commit was lost.
  private func joinOthers(_ commit: Commit?, _ joint: JointCommit?) throws -> Bool {
    let writer = database.writer
    let now = commit?.committedAt ?? MonotonicClock.now
    // A thread that holds other lanes does not wait: it might keep the next writer from ending its transaction.
    let waits = writer.isWorthWaiting(at: now) && !lane.isInsideAnother
    guard waits || joint != nil else { return false }
    let joint = try commit.map { try writer.join($0, at: now) } ?? joint
    guard let joint else { return false }
    if waits, writer.joint === joint {
      database.options.testHooks.reach(.transactionJoined, name)
      writer.lane.release()
      if writer.omissions.has(.returnsBeforeTheJointCommit) { return true }
      guard waitForTheOthers(of: joint) else { return try joint.check() }
    }
    if writer.joint === joint {
      database.endJointCommit(by: name, isTimed: timing != nil)
      timing?.times.commitNanoseconds = writer.commitNanoseconds
    }
    return try joint.check()
  }

  /// Waits for the write lane, or until the joint commit has ended.
  /// - Returns: whether the write lane is held again; if not, the joint commit has ended.
  private func waitForTheOthers(of joint: JointCommit) -> Bool {
    let lane = database.writer.lane
    guard timing != nil else { return lane.acquire(unless: joint.ended) }
    let began = MonotonicClock.now
    defer { timing?.times.jointWaitNanoseconds = MonotonicClock.now - began }
    return lane.acquire(unless: joint.ended)
  }

  /// Writes a commit that is not part of a joint commit.
  func write(_ commit: Commit) throws {
    do { try database.write(commit, through: commit, by: name, isTimed: timing != nil) } catch {
      database.writer.rollback()
      throw error
    }
    timing?.times.commitNanoseconds = database.writer.commitNanoseconds
    _ = adopt(commit)
    reach(commit)
    database.options.testHooks.reach(.commitRegistered, name)
    database.scheduleNotifications()
  }

  /// Applies the commits of the open joint commit to the caches, and adopts their extensions.
  /// - Returns: the last of these commits. The connection has not reached it, because it may still be lost.
  private func followAhead(_ joint: JointCommit) -> Commit {
    let omissions = database.writer.omissions
    var ahead: Commit? = joint.first
    while let commit = ahead {
      if !omissions.has(.staysBehindJointCommits) { caches.follow(commit) }
      ahead = commit.next
    }
    if !omissions.has(.joinsWithOldViews) { _ = adopt(joint.last) }
    return joint.last
  }

  /// Rolls the transaction back. The caches may hold values that the block stored, so all cached values are dropped.
  func undo(_ transaction: YapDatabaseReadWriteTransaction, because cause: (any Error)? = nil) {
    let isKnown = !transaction.hasFailed
    database.writer.rollback(because: cause)
    if omissions.has(.keepsRolledBackViews), let upkeep = transaction.upkeep, let snapshot = adopted?.snapshot {
      adopted = AdoptedExtensions(snapshot: snapshot, states: upkeep.states)
    }
    // After a failure, the changed rows are not known.
    isKnown ? caches.undo(transaction.changes) : caches.removeAll()
  }
}
