public import Dispatch
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
        handle.sqlite.releaseMemory()
      }
    }
  }

  /// Returns immediately, and calls `completion` once every earlier call on this connection has ended. The completion
  /// runs on `completionQueue` or, if that is nil, on the database's notification queue.
  public func flushTransactions(completionQueue: DispatchQueue? = nil, completion: @escaping @Sendable () -> Void) {
    lane.enqueue { [self] in (completionQueue ?? database.notificationQueue).async(execute: completion) }
  }

  // MARK: Vacuum

  /// Rebuilds the whole database without gaps, removes the names of collections without rows, and applies the option
  /// `autoVacuum`.
  ///
  /// Writers wait for the vacuum, and the WAL grows by the size of the database. A database of more than 16 MiB also
  /// needs a temporary file of up to its size, in the folder that the environment variable `SQLITE_TMPDIR` names, else
  /// `TMPDIR`, else `/var/tmp`, `/usr/tmp`, `/tmp` or the working folder. Other connections receive a commit without
  /// changes.
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
    lane.enqueue(occupying: .half) { [self] error in
      do {
        try checkMayRun(error)
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
}
