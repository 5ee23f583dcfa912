public import Dispatch
internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// How far a backup is.
public struct YapDatabaseBackupProgress: Sendable, Equatable {
  public let copiedPages: Int
  public let totalPages: Int
}

/// A backup that runs.
public final class YapDatabaseBackup: Sendable {
  private let state = Guarded(YapDatabaseBackupProgress(copiedPages: 0, totalPages: 0))
  private let cancelled = StopFlag()

  /// Nothing of nothing before it has begun.
  public var progress: YapDatabaseBackupProgress { state.withLock { $0 } }

  /// Ends it with the error `cancelled`, soon, unless it is done by then.
  public func cancel() { cancelled.raise() }

  func note(_ progress: YapDatabaseBackupProgress) throws(YapDatabaseError) {
    state.withLock { $0 = progress }
    if cancelled.isRaised { throw YapDatabaseError(.cancelled, "the backup was cancelled; it has left no file") }
  }
}

extension YapDatabaseConnection {
  /// Copies one snapshot of the database to a new file: the newest, or the bookmarked one in a long-lived read.
  ///
  /// Nobody has to wait for it: others read and write meanwhile. What is committed stays in the WAL until it is done.
  /// - Parameters:
  ///   - path: where there is no file yet. It appears there when it is whole.
  ///   - pagesPerStep: pages that are copied between two calls of `progress`.
  ///   - progress: called on this thread; what it throws ends the backup, and leaves no file.
  /// - Returns: the number of the commit that the copy holds.
  /// - Throws: `invalidArgument` where there is a file already; as `read` does.
  @discardableResult
  public func backup(
    to path: String,
    pagesPerStep: Int = 1_000,
    progress: (YapDatabaseBackupProgress) throws -> Void = { _ in }
  ) throws -> UInt64 {
    try enter("backup", .syncRead)
    defer { lane.release() }
    return try runBackup(to: path, pagesPerStep: pagesPerStep, progress: progress)
  }

  /// The same in its turn; returns at once. `completion` is called on `completionQueue`, or else the notification
  /// queue.
  @discardableResult
  public func asyncBackup(
    to path: String,
    completionQueue: DispatchQueue? = nil,
    completion: @escaping @Sendable (Result<UInt64, any Error>) -> Void
  ) -> YapDatabaseBackup {
    let backup = YapDatabaseBackup()
    let tell: @Sendable (Result<UInt64, any Error>) -> Void = { [database] result in
      (completionQueue ?? database.notificationQueue).async { completion(result) }
    }
    do { try accept("asyncBackup", .asyncRead) } catch {
      tell(.failure(error))
      return backup
    }
    lane.enqueue { [self] in
      tell(
        Result {
          try checkMayRun()
          return try runBackup(to: path, pagesPerStep: 1_000, progress: backup.note)
        }
      )
    }
    return backup
  }

  private func runBackup(
    to path: String,
    pagesPerStep: Int,
    progress: (YapDatabaseBackupProgress) throws -> Void
  ) throws -> UInt64 {
    guard access(path, F_OK) != 0 else {
      throw YapDatabaseError(.invalidArgument, "\(path) exists already: a backup goes to a new file")
    }
    let partial = path + ".partial"
    unlink(partial)
    do {
      let snapshot = try runRead { transaction in
        try copy(to: partial, pagesPerStep: pagesPerStep, progress: progress)
        return transaction.snapshot
      }
      guard rename(partial, path) == 0 else {
        let reason = String(cString: strerror(errno))
        throw YapDatabaseError(.storage, "\(partial) is whole, and cannot be renamed to \(path): \(reason)")
      }
      return snapshot
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
      throw error
    }
  }

  private func copy(
    to path: String,
    pagesPerStep: Int,
    progress: (YapDatabaseBackupProgress) throws -> Void
  ) throws {
    do {
      let destination = try SQLiteHandle(path: path)
      let backup = try SQLiteBackup(from: handle.sqlite, to: destination)
      var isLeft = true
      while isLeft {
        isLeft = try backup.step(pages: Int32(clamping: max(pagesPerStep, 1)))
        let total = backup.pageCount
        try progress(YapDatabaseBackupProgress(copiedPages: total - backup.remainingPages, totalPages: total))
      }
      try backup.finish()
      // An own id: the WAL of this file must not be taken for one of the copy.
      try destination.execute(Schema.newID)
      _ = try destination.checkpoint(.truncate)
      try destination.close()
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }
}
