public import Dispatch

/// What a transaction's block wants to be called when the transaction has ended.
struct TransactionCompletion {
  let queue: DispatchQueue?
  let body: @Sendable (YapDatabaseOutcome) -> Void
}

extension YapDatabaseReadWriteTransaction {
  /// Calls `completion` when the transaction has ended, however it ends: with its commit done, or rolled back.
  ///
  /// Those that are added first are called first, as far as their queues are the same; the completion of the call that
  /// runs the transaction comes last. Without a `queue` it runs on the database's notification queue.
  public func addCompletion(
    queue: DispatchQueue? = nil,
    _ completion: @escaping @Sendable (YapDatabaseOutcome) -> Void
  ) throws {
    _ = try handle()
    completions.append(TransactionCompletion(queue: queue, body: completion))
  }

  /// To be called once the transaction has ended.
  func tellCompletions(_ outcome: YapDatabaseOutcome, otherwise queue: DispatchQueue) {
    for completion in completions { (completion.queue ?? queue).async { [body = completion.body] in body(outcome) } }
  }
}
