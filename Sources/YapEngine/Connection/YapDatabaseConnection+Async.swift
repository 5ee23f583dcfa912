public import Dispatch
internal import ThreadingPrimitives

extension YapDatabaseConnection {
  /// Queues a read and returns immediately. May be called inside a transaction, including one of this connection.
  /// - Parameters:
  ///   - block: runs on one of the database's threads.
  ///   - completionQueue: the queue on which `completion` runs; nil for the database's notification queue.
  ///   - completion: called when the call has ended, with the error that ended it, if any. Without a completion, the
  ///     error goes to the database's `asyncFailureHandler`.
  public func asyncRead(
    _ block: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Void,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let call = AsyncCall(name: "asyncRead", connection: name, database: database, completionQueue: completionQueue)
    do { try accept(call.name, .asyncRead) } catch { return call.end(error, completion) }
    lane.enqueue(occupying: .all) { [self] error in
      do {
        try checkMayRun(error)
        try runRead(block)
        call.end(nil, completion)
      } catch { call.end(error, completion) }
    }
  }

  /// Queues a read-write transaction and returns immediately. May be called inside a transaction.
  /// - Parameters:
  ///   - block: runs on one of the database's threads.
  ///   - completionQueue: the queue on which `completion` runs; nil for the database's notification queue.
  ///   - completion: called when the transaction has ended, committed or not. Without a completion, the error of a
  ///     failed transaction goes to the database's `asyncFailureHandler`.
  public func asyncReadWrite(
    _ block: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable (YapDatabaseOutcome) -> Void)? = nil
  ) {
    let call = AsyncCall(name: "asyncReadWrite", connection: name, database: database, completionQueue: completionQueue)
    do { try accept(call.name, .asyncReadWrite) } catch {
      return call.end(.failed(error), failure: error, completion)
    }
    lane.enqueue(occupying: .half) { [self] error in
      do {
        try checkMayRun(error)
        let (failure, outcome) = try execute(block)
        call.end(outcome, failure: failure, completion)
      } catch { call.end(.failed(error), failure: error, completion) }
    }
  }

  /// Checks an asynchronous call before it is queued.
  /// - Throws: `notPermitted`, `closed`.
  func accept(_ call: String, _ kind: YapDatabasePermittedTransactions) throws {
    try checkPermitted(kind, call)
    try database.checkIsOpen()
  }

  // MARK: In tasks

  /// Runs `block` on one snapshot, on one of the database's threads. The block has the task's cancellation, priority
  /// and task-local values.
  ///
  /// A value of type `Any` cannot leave the block, because it is not `Sendable`: use the transaction's typed calls,
  /// such as `object(_:forKey:inCollection:)`. To read on the calling thread in an `async` function, use
  /// `syncRead(_:)`.
  /// - Throws: `cancelled` if the task is cancelled before the block has begun; the errors of the synchronous form.
  public func read<Result: Sendable>(
    _ block: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Result
  ) async throws -> Result {
    try await awaitTurn("async read", .asyncRead) { call in
      var result: Result?
      try self.runRead { transaction in
        try call.begin()
        result = try block(transaction)
      }
      return Self.completed(result)
    }
  }

  /// Runs `block` in a read-write transaction, on one of the database's threads. The block has the task's cancellation,
  /// priority and task-local values.
  ///
  /// If the task is cancelled once the block has begun, the changes are committed nevertheless, unless the block checks
  /// for it, for example by `Task.checkCancellation()`. To write on the calling thread in an `async` function, use
  /// `syncReadWrite(_:)`.
  /// - Throws: `cancelled` if the task is cancelled before the block has begun, and then nothing was stored; the errors
  ///   of the synchronous form.
  public func readWrite<Result: Sendable>(
    _ block: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Result
  ) async throws -> Result {
    try await awaitTurn("async readWrite", .asyncReadWrite) { call in
      var result: Result?
      let write: (YapDatabaseReadWriteTransaction) throws -> Void = { transaction in
        try call.begin()
        result = try block(transaction)
      }
      try self.runReadWrite(write, unless: call.refusal)
      return Self.completed(result)
    }
  }

  /// Begins a long-lived read, or moves its bookmark, as the synchronous form does, but in the calling task on one
  /// of the database's threads.
  /// - Throws: `cancelled` if the task is cancelled before the call has begun; the errors of the synchronous form.
  @discardableResult
  public func beginLongLivedReadTransaction() async throws -> [YapDatabaseModification] {
    try await awaitTurn("async beginLongLivedReadTransaction", .asyncRead) { call in
      try call.begin()
      return try self.moveBookmark()
    }
  }

  /// Ends the long-lived read, as the synchronous form does, but in the calling task on one of the database's
  /// threads.
  /// - Throws: `cancelled` if the task is cancelled before the call has begun; the errors of the synchronous form.
  @discardableResult
  public func endLongLivedReadTransaction() async throws -> [YapDatabaseModification]? {
    try await awaitTurn("async endLongLivedReadTransaction", .asyncRead) { call in
      try call.begin()
      return self.pin.isBookmark ? self.endBookmark() : nil
    }
  }

  /// Queues a call on the lane, and suspends the calling task until its turn comes or it is cancelled. The task then
  /// performs the call.
  /// - Parameter run: runs with the lane held, and calls `begin` right before the first effect that must not follow a
  ///   cancellation.
  private func awaitTurn<Success: Sendable>(
    _ name: String,
    _ kind: YapDatabasePermittedTransactions,
    run: @escaping @Sendable (AwaitedCall<Success>) throws -> Success
  ) async throws -> Success {
    try accept(name, kind)
    let call = AwaitedCall<Success>(name, on: self, writes: kind == .asyncReadWrite)
    await withTaskCancellationHandler {
      // The executor is the call's own, so the task takes its turn on the lane before the closure runs.
      await withTaskExecutorPreference(call) { call.perform(run) }
    } onCancel: {
      call.cancel()
    }
    return try call.result.get()
  }
}

/// The synchronous calls under separate names. In an `async` function, the compiler resolves `read`, `readWrite` and
/// the two calls for bookmarks to their `async` forms.
extension YapDatabaseConnection {
  /// Calls the synchronous `read(_:)`, which runs on the calling thread and blocks it, even in an `async` function.
  /// - Throws: as `read(_:)` does.
  public func syncRead<Result>(_ block: (YapDatabaseReadTransaction) throws -> Result) throws -> Result {
    try read(block)
  }

  /// Calls the synchronous `readWrite(_:)`, which runs on the calling thread and blocks it, even in an `async`
  /// function.
  /// - Throws: as `readWrite(_:)` does.
  public func syncReadWrite<Result>(_ block: (YapDatabaseReadWriteTransaction) throws -> Result) throws -> Result {
    try readWrite(block)
  }

  /// Calls the synchronous `beginLongLivedReadTransaction()`, which runs on the calling thread and blocks it, even in
  /// an `async` function.
  /// - Throws: as `beginLongLivedReadTransaction()` does.
  @discardableResult
  public func syncBeginLongLivedReadTransaction() throws -> [YapDatabaseModification] {
    try beginLongLivedReadTransaction()
  }

  /// Calls the synchronous `endLongLivedReadTransaction()`, which runs on the calling thread and blocks it, even in an
  /// `async` function.
  /// - Throws: as `endLongLivedReadTransaction()` does.
  @discardableResult
  public func syncEndLongLivedReadTransaction() throws -> [YapDatabaseModification]? {
    try endLongLivedReadTransaction()
  }
}

/// Calls in the spelling of YapDatabase: their completion blocks take no arguments, and are called however the
/// transaction ended. The error of a failed transaction goes to the database's `asyncFailureHandler`.
extension YapDatabaseConnection {
  /// Queues a read and returns immediately. May be called inside a transaction, including one of this connection.
  /// - Parameters:
  ///   - block: runs on one of the database's threads.
  ///   - completionQueue: the queue on which `completionBlock` runs; nil for the database's notification queue.
  ///   - completionBlock: called when the call has ended. Use `completion` to receive the error that ended it.
  public func asyncRead(
    _ block: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Void,
    completionQueue: DispatchQueue? = nil,
    completionBlock: @escaping @Sendable () -> Void
  ) {
    let call = AsyncCall(name: "asyncRead", connection: name, database: database, completionQueue: completionQueue)
    asyncRead(block, completionQueue: completionQueue) { error in
      call.reportUnreceived(error)
      completionBlock()
    }
  }

  /// Queues a read-write transaction and returns immediately. May be called inside a transaction.
  /// - Parameters:
  ///   - block: runs on one of the database's threads.
  ///   - completionQueue: the queue on which `completionBlock` runs; nil for the database's notification queue.
  ///   - completionBlock: called when the transaction has ended, committed or not. Use `completion` to receive its
  ///     outcome.
  public func asyncReadWrite(
    _ block: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void,
    completionQueue: DispatchQueue? = nil,
    completionBlock: @escaping @Sendable () -> Void
  ) {
    let call = AsyncCall(name: "asyncReadWrite", connection: name, database: database, completionQueue: completionQueue)
    asyncReadWrite(block, completionQueue: completionQueue) { outcome in
      if case .failed(let error) = outcome { call.reportUnreceived(error) }
      completionBlock()
    }
  }
}
