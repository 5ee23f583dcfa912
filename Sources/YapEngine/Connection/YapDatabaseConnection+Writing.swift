internal import ThreadingPrimitives

/// The outcome of a read-write transaction.
public enum YapDatabaseOutcome: Sendable {
  /// The transaction was committed under this number.
  case committed(snapshot: UInt64)
  /// The transaction changed nothing, so there is no commit.
  case noChanges
  /// The block called `rollback()`.
  case rolledBack
  /// The block threw, the call was refused, or the database reported an error. Nothing was stored.
  case failed(any Error)
}

extension YapDatabaseConnection {
  /// Runs `block` in a read-write transaction, on the calling thread, when its turn comes.
  ///
  /// When the call returns, the changes are committed, unless the block called `rollback()`. Every later read on any
  /// connection sees them, unless that connection is in a long-lived read. As with `read`, the engine cannot detect
  /// waits of the block outside the engine.
  /// - Returns: the result of `block`.
  /// - Throws: the error that `block` throws, and then nothing was stored; `notPermitted`; `closed`;
  ///   `nestedTransaction` inside a transaction of this connection or a read-write transaction of this database;
  ///   `deadlock` inside a transaction of another connection, if threads would wait for each other;
  ///   `longLivedReadInTheWay` during a long-lived read that must not be ended implicitly; the errors of SQLite.
  @inlinable
  public func readWrite<Result>(_ block: (YapDatabaseReadWriteTransaction) throws -> Result) throws -> Result {
    // The result is kept by the client, which knows its type. In the engine the type's size would be looked up at run
    // time, which takes about as long as all other preparations of a transaction.
    var result: Result?
    try performReadWrite { result = try block($0) }
    return Self.completed(result)
  }

  /// Returns the result of a block, which a transaction that ends without an error has run.
  @inlinable
  static func completed<Result>(_ result: Result?) -> Result {
    guard let result else { preconditionFailure("a transaction ended without an error, and did not run its block") }
    return result
  }

  @usableFromInline
  func performReadWrite(_ block: (YapDatabaseReadWriteTransaction) throws -> Void) throws {
    let laneWait = try enter("readWrite", .syncReadWrite)
    defer { lane.release() }
    try runReadWrite(block, laneWait: laneWait)
  }

  /// Runs `block` in a read-write transaction. Must be called with the lane held.
  /// - Parameters:
  ///   - laneWait: the nanoseconds for which the call waited for the lane; nil if they were not measured.
  ///   - isLong: whether the block may take so long that an open joint commit is ended first.
  ///   - cancellation: ends the wait for the write lane with the error `cancelled` when it happens.
  func runReadWrite(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Void,
    laneWait: UInt64? = nil,
    isLong: Bool = false,
    unless cancellation: LaneEvent? = nil
  ) throws {
    let ended = try execute(block, laneWait: laneWait, isLong: isLong, unless: cancellation)
    if let failure = ended.failure { throw failure }
  }

  /// Runs `block` in a read-write transaction, as `runReadWrite` does.
  /// - Returns: the error of the call, if any, and the outcome of the transaction.
  /// - Throws: only errors that kept the block from running.
  func execute(
    _ block: (YapDatabaseReadWriteTransaction) throws -> Void,
    laneWait: UInt64? = nil,
    isLong: Bool = false,
    unless cancellation: LaneEvent? = nil
  ) throws -> (failure: (any Error)?, outcome: YapDatabaseOutcome) {
    let writer = database.writer
    try beginWriting("readWrite", unless: cancellation)
    // `WriteExecution.joinOthers` may already have handed the lane to the next writer.
    defer { if writer.lane.isHeldByCurrentThread { writer.lane.release() } }
    if isLong { database.endJointCommit(by: name) }
    let execution: WriteExecution
    do { execution = try WriteExecution(on: self) } catch {
      database.endJointCommit(by: name)
      throw error
    }
    return execution.run(block, laneWait: laneWait)
  }

  /// Acquires the write lane, releases a kept snapshot, and ends a long-lived read if that is allowed. Must be called
  /// with the connection's lane held. The caller releases the write lane, unless this throws.
  func beginWriting(_ call: String, unless cancellation: LaneEvent? = nil) throws {
    if pin.isBookmark, settings.refusesToEndLongLivedRead {
      throw YapDatabaseError(
        .longLivedReadInTheWay,
        "\(call) on connection \"\(name)\" would implicitly end its long-lived read transaction: "
          + "use another connection, or end the long-lived read first"
      )
    }
    try enterWriteLane(call, unless: cancellation)
    do {
      try checkMayRun()
      try database.damageNotice.check()
      pin.releaseKept()
      if pin.isBookmark { _ = endBookmark() }
    } catch {
      // Its participants let all waiting writers pass, so writers that fail here could keep it open for long.
      database.endJointCommit(by: name)
      database.writer.lane.release()
      throw error
    }
  }

  /// Acquires the write lane. Must be called with the connection's lane held.
  private func enterWriteLane(_ call: String, unless cancellation: LaneEvent?) throws {
    let writer = database.writer
    let isFree = writer.lane.tryAcquire()
    if isFree, !database.checkpointer.pacing.isNeeded { return }
    let before = timing == nil ? 0 : writer.checkpoints.nanoseconds
    var waited: UInt64 = 0
    if !isFree {
      // The commits that are followed now need not be followed with the write lane held.
      if !pin.isBookmark {
        pin.releaseKept()
        follower.followNewest()
      }
      waited = try writer.countAsWaiting {
        try wait(for: writer.lane, call, mayFail: lane.isInsideAnother, unless: cancellation)
      }
    }
    if database.checkpointer.pacing.isNeeded { waited += database.pauseWriter() }
    guard timing != nil else { return }
    timing?.times.writeLaneWaitNanoseconds = waited
    timing?.times.checkpointWaitNanoseconds = writer.checkpoints.nanoseconds - before
  }

  /// Writes a commit that is not part of a joint commit. Must be called with the write lane held.
  func write(_ commit: Commit) throws {
    do { try database.write(commit, through: commit, by: name, isTimed: timing != nil) } catch {
      database.writer.rollback()
      throw error
    }
    timing?.times.commitNanoseconds = database.writer.commitNanoseconds
    _ = follower.adopt(commit)
    follower.reach(commit)
    database.options.testHooks.reach(.commitRegistered, name)
    database.scheduleNotifications()
  }
}
