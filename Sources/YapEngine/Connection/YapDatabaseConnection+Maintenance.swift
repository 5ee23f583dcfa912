public import Dispatch
internal import SQLiteBinding
internal import ThreadingPrimitives

/// The kinds of memory that `flushMemory` frees.
public struct YapDatabaseFlushLevels: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Cached objects and metadata.
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
      letKeptSnapshotGo()
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

  /// Calls `completion` once every earlier call on this connection has ended; returns immediately. The completion runs
  /// on `completionQueue`; nil for the database's notification queue.
  public func flushTransactions(
    completionQueue: DispatchQueue? = nil,
    completion: @escaping @Sendable () -> Void
  ) {
    lane.enqueue { [database] in (completionQueue ?? database.notificationQueue).async(execute: completion) }
  }

  // MARK: Vacuum

  /// Rebuilds the whole database without gaps, and applies the option `autoVacuum`.
  ///
  /// The write lane is held meanwhile, and the WAL grows by the size of the database. Other connections receive a
  /// commit without changes.
  /// - Throws: the errors of `readWrite`.
  public func vacuum() throws {
    try maintain("vacuum") { try $0.vacuum(autoVacuum: self.database.options.autoVacuum) }
  }

  /// Queues a vacuum and returns immediately. `completion` is called with the error, if any, on `completionQueue`; nil
  /// for the database's notification queue. Without a completion, the error goes to the database's
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

  /// Returns unused pages to the file system, if the option `autoVacuum` is set to incremental.
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

  /// Runs `body` with the write lane held. The connection's lane must be held. Ends with a commit without changes, so
  /// that the commit numbers on disk and in memory stay equal.
  private func runMaintenance(_ call: String, _ body: (Writer) throws -> Void) throws {
    let writer = database.writer
    try beginWriting(call)
    defer { writer.lane.release() }
    database.endJointCommit(by: name)
    follow(to: adoptNewest())
    show(place)
    try body(writer)
    do {
      try writer.begin(by: id)
      try write(Commit(snapshot: place.snapshot + 1, origin: id, previous: place))
      show(place)
    } catch {
      writer.rollback()
      throw error
    }
  }
}
