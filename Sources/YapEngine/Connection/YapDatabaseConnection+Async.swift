public import Dispatch
internal import ThreadingPrimitives

extension YapDatabaseConnection {
  /// Queues a read and returns at once. It may be called inside a transaction, also of this connection.
  /// - Parameters:
  ///   - block: runs on a thread of the database's own.
  ///   - completionQueue: where `completion` runs; nil for the database's notification queue.
  ///   - completion: called when the transaction has ended, with the error that ended it, if any.
  public func asyncRead(
    _ block: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Void,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let tell: @Sendable ((any Error)?) -> Void = { [database] failure in
      guard let completion else { return }
      (completionQueue ?? database.notificationQueue).async { completion(failure) }
    }
    do { try checkPermitted(.asyncRead, "asyncRead") } catch { return tell(error) }
    lane.enqueue { [self] in
      do {
        try checkIsOpen()
        try runRead(block)
        tell(nil)
      } catch { tell(error) }
    }
  }

  /// Queues a read-write transaction and returns at once. It may be called inside a transaction.
  /// - Parameters:
  ///   - block: runs on a thread of the database's own.
  ///   - completionQueue: where `completion` runs; nil for the database's notification queue.
  ///   - completion: called when the transaction has ended, committed or not.
  public func asyncReadWrite(
    _ block: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Void,
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable (YapDatabaseOutcome) -> Void)? = nil
  ) {
    let tell: @Sendable (YapDatabaseOutcome) -> Void = { [database] outcome in
      guard let completion else { return }
      (completionQueue ?? database.notificationQueue).async { completion(outcome) }
    }
    do { try checkPermitted(.asyncReadWrite, "asyncReadWrite") } catch { return tell(.failed(error)) }
    lane.enqueue { [self] in
      do {
        try checkIsOpen()
        tell(try runReadWrite(block).outcome)
      } catch { tell(.failed(error)) }
    }
  }

  /// Runs `block` on one snapshot, in a thread of the database's own, and suspends the caller meanwhile.
  public func read<Result: Sendable>(
    _ block: @escaping @Sendable (YapDatabaseReadTransaction) throws -> Result
  ) async throws -> Result {
    try checkPermitted(.asyncRead, "async read")
    return try await withCheckedThrowingContinuation { continuation in
      lane.enqueue { [self] in
        continuation.resume(
          with: Swift.Result {
            try checkIsOpen()
            return try runRead(block)
          }
        )
      }
    }
  }

  /// Runs `block` in a read-write transaction, in a thread of the database's own, and suspends the caller meanwhile.
  public func readWrite<Result: Sendable>(
    _ block: @escaping @Sendable (YapDatabaseReadWriteTransaction) throws -> Result
  ) async throws -> Result {
    try checkPermitted(.asyncReadWrite, "async readWrite")
    return try await withCheckedThrowingContinuation { continuation in
      lane.enqueue { [self] in
        continuation.resume(
          with: Swift.Result {
            try checkIsOpen()
            return try runReadWrite(block).result.get()
          }
        )
      }
    }
  }
}
