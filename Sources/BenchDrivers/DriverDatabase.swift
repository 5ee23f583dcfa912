public import BenchResults
public import BenchScenario

/// A database engine as the runner uses it. Scenarios assume nothing else about an engine.
public protocol DriverDatabase: AnyObject, Sendable {
  /// Opens a connection with the scenario's settings.
  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection
  /// The number of the newest commit.
  var commit: UInt64 { get }
  /// Whether written values can be read again.
  var keepsData: Bool { get }
  /// Returns the state of the engine; nil if the driver reports none.
  func observe() -> EngineState?
  /// Returns the checkpoints after the one with this number, oldest first.
  func checkpoints(after number: Int) -> [CheckpointResult]
  /// Makes a checkpoint and records it in the ledger. If readers keep it from completing in time, that is not an error.
  func checkpoint(_ mode: CheckpointModeSetting) throws -> CheckpointResult
  /// Rewrites the database file without gaps.
  func vacuum() throws
  /// Calls `handler` for each commit from now on, in order, on any thread.
  func onCommit(_ handler: @escaping @Sendable (CommitNotification) -> Void)
  /// Returns whether the error indicates that the engine's file is damaged.
  func isDamage(_ error: any Error) -> Bool
  /// Returns whether the error indicates that the engine refused a nested transaction, because it would have waited
  /// forever.
  func isDeadlock(_ error: any Error) -> Bool
  /// Registers a view. Returns when the registration is committed.
  func register(_ view: ViewSettings) throws
  /// The page size of the database file in bytes; 0 without a file.
  var pageSize: Int { get }
  /// The database itself if its engine can end and be started again; nil otherwise.
  var restarting: (any RestartingEngine)? { get }
  func close() throws
}

extension DriverDatabase {
  public var restarting: (any RestartingEngine)? { nil }

  /// Returns false, for drivers that detect no deadlocks.
  public func isDeadlock(_ error: any Error) -> Bool { false }

  public func register(_ view: ViewSettings) throws {
    preconditionFailure("the loader refuses views of a driver that has none")
  }

  /// The size of a WAL frame in bytes: a header of 24 and a page, https://sqlite.org/fileformat2.html#walformat
  public var frameBytes: Int { pageSize + 24 }
}

/// One connection. Any thread may call it; calls are executed one after the other. It is closed when its last reference
/// is released.
public protocol DriverConnection: AnyObject, Sendable {
  var name: String { get }
  /// - Returns: The time waited for the connection's turn, in nanoseconds; nil if the engine does not report it.
  @discardableResult
  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64?
  /// Runs `body` and commits its changes before returning.
  /// - Returns: The times of the parts of the call; nil if the engine does not report them.
  @discardableResult
  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes?
  /// Runs `body` with the engine's asynchronous interface. Returns when the engine has reported the end.
  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws
  /// Bookmarks the newest snapshot, or moves the bookmark to it.
  func advance() throws -> DriverAdvance
  /// Releases the bookmark, if there is one.
  func endLongLivedRead() throws
  /// Releases cached memory. Returns when that is done.
  func flushMemory() throws
}

/// A transaction, within its block.
public protocol DriverTransaction {
  /// The number of the commit that the transaction sees. In a read-write transaction, the number of its own commit.
  var snapshot: UInt64 { get }
  func object(_ key: String, in collection: String) throws -> [UInt8]?
  func metadata(_ key: String, in collection: String) throws -> [UInt8]?
  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)?
  func exists(_ key: String, in collection: String) throws -> Bool
  /// Returns the object stored in the file at this snapshot, bypassing all caches.
  func storedObject(_ key: String, in collection: String) throws -> [UInt8]?
  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]?
  /// Returns the row's object as a class instance; nil without such a row, or if the driver or codec has only values.
  func document(_ key: String, in collection: String) throws -> Document?
  /// Visits the objects of several keys, in the order of `keys`: the operation `multiGet`.
  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws
  /// Visits the objects of all given keys. The keys are consecutive in key order, so an engine may read them in one
  /// scan.
  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws
  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws
  /// Like `enumerate`, with metadata.
  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws
  /// Returns whether the view exists at this snapshot.
  func hasView(_ view: String) throws -> Bool
  /// Visits the keys and objects of at most `count` rows of one group of a view, in its order, from `index` on.
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
  /// Returns false, for drivers without views.
  public func hasView(_ view: String) throws -> Bool { false }
}

/// The position of a bookmark after a move.
public struct DriverAdvance: Sendable {
  public let snapshot: UInt64
  /// The numbers of the commits that the bookmark passed, in the order in which the engine returned them.
  public let jumped: [UInt64]
}

/// A database whose engine runs in a process of its own, which can end and be started again.
public protocol RestartingEngine: DriverDatabase {
  /// Kills the process, like a crash. Waits until it has ended and its notifications have been delivered.
  func kill()
  /// Starts a new process, which opens the database again. For use after `kill` or `close`.
  func reopen() throws -> EngineRecovery
  /// Returns the round-trip time of a message to the process in nanoseconds. Close to 0 while there is no process.
  func roundTripNanoseconds() -> UInt64
}

/// The cost of opening a database again.
public struct EngineRecovery: Sendable {
  /// The time from the start of opening to the end of the first read.
  public let nanoseconds: UInt64
  /// The size of the WAL before opening.
  public let walBytes: Int
}
