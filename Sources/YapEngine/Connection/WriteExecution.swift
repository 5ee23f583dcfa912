internal import ThreadingPrimitives

/// A read-write transaction of a connection, from SQLite's BEGIN to the end of its commit or to its rollback.
///
/// The connection's lane is held all the time. The write lane is held from the beginning, but is released while the
/// transaction waits in a joint commit, and is not acquired again if another thread ends the joint commit.
// Not copyable, because a copy would retain and release each part.
struct WriteExecution: ~Copyable {
  private let connection: YapDatabaseConnection
  /// The joint commit that was open when the transaction began.
  private let joint: JointCommit?
  /// The commit on which the transaction is based. The caches reflect it.
  private let base: Commit

  private var database: YapDatabase { connection.database }
  private var writer: Writer { connection.database.writer }
  private var follower: CommitFollower { connection.follower }
  /// The number of the commit that follows `base`.
  private var next: UInt64 { base.snapshot + 1 }

  /// Begins the transaction.
  init(on connection: YapDatabaseConnection) throws {
    self.connection = connection
    let writer = connection.database.writer
    joint = writer.joint
    try writer.begin(by: connection.id)
    // The write lane is held, so no other transaction commits now. The writer's handle sees the newest commit, and the
    // commits of the open joint commit after it.
    let follower = connection.follower
    follower.showNewest()
    base = joint.map { follower.followAhead($0) } ?? follower.commit
  }

  /// Runs `block`, and commits the transaction or rolls it back.
  // Not generic over a result of the block: the types of results would be looked up at run time in each transaction.
  func run(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Void,
    laneWait: UInt64?
  ) -> (failure: (any Error)?, outcome: YapDatabaseOutcome) {
    let transaction =
      connection.spareReadWrite.take() ?? YapDatabaseReadWriteTransaction(connection: connection, handle: writer.handle)
    transaction.beginWriting(snapshot: next, laneWait: laneWait)
    var failure: (any Error)?
    do { try block(transaction) } catch { failure = error }
    transaction.end()
    if failure == nil {
      do { try transaction.checkAtEnd() } catch { failure = error }
    }
    var (outcome, commit) = conclude(transaction, &failure)
    if commit != nil || joint != nil {
      do { try settle(commit) } catch {
        // If the joint commit is lost, changes that the block saw are lost too, so the transaction fails even if it
        // changed nothing.
        if failure == nil { (failure, outcome) = (error, .failed(error)) }
      }
    }
    follower.show(follower.commit)
    transaction.callCompletions(outcome, otherwise: database.notificationQueue)
    keep(transaction)
    return (failure, outcome)
  }

  /// Keeps the object for the next block, unless the object has escaped.
  private func keep(_ transaction: consuming YapDatabaseReadWriteTransaction) {
    transaction.dropChanges()
    transaction.completions = []
    transaction.upkeep = nil
    if isKnownUniquelyReferenced(&transaction) { connection.spareReadWrite = consume transaction }
  }

  /// Returns the commit that is to be written. Rolls back instead if the transaction failed or changed nothing, or if
  /// its block called `rollback()`.
  private func conclude(
    _ transaction: YapDatabaseReadWriteTransaction,
    _ failure: inout (any Error)?
  ) -> (outcome: YapDatabaseOutcome, commit: Commit?) {
    if let failure {
      undo(transaction, because: failure)
      return (.failed(failure), nil)
    }
    if transaction.isRolledBack {
      undo(transaction)
      return (.rolledBack, nil)
    }
    if transaction.changes.isEmpty, !transaction.dropsNames {
      // No row was changed or touched. Only the names of new collections may have been stored.
      writer.rollback()
      return (.noChanges, nil)
    }
    do {
      let extensions = try transaction.finishExtensions()
      let commit = Commit(
        snapshot: next,
        changes: &transaction.changes,
        carrying: transaction.takeChangedValues(),
        origin: connection.id,
        previous: base,
        extensions: extensions,
        sharing: writer.recentRows
      )
      return (.committed(snapshot: commit.snapshot), commit)
    } catch {
      undo(transaction, because: error)
      failure = error
      return (.failed(error), nil)
    }
  }

  /// Rolls the transaction back. The caches may hold values that the block stored, so all cached values are dropped.
  private func undo(_ transaction: YapDatabaseReadWriteTransaction, because cause: (any Error)? = nil) {
    let isKnown = !transaction.hasFailed
    writer.rollback(because: cause)
    // After a failure, the changed rows are not known, so all rowids are dropped.
    isKnown ? follower.caches.undo(transaction.changes) : follower.caches.removeAll()
  }

  // MARK: Committing

  /// Commits the transaction, or waits until the joint commit to which it belongs, or whose changes it saw, has ended.
  /// - Parameter commit: the transaction's commit; nil if there is none.
  private func settle(_ commit: Commit?) throws {
    do {
      let isJoint = try joinOthers(commit)
      if let commit, !isJoint { return try connection.write(commit) }
      _ = follower.adopt(commit ?? base)
      follower.reach(commit ?? base)
    } catch {
      follower.dropUncommitted()
      throw error
    }
  }

  /// Joins the open joint commit, or begins one if that is worth the wait. Then ends it, or waits until it has ended.
  /// - Returns: whether there was a joint commit; if not, `commit` is still to be written.
  /// - Throws: the error because of which the joint commit was lost.
  private func joinOthers(_ commit: Commit?) throws -> Bool {
    let writer = writer
    let now = commit?.committedAt ?? MonotonicClock.now
    // A thread that holds other lanes does not wait, because the next writer's block may wait for one of them.
    let waits = writer.isWorthWaiting(at: now) && !connection.lane.isInsideAnother
    guard waits || joint != nil else { return false }
    let joint = try commit.map { try writer.join($0, at: now) } ?? joint
    guard let joint else { return false }
    if waits, writer.joint === joint {
      database.options.testHooks.reach(.transactionJoined, connection.name)
      writer.lane.release()
      guard waitForOthers(of: joint) else { return try joint.check() }
    }
    if writer.joint === joint {
      database.endJointCommit(by: connection.name, isTimed: connection.timing != nil)
      connection.timing?.times.commitNanoseconds = writer.commitNanoseconds
    }
    return try joint.check()
  }

  /// Waits for the write lane, or until the joint commit has ended.
  /// - Returns: whether the write lane is held again; if not, the joint commit has ended.
  private func waitForOthers(of joint: JointCommit) -> Bool {
    let lane = writer.lane
    guard connection.timing != nil else { return lane.acquire(unless: joint.ended) }
    let began = MonotonicClock.now
    defer { connection.timing?.times.jointWaitNanoseconds = MonotonicClock.now - began }
    return lane.acquire(unless: joint.ended)
  }
}
