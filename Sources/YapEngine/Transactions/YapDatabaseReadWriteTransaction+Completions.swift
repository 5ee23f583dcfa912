public import Dispatch

/// A completion that was added inside a transaction's block.
struct TransactionCompletion {
  let queue: DispatchQueue?
  let body: @Sendable (YapDatabaseOutcome) -> Void
}

extension YapDatabaseReadWriteTransaction {
  /// Calls `completion` when the transaction has ended, whether it was committed or rolled back.
  ///
  /// Completions on the same queue are called in the order in which they were added, and before the completion of the
  /// call that runs the transaction. Without a `queue`, the completion runs on the database's notification queue.
  public func addCompletion(
    queue: DispatchQueue? = nil,
    _ completion: @escaping @Sendable (YapDatabaseOutcome) -> Void
  ) throws {
    _ = try handle()
    completions.append(TransactionCompletion(queue: queue, body: completion))
  }

  /// Calls the completions. Must be called once the transaction has ended.
  func callCompletions(_ outcome: YapDatabaseOutcome, otherwise queue: DispatchQueue) {
    for completion in completions { (completion.queue ?? queue).async { [body = completion.body] in body(outcome) } }
  }
}
