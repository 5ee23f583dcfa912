public import Dispatch

/// Calls in the spelling of YapDatabase: their completion blocks take no arguments, and are called however the
/// transaction ended. The error of a failed transaction goes to the database's `asyncFailureHandler`.
extension YapDatabaseConnection {
  /// Queues a read and returns immediately. May be called inside a transaction, including one of this connection.
  /// - Parameters:
  ///   - block: runs on one of the database's threads.
  ///   - completionQueue: the queue on which `completionBlock` runs; nil for the database's notification queue.
  ///   - completionBlock: called when the transaction has ended. Use `completion` to receive the error that ended it.
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
