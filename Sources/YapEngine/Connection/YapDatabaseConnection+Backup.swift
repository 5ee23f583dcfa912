public import Dispatch
internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// The progress of a backup.
public struct YapDatabaseBackupProgress: Sendable, Equatable {
  public let copiedPages: Int
  public let totalPages: Int
}

/// A running backup.
public final class YapDatabaseBackup: Sendable {
  private let state = Guarded(YapDatabaseBackupProgress(copiedPages: 0, totalPages: 0))
  private let cancelled = StopFlag()

  /// The progress so far; 0 of 0 pages before the backup has begun.
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
  /// Other connections read and write meanwhile. The backup pins its snapshot, so later commits stay in the WAL until
  /// it is done.
  /// - Parameters:
  ///   - path: the path of the new file, at which no file may exist yet. The file appears there once it is complete.
  ///   - pagesPerStep: the number of pages that are copied between two calls of `progress`.
  ///   - progress: called on the calling thread after each step. An error that it throws ends the backup, which then
  ///     leaves no file.
  /// - Returns: the number of the commit whose state the copy contains.
  /// - Throws: `invalidArgument` if there is a file at `path`; the error that `progress` throws; the errors of `read`.
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

  /// Queues a backup and returns immediately. `completion` is called on `completionQueue`; nil for the database's
  /// notification queue.
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
    lane.enqueue { [self] in
      complete(
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
        throw YapDatabaseError(.storage, "\(partial) is complete, but cannot be renamed to \(path): \(reason)")
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
      // The copy gets an id of its own, so that the WAL of this file is not taken for the copy's.
      try destination.execute(Schema.newID)
      _ = try destination.checkpoint(.truncate)
      try destination.close()
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }
}
