internal import SQLiteBinding
internal import ThreadingPrimitives

/// Checkpoints that a program asks for. None needs to: the engine makes its own.
extension YapDatabase {
  /// Makes a checkpoint now, and returns when it has ended.
  ///
  /// All but a passive one let writers wait, first for readers, then for the copying. A reader that does not come in
  /// time is no error: the line of the ledger that is returned says `gaveUp`, and names it. Its cause is "call".
  ///
  ///     let checkpoint = try database.checkpoint(.truncate)
  ///     if checkpoint.outcome != .reset { print("\(checkpoint.pinnedBy ?? "somebody") is in the way") }
  ///
  /// - Parameters:
  ///   - mode: what it does, and for whom it waits.
  ///   - timeout: how long it waits for readers.
  /// - Throws: `nestedTransaction` inside a transaction, `closed`, or what SQLite said where it failed.
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

  /// On the checkpointer's thread.
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
