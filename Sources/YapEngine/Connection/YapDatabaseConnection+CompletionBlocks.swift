public import Dispatch

/// The spelling of YapDatabase: a completion block without arguments, called however the transaction ended. The error
/// of a failed one goes to the database's `asyncFailureHandler`.
extension YapDatabaseConnection {
  /// Queues a read and returns immediately. It may be called inside a transaction, also of this connection.
  /// - Parameters:
  ///   - block: runs on a thread of the database's own.
  ///   - completionQueue: where `completionBlock` runs; nil for the database's notification queue.
  ///   - completionBlock: called when the transaction has ended. For the error that ended it, use
  ///     `completion`.
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

  /// Queues a read-write transaction and returns immediately. It may be called inside a transaction.
  /// - Parameters:
  ///   - block: runs on a thread of the database's own.
  ///   - completionQueue: where `completionBlock` runs; nil for the database's notification queue.
  ///   - completionBlock: called when the transaction has ended, committed or not. For its outcome, use
  ///     `completion`.
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
