public import Dispatch
internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// The kinds of memory that `flushMemory` frees.
public struct YapDatabaseFlushLevels: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Cached objects, metadata and rowids.
  public static let caches = Self(rawValue: 1)
  /// Compiled statements.
  public static let statements = Self(rawValue: 2)
  /// SQLite's page cache, and the objects that the connection keeps for its next transaction.
  public static let pages = Self(rawValue: 4)
  public static let all: Self = [.caches, .statements, .pages]
}

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
  /// Queues a release of memory and returns immediately. May be called inside a transaction.
  ///
  /// The engine never calls this by itself: Linux reports memory pressure only to programs that ask for it, for example
  /// with a trigger in `/proc/pressure/memory`. Such a program calls this for each of its connections.
  public func flushMemory(_ levels: YapDatabaseFlushLevels = .all) {
    lane.enqueue { [self] in
      // A closed connection has no SQLite handle whose memory could be freed.
      guard !isClosed else { return }
      pin.releaseKept()
      if levels.contains(.caches) { caches.removeAll() }
      if levels.contains(.statements) { handle.dropStatements() }
      if levels.contains(.pages) {
        spareRead = nil
        spareReadWrite = nil
        caches.lastCollection = nil
        handle.sqlite.releaseMemory()
      }
    }
  }

  /// Returns immediately, and calls `completion` once every earlier call on this connection has ended. The completion
  /// runs on `completionQueue` or, if that is nil, on the database's notification queue.
  public func flushTransactions(completionQueue: DispatchQueue? = nil, completion: @escaping @Sendable () -> Void) {
    lane.enqueue { [database] in (completionQueue ?? database.notificationQueue).async(execute: completion) }
  }

  // MARK: Vacuum

  /// Rebuilds the whole database without gaps, removes the names of collections without rows, and applies the option
  /// `autoVacuum`.
  ///
  /// Writers wait meanwhile, and the WAL grows by the size of the database. A database of more than 16 MiB also needs a
  /// temporary file of up to its size, in the folder that the environment variable `SQLITE_TMPDIR` names, else `TMPDIR`,
  /// else `/var/tmp`, `/usr/tmp` or `/tmp`. Other connections receive a commit without changes.
  /// - Throws: the errors of `readWrite`; `full` or `storage`, with the folder and the remedy in the message, if there
  ///   is no folder for the temporary file, or too little space in it.
  public func vacuum() throws {
    try maintain("vacuum") { try $0.vacuum(autoVacuum: self.database.options.autoVacuum) }
  }

  /// Queues a vacuum and returns immediately. `completion` is called with the error, if any, on `completionQueue` or,
  /// if that is nil, on the database's notification queue. Without a completion, the error goes to the database's
  /// `asyncFailureHandler`.
  public func asyncVacuum(
    completionQueue: DispatchQueue? = nil,
    completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let call = AsyncCall(name: "asyncVacuum", connection: name, database: database, completionQueue: completionQueue)
    do { try accept(call.name, .asyncReadWrite) } catch { return call.end(error, completion) }
    lane.enqueue { [self] in
      do {
        try checkMayRun()
        try runMaintenance("vacuum") { try $0.vacuum(autoVacuum: self.database.options.autoVacuum) }
        call.end(nil, completion)
      } catch { call.end(error, completion) }
    }
  }

  /// Returns unused pages to the file system, if the file's auto-vacuum mode is incremental.
  /// - Parameter pages: the maximum number of pages to return, 1 or more; nil for all.
  /// - Throws: `invalidArgument` if `pages` is below 1; the errors of `readWrite`.
  public func incrementalVacuum(pages: Int? = nil) throws {
    if let pages, pages < 1 {
      throw YapDatabaseError(.invalidArgument, "pages is \(pages); expected 1 or more, or nil for all unused pages")
    }
    try maintain("incrementalVacuum") { try $0.incrementalVacuum(pages: pages) }
  }

  private func maintain(_ call: String, _ body: (Writer) throws -> Void) throws {
    try enter(call, .syncReadWrite)
    defer { lane.release() }
    try runMaintenance(call, body)
  }

  /// Runs `body` with the write lane held. Must be called with the connection's lane held. Ends with a commit without
  /// changes, which records the frames that `body` has written.
  private func runMaintenance(_ call: String, _ body: (Writer) throws -> Void) throws {
    let writer = database.writer
    try beginWriting(call)
    defer { writer.lane.release() }
    database.endJointCommit(by: name)
    follower.showNewest()
    try body(writer)
    do {
      try writer.begin(by: id)
      let commit = Commit(snapshot: follower.commit.snapshot + 1, origin: id, previous: follower.commit)
      try write(commit)
      follower.show(commit)
    } catch {
      writer.rollback()
      throw error
    }
  }

  // MARK: Backup

  /// Copies one snapshot of the database to a new file: the newest, or the bookmarked one during a long-lived read.
  ///
  /// Other connections read and write meanwhile. The backup pins its snapshot, so later commits stay in the WAL until
  /// it is done.
  /// - Parameters:
  ///   - path: the path of the new file, at which no file may exist yet. The file appears there once it is complete;
  ///     until then it is at `<path>.partial`, where an existing file is replaced.
  ///   - pagesPerStep: the number of pages that are copied between two calls of `progress`; 1 if it is lower.
  ///   - progress: called on the calling thread after each step. An error that it throws ends the backup, which then
  ///     leaves no file.
  /// - Returns: the number of the commit whose state the copy contains.
  /// - Throws: `invalidArgument` if there is a file at `path`; the errors of `progress`, `read` and the file system.
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
      throw YapDatabaseError(.invalidArgument, "\(path) exists already: choose a new file for the backup")
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
        throw YapDatabaseError(.storage, "\(partial) cannot be renamed to \(path): \(reason); back up to another path")
      }
      return snapshot
    } catch {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
      throw error
    }
  }

  private func copy(to path: String, pagesPerStep: Int, progress: (YapDatabaseBackupProgress) throws -> Void) throws {
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
