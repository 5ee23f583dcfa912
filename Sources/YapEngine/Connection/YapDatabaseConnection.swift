internal import ThreadingPrimitives

/// A serial connection to the database, with its own SQLite handle, compiled statements and caches.
///
/// Any thread may use it. Transactions of one connection run one after the other, in the order of the calls. A
/// synchronous transaction inside a transaction of the same connection is refused. Connections should be kept and used
/// again, because their compiled statements and caches make later transactions faster.
// Mutable state is accessed only with `lane` held, which orders the accesses.
public final class YapDatabaseConnection: @unchecked Sendable {
  public let database: YapDatabase
  /// The connection's name in statistics and errors.
  public let name: String

  let id: ConnectionID
  /// A job that is queued on the lane must hold the connection, whose deinit needs the lane.
  let lane: Lane
  let settings: ConnectionSettings
  /// The caches, and the commits that they and the client have reached.
  let follower: CommitFollower
  /// The read transaction in SQLite.
  let pin: SnapshotPin
  // Exclusive access to these is not checked at run time, in each transaction: accesses run no other code.
  /// A transaction object for reuse; nil while it is in use, or if the last one has escaped from its block.
  @exclusivity(unchecked)
  var spareRead: YapDatabaseReadTransaction?
  @exclusivity(unchecked)
  var spareReadWrite: YapDatabaseReadWriteTransaction?
  /// The times of the running transaction so far; nil if they are not measured.
  @exclusivity(unchecked)
  var timing: TransactionTiming?
  private(set) var isClosed = false

  /// - Parameter commit: the newest commit.
  init(
    database: YapDatabase,
    id: ConnectionID,
    name: String,
    handle: EngineHandle,
    commit: Commit,
    settings defaults: YapDatabaseConnectionDefaults
  ) {
    self.database = database
    self.id = id
    self.name = name
    lane = Lane(name: "connection \"\(name)\"", pool: database.pool)
    settings = ConnectionSettings(defaults)
    if database.options.isReadOnly { settings.permittedTransactions.subtract(.anyReadWrite) }
    pin = SnapshotPin(handle: handle, connection: id, name: name, database: database)
    follower = CommitFollower(at: commit, pin: pin, settings: defaults, connection: id, name: name, database: database)
  }

  deinit {
    // Users of the lane hold the connection, so the lane is free. Acquiring it orders their accesses before the next
    // use of the handle. Reference counts do so too, but the thread sanitizer does not see that.
    let isHeld = lane.tryAcquire()
    precondition(isHeld, "connection \"\(name)\" ended while its lane was held")
    defer { lane.release() }
    // SQLite's snapshot is released before the pin is removed, so that a checkpoint that follows immediately is not
    // blocked.
    if !isClosed { handle.rollbackIfNeeded() }
    database.options.testHooks.reach(.connectionEnding, name)
    database.unpin(id)
    database.options.testHooks.reach(.connectionUnpinned, name)
    if !isClosed { database.handles.give(handle) }
    database.connections.end(id)
  }

  /// The number of calls of this connection that run or wait, including settings that are yet to be applied. A visit of
  /// the engine's checkpointer, which is short, counts as well. Does not block.
  public var pendingTransactionCount: Int { lane.occupancy }

  /// The number of the last commit that the caches reflect. May be read inside and outside of transactions.
  public var snapshot: UInt64 { follower.snapshot }

  var handle: EngineHandle { pin.handle }
  var caches: RowCaches { follower.caches }
  var counters: CacheCounters { follower.counters }

  // MARK: The lane

  /// Acquires the lane for a call of the client.
  ///
  /// Only a call inside a transaction may be refused for a deadlock. Each circle of waiting threads contains such a
  /// call: a thread that holds only its connection's lane waits only for the write lane, and a thread that also holds
  /// the write lane waits for a lane only inside its block.
  /// - Parameter kind: the permission that the call needs. With `.syncReadWrite`, the caller acquires the write lane
  ///   afterwards.
  /// - Returns: the nanoseconds for which the call waited for the lane.
  /// - Throws: `notPermitted`; `closed`; `deadlock` if threads would wait for each other; `nestedTransaction` if the
  ///   calling thread would wait for itself. The last is checked before anything blocks, because the holder of this
  ///   lane may be waiting for the write lane that the calling thread holds.
  @discardableResult
  func enter(_ call: String, _ kind: YapDatabasePermittedTransactions) throws -> UInt64 {
    try checkPermitted(kind, call)
    try refuseNesting(call)
    if kind == .syncReadWrite, database.writer.lane.isHeldByCurrentThread {
      throw YapDatabaseError.nested(call, connection: name, inside: "another connection")
    }
    if lane.tryAcquire() {
      if !database.refusesNewCalls { return 0 }
      lane.release()
      throw database.closedError
    }
    try database.checkIsOpen()
    let waited = try wait(for: lane, call, mayFail: Lane.isAnyHeldByCurrentThread)
    // The call was accepted before the wait, so a close that began since then waits for the call.
    do { try checkMayRun() } catch {
      lane.release()
      throw error
    }
    return waited
  }

  /// - Parameter cancellation: ends the wait when it happens.
  /// - Returns: the duration of the wait in nanoseconds.
  /// - Throws: `deadlock`; `cancelled`.
  func wait(
    for lane: Lane,
    _ call: String,
    mayFail: @autoclosure () -> Bool,
    unless cancellation: LaneEvent? = nil
  ) throws -> UInt64 {
    let began = MonotonicClock.now
    var isCancelled = false
    do throws(LaneDeadlock) {
      if let cancellation {
        isCancelled = try !lane.acquire(mayFail: mayFail(), unless: cancellation)
      } else {
        try lane.acquire(mayFail: mayFail())
      }
    } catch { throw YapDatabaseError.deadlock(call, connection: name, error) }
    if isCancelled { throw YapDatabaseError.cancelled(call, connection: name) }
    return MonotonicClock.now - began
  }

  /// - Throws: `nestedTransaction` inside a transaction of this connection on the calling thread.
  func refuseNesting(_ call: String) throws {
    if lane.isHeldByCurrentThread { throw YapDatabaseError.nested(call, connection: name, inside: "it") }
  }

  /// Checks that a call which was accepted earlier may still run. Must be called with the lane held.
  /// - Parameter error: the error because of which there is no thread for the call.
  /// - Throws: `closed`; `noThread`.
  func checkMayRun(_ error: ThreadError? = nil) throws {
    if let error { throw YapDatabaseError(error) }
    if isClosed || database.discardsQueuedCalls { throw database.closedError }
  }

  /// Waits for the pending calls, and closes the connection. Must not be called by the thread that holds the lane.
  /// - Parameter deadline: nanoseconds of `MonotonicClock`.
  /// - Returns: the number of calls that are still pending at the deadline; 0 if the connection is closed.
  func close(deadline: UInt64) throws -> Int {
    while !lane.acquire(deadline: deadline) {
      let pending = pendingTransactionCount
      if pending > 0 { return pending }
    }
    defer { lane.release() }
    guard !isClosed else { return 0 }
    pin.release()
    try handle.close()
    isClosed = true
    return 0
  }
}
