public import Dispatch
internal import SQLiteBinding
internal import ThreadingPrimitives

/// What `flushMemory` gives back.
public struct YapDatabaseFlushLevels: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Cached objects and metadata.
  public static let caches = Self(rawValue: 1)
  /// Compiled statements.
  public static let statements = Self(rawValue: 2)
  /// SQLite's pages, and what the connection keeps for its next transaction.
  public static let pages = Self(rawValue: 4)
  public static let all: Self = [.caches, .statements, .pages]
}

extension YapDatabaseConnection {
  /// Gives memory back, when the connection's turn comes; returns at once. May be called inside a transaction.
  ///
  /// Nothing calls it by itself: Linux tells a program that memory is short only if it asks for that, as by a trigger
  /// in `/proc/pressure/memory`. A program that does calls this for each of its connections.
  public func flushMemory(_ levels: YapDatabaseFlushLevels = .all) {
    lane.enqueue { [self] in
      // A closed connection has no SQLite handle to give memory back.
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

  /// Calls `completion` when every call that was made on this connection before has ended; returns at once. It runs on
  /// `completionQueue`, or else the database's notification queue.
  public func flushTransactions(
    completionQueue: DispatchQueue? = nil,
    completion: @escaping @Sendable () -> Void
  ) {
    lane.enqueue { [database] in (completionQueue ?? database.notificationQueue).async(execute: completion) }
  }

  // MARK: Vacuum

  /// Writes the whole database anew, without gaps, and puts `autoVacuum` in force.
  ///
  /// Holds the write lane meanwhile; the WAL grows by the size of the database. Others are told of a commit without
  /// changes.
  /// - Throws: as `readWrite` does.
  public func vacuum() throws {
    try maintain("vacuum") { try $0.vacuum(autoVacuum: self.database.options.autoVacuum) }
  }

  /// The same in its turn; returns at once. `completion` is called with the error, if any, on `completionQueue`, or
  /// else the notification queue.
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

  /// Gives unused pages back to the file system, with the option `autoVacuum` set to incremental.
  /// - Parameter pages: at most so many, 1 or more; nil for all.
  /// - Throws: `invalidArgument` for a number of pages below 1; as `readWrite` does.
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

  /// With the lane held. Ends with a commit of no changes: the numbers of disk and memory stay one.
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
