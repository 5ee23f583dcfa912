public import BenchResults
public import BenchScenario

/// A database engine as the runner uses it. `DriverKind` states the abilities that a driver lacks.
public protocol DriverDatabase: AnyObject, Sendable {
  /// Opens a connection with these settings.
  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection
  /// The number of the newest commit.
  var commit: UInt64 { get }
  /// Whether written values can be read again.
  var keepsData: Bool { get }
  /// Returns a sample with the state of the engine; nil if the driver reports none, and while the engine's process is
  /// down.
  func observe() -> EngineSample?
  /// Returns the checkpoints with a greater number that the engine still keeps, oldest first.
  func checkpoints(after number: Int) -> [CheckpointResult]
  /// Makes a checkpoint, which `checkpoints(after:)` also returns. If readers blocked it, the outcome says so.
  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult
  /// Rewrites the database file without gaps.
  func vacuum() throws
  /// Calls `handler` for each commit from now on, on any thread; in order, except in the null driver.
  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void)
  /// Returns whether the error indicates that the database file is damaged.
  func isDamage(_ error: any Error) -> Bool
  /// Returns whether the error indicates that the engine refused a nested transaction, because it would have waited
  /// forever.
  func isDeadlock(_ error: any Error) -> Bool
  /// Registers a view. Returns when the registration is committed.
  func register(_ view: ViewSettings) throws
  /// The engine's library, and the settings with which the database was opened.
  var configuration: EngineConfiguration { get }
  /// The page size of the database file in bytes; 0 without a file of pages.
  var pageSize: Int { get }
  /// The database itself if its engine can end and be started again; nil otherwise.
  var restarting: (any RestartingEngine)? { get }
  func close() throws
}

extension DriverDatabase {
  public var keepsData: Bool { true }

  public var restarting: (any RestartingEngine)? { nil }

  /// Returns no checkpoints, for drivers that make none.
  public func checkpoints(after number: Int) -> [CheckpointResult] { [] }

  public func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult {
    preconditionFailure("the loader refuses checkpoints of a driver that has none")
  }

  public func vacuum() throws { preconditionFailure("the loader refuses vacuums of a driver that has none") }

  /// Returns false, for drivers that detect no deadlocks and for engines in another process.
  public func isDeadlock(_ error: any Error) -> Bool { false }

  public func register(_ view: ViewSettings) throws {
    preconditionFailure("the loader refuses views of a driver that has none")
  }

  /// The size of a WAL frame: a header of 24 bytes and a page, https://sqlite.org/fileformat2.html#walformat
  public var frameBytes: Int { pageSize + 24 }
}

/// One connection. Any thread may call it. Except in the null driver, calls are executed one after the other. The
/// connection is closed when its last reference is released.
public protocol DriverConnection: AnyObject, Sendable {
  var name: String { get }
  /// - Returns: The time waited for earlier calls on the connection, in nanoseconds; nil if it is not reported.
  @discardableResult
  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64?
  /// Runs `body` and commits its changes before returning. If `body` throws, the changes are rolled back.
  /// - Returns: The times of the parts of the call; nil if they are not reported.
  @discardableResult
  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes?
  /// Runs `body` with the engine's asynchronous interface. Returns when the engine has reported the end.
  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws
  /// Bookmarks the newest snapshot, or moves the bookmark to it.
  /// - Parameter collection: The collection whose changed keys are returned; nil for none.
  func advance(changesIn collection: String?) throws -> DriverAdvance
  /// Releases the bookmark, if there is one.
  func endLongLivedRead() throws
  /// Releases cached memory. Returns when that is done.
  func flushMemory() throws
}

extension DriverConnection {
  /// Bookmarks the newest snapshot, or moves the bookmark to it. Returns no changed keys.
  public func advance() throws -> DriverAdvance { try advance(changesIn: nil) }
}

/// A transaction, within its block. The null driver's has no rows and visits none.
public protocol DriverTransaction {
  /// The number of the commit that the transaction sees. In a read-write transaction, the number of its own commit.
  var snapshot: UInt64 { get }
  /// The reads so far that the connection's caches did not answer; nil if the driver does not count them.
  var cacheMisses: CacheMisses? { get }
  func object(_ key: String, in collection: String) throws -> [UInt8]?
  func metadata(_ key: String, in collection: String) throws -> [UInt8]?
  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)?
  func exists(_ key: String, in collection: String) throws -> Bool
  /// Returns the object that is stored at this snapshot, without using a cache of objects.
  func storedObject(_ key: String, in collection: String) throws -> [UInt8]?
  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]?
  /// Returns the row's object as a class instance; nil without such a row, or if the driver or codec has only values.
  func document(_ key: String, in collection: String) throws -> Document?
  /// Visits the objects of several keys, in the order of `keys`; nil for a key without a row. For `multiGet`.
  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws
  /// Does the same as `objects`. The keys must be sorted, and no other row's key may lie between them, so that an
  /// engine can read the rows in one scan.
  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws
  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws
  /// Like `enumerate`, with metadata.
  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws
  /// Returns whether the view exists at this snapshot.
  func hasView(_ view: String) throws -> Bool
  /// Visits the keys and objects of up to `count` rows of a view's group, in the view's order, from `index` on.
  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws
  func count(in collection: String) throws -> Int
  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws
  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws
  func replace(_ object: [UInt8], _ key: String, in collection: String) throws
  func touch(_ key: String, in collection: String) throws
  func remove(_ key: String, in collection: String) throws
  func removeAll(in collection: String) throws
}

extension DriverTransaction {
  /// Returns nil, for drivers without caches and for engines in another process.
  public var cacheMisses: CacheMisses? { nil }

  /// Returns false, for drivers without views.
  public func hasView(_ view: String) throws -> Bool { false }
}

/// Reads that the caches of a connection did not answer, since the connection was opened.
public struct CacheMisses: Sendable, Equatable {
  public var count: Int
  /// The part of `count` of rows whose cached values were dropped because another connection had changed them.
  public var readAgain: Int

  /// Returns the outcome of a read between `earlier` and these counts.
  public func outcome(since earlier: CacheMisses) -> CacheOutcome {
    if readAgain > earlier.readAgain { return .reread }
    return count > earlier.count ? .miss : .hit
  }
}

/// The result of moving a bookmark to the newest snapshot.
public struct DriverAdvance: Sendable {
  /// The changes of one commit in one collection.
  public struct Changes: Sendable, Equatable {
    public var commit: UInt64 = 0
    /// The time when the commit had been written, in nanoseconds of the monotonic clock.
    public var writtenAt: UInt64
    /// The keys that were changed individually, in any order; after the removal of all rows, if there was one.
    public var keys: [String]
    /// Whether the commit removed all rows of the collection.
    public var isCleared = false
  }

  public let snapshot: UInt64
  /// The numbers of the commits that the engine returned for the move, in the same order; empty if it returned none.
  public let jumped: [UInt64]
  /// The changes of these commits in the collection that the call named, in the order of the commits. Commits that
  /// changed nothing in it are left out.
  public var changes: [Changes] = []
}

/// A database whose engine runs in a process of its own, which can end and be started again.
public protocol RestartingEngine: DriverDatabase {
  /// Kills the process, as in a crash. Waits until it has ended and the notifications that it sent are delivered.
  func kill()
  /// Starts a new process, which opens the database again. Must be called after `kill` or `close`.
  func reopen() throws -> EngineRecovery
  /// The system's number of the process; nil while there is none.
  var processIdentifier: Int32? { get }
  /// Returns the round-trip time of a message to the process in nanoseconds. Close to 0 while there is no process.
  func roundTripNanoseconds() -> UInt64
}

/// The cost of opening a database again.
public struct EngineRecovery: Sendable {
  /// The time from the start of opening to the end of the first read.
  public let nanoseconds: UInt64
  /// The size of the WAL file before opening.
  public let walBytes: Int
  /// The number of the newest commit in the file, before views are registered again, which makes further commits.
  public let commit: UInt64
}
