internal import ThreadingPrimitives

extension YapDatabase {
  /// Makes a checkpoint now, and returns when it has ended. Requests are optional: the engine makes checkpoints by
  /// itself.
  ///
  /// In every mode except passive, writers wait, first for readers and then for the copying. A reader that does not
  /// move in time is not an error: the returned entry of the ledger has the outcome `gaveUp` and names the reader. Its
  /// cause is "call".
  ///     let checkpoint = try database.checkpoint(.truncate)
  ///     if checkpoint.outcome != .reset { print("\(checkpoint.pinnedBy ?? "a reader") blocked the reset") }
  ///
  /// - Parameters:
  ///   - mode: The extent of the checkpoint, and the readers for which it waits.
  ///   - timeout: The longest wait for readers.
  /// - Throws: `nestedTransaction` inside a transaction, `closed`, or SQLite's error if the checkpoint failed.
  @discardableResult
  public func checkpoint(
    _ mode: YapDatabaseCheckpoint.Mode = .passive,
    timeout: Duration = .seconds(5)
  ) throws -> YapDatabaseCheckpoint {
    guard !Lane.isAnyHeldByCurrentThread else {
      throw YapDatabaseError(
        .nestedTransaction,
        "a checkpoint of \(path) was called inside a transaction, which it might have to wait for; call it outside"
      )
    }
    try checkIsOpen()
    return try checkpointer.make(CheckpointRequest(mode, longestWaitNanoseconds: timeout.waitNanoseconds))
  }

  /// Returns the checkpoints after the given number, oldest first; 0 returns all that are kept (the last 10,000).
  public func checkpoints(after number: Int = 0) -> [YapDatabaseCheckpoint] {
    checkpointer.state.withLedger { $0.entries(after: number) }
  }
}
