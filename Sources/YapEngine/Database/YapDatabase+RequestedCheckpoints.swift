internal import SQLiteBinding
internal import ThreadingPrimitives

/// Checkpoints that a program requests. Requests are optional: the engine makes checkpoints by itself.
extension YapDatabase {
  /// Makes a checkpoint now, and returns when it has ended.
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
    let nanoseconds = timeout.waitNanoseconds
    let request = CheckpointRequest(mode.sqlite, longestWaitNanoseconds: nanoseconds)
    guard checkpointer.ask(request) else { throw closedBeforeCheckpoint }
    return try request.wait()
  }

  func refuse(_ request: CheckpointRequest) { request.end(.failure(closedBeforeCheckpoint)) }

  private var closedBeforeCheckpoint: YapDatabaseError {
    YapDatabaseError(.closed, "\(path) was closed before the checkpoint: open it again with a new YapDatabase")
  }

  /// Must be called on the checkpointer's thread.
  func perform(_ request: CheckpointRequest) {
    let last = checkpointer.withLedger { $0.count }
    if request.mode == .passive {
      performCheckpoint(.call)
    } else {
      resetWAL(request.mode, .call) { _, _ in request.longestWaitNanoseconds }
    }
    let (made, failure) = checkpointer.withLedger { ($0.entries(after: last).last, $0.lastFailure) }
    guard let made else {
      return request.end(.failure(closedBeforeCheckpoint))
    }
    guard made.outcome == .failed else { return request.end(.success(made)) }
    let error = YapDatabaseError(
      .storage,
      "a checkpoint (\(made.mode)) of \(path) failed: \(failure ?? "SQLite did not say why"); nothing is lost, since "
        + "all of it is in the WAL still: look after the disk and try again"
    )
    request.end(.failure(damage ?? error))
  }
}

extension YapDatabaseCheckpoint.Mode {
  fileprivate var sqlite: SQLiteCheckpointMode {
    switch self {
    case .passive: .passive
    case .full: .full
    case .restart: .restart
    case .truncate: .truncate
    }
  }
}
