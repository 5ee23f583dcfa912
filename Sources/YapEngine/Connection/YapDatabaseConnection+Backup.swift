public import Dispatch
internal import ThreadingPrimitives

/// The progress of a backup.
public struct YapDatabaseBackupProgress: Sendable, Equatable {
  public let copiedPages: Int
  public let totalPages: Int
}

/// A backup that is queued, is running or has ended.
public final class YapDatabaseBackup: Sendable {
  private let state = Guarded(YapDatabaseBackupProgress(copiedPages: 0, totalPages: 0))
  private let cancelled = StopFlag()

  /// The progress so far; 0 of 0 pages before the first step has ended.
  public var progress: YapDatabaseBackupProgress { state.withLock { $0 } }

  /// Requests that the backup end with the error `cancelled`. The request is checked after each step; a backup that has
  /// passed its last check completes.
  public func cancel() { cancelled.raise() }

  func note(_ progress: YapDatabaseBackupProgress) throws(YapDatabaseError) {
    state.withLock { $0 = progress }
    if cancelled.isRaised { throw YapDatabaseError(.cancelled, "the backup was cancelled; it has left no file") }
  }
}

extension YapDatabaseConnection {
  /// Copies one snapshot of the database to a new file: the newest, or the bookmarked one during a long-lived read.
  ///
  /// Other connections can read and write during the backup. It pins its snapshot, so later commits stay in the WAL
  /// until it is done. The copy has the permissions of the database file. It is on the disk when the call returns.
  ///
  /// Until it is complete, the copy is at `<path>.partial`. A backup that is interrupted, for example by the end of the
  /// process, leaves that file, and the next backup to the same path replaces it.
  /// - Parameters:
  ///   - path: the path of the new file in an existing folder. Neither a file may exist there nor one that SQLite would
  ///     take for a part of the copy: `<path>-wal`, `<path>-shm` or `<path>-journal`.
  ///   - pagesPerStep: the number of pages that are copied between two calls of `progress`; 1 if it is lower.
  ///   - progress: called on the calling thread after each step. An error that it throws ends the backup, which then
  ///     leaves no file.
  /// - Returns: the number of the commit whose state the copy contains.
  /// - Throws: `invalidArgument` if the path is not free, with the file that is in the way; `alreadyOpen` if another
  ///   backup to the path is running; the errors of `progress`, `read` and the file system.
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

  /// Queues a backup and returns immediately. `completion` is called on `completionQueue` or, if that is nil, on the
  /// database's notification queue.
  @discardableResult
  public func asyncBackup(
    to path: String,
    completionQueue: DispatchQueue? = nil,
    completion: @escaping @Sendable (Result<UInt64, any Error>) -> Void
  ) -> YapDatabaseBackup {
    let backup = YapDatabaseBackup()
    let complete: @Sendable (Result<UInt64, any Error>) -> Void = { [database] result in
      (completionQueue ?? database.notificationQueue).async { completion(result) }
    }
    do { try accept("asyncBackup", .asyncRead) } catch {
      complete(.failure(error))
      return backup
    }
    lane.enqueue(occupying: .all) { [self] error in
      complete(
        Result {
          try checkMayRun(error)
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
    let copy = try PartialCopy(newFileAt: path, permissionsOf: database.file.status())
    var snapshot: UInt64 = 0
    try runRead { transaction in
      try copy.write(from: handle.sqlite, pagesPerStep: pagesPerStep, progress: progress)
      snapshot = transaction.snapshot
    }
    try copy.complete()
    return snapshot
  }
}
