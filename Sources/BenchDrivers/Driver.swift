public import BenchModel
internal import SQLiteBinding
internal import YapEngine

/// A database engine, as the runner sees it. Scenarios assume no more of an engine than this.
public protocol DriverDatabase: AnyObject, Sendable {
  /// Opens a connection with the settings of the scenario.
  func connect(_ settings: ConnectionSettings) throws -> any DriverConnection
  /// Number of the newest commit.
  var commit: UInt64 { get }
  /// Whether what was written can be read again.
  var keepsData: Bool { get }
  /// What the engine shows of itself; nil for a driver that has nothing to show.
  func observe() -> DriverObservation?
  /// Checkpoints after the one with this number, oldest first.
  func checkpoints(after number: Int) -> [DriverCheckpoint]
  /// Makes a checkpoint now, which the ledger shows too. Readers that do not let it through in time are no error.
  func checkpoint(_ mode: CheckpointModeSetting) throws -> DriverCheckpoint
  /// Writes the database anew, without gaps.
  func vacuum() throws
  /// Calls `handler` with the news of each commit from now on, in order, on a thread of the engine's choice.
  func onCommit(_ handler: @escaping @Sendable (CommitNews) -> Void)
  /// Whether the engine says with this error that its file is damaged.
  func tellsOfDamage(_ error: any Error) -> Bool
  /// Whether the engine says with this error that it has refused a transaction inside of another one, which would have
  /// waited without end.
  func tellsOfDeadlock(_ error: any Error) -> Bool
  /// Makes a view, and returns when it is committed.
  func register(_ view: ViewSettings) throws
  /// Bytes of a page of the database file; 0 where there is none.
  var pageSize: Int { get }
  func close() throws
}

extension DriverDatabase {
  /// One that finds none says nothing of any.
  public func tellsOfDeadlock(_ error: any Error) -> Bool { false }

  public func register(_ view: ViewSettings) throws {
    preconditionFailure("the loader refuses views of a driver that has none")
  }

  /// Bytes of a frame in the WAL: a header of 24 and a page, https://sqlite.org/fileformat2.html#walformat
  public var frameBytes: Int { pageSize + 24 }
}

/// One connection. Its calls may come from any thread; they are served one after the other. It is closed when nobody
/// holds it any more.
public protocol DriverConnection: AnyObject, Sendable {
  var name: String { get }
  /// - Returns: nanoseconds that it has waited for the connection's turn; nil where the engine does not tell.
  @discardableResult
  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64?
  /// When it returns, what `body` changed is committed.
  /// - Returns: where its time went; nil where the engine does not tell.
  @discardableResult
  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes?
  /// The same by the engine's asynchronous interface; it returns when the engine has told of the end.
  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws
  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws
  /// Bookmarks the newest snapshot, or moves the bookmark to it.
  func advance() throws -> DriverAdvance
  /// Lets the bookmark go, if there is one.
  func endLongLivedRead() throws
  /// Gives its memory back, and returns when that is done.
  func flushMemory() throws
}

/// A transaction, inside its block.
public protocol DriverTransaction {
  /// Number of the commit that it sees; in a read-write transaction, of the one that it will make.
  var snapshot: UInt64 { get }
  func object(_ key: String, in collection: String) throws -> [UInt8]?
  func metadata(_ key: String, in collection: String) throws -> [UInt8]?
  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)?
  func exists(_ key: String, in collection: String) throws -> Bool
  /// What the file holds at this snapshot, past every cache.
  func storedObject(_ key: String, in collection: String) throws -> [UInt8]?
  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]?
  /// The very instance that `object` is answered from; nil where there is none, or objects are values.
  func document(_ key: String, in collection: String) throws -> Document?
  /// Objects of several keys, in the keys' order.
  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws
  /// Objects of all keys from the first of these to the last, which follow one another in the keys' order: that is why
  /// an engine may read them at one go.
  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws
  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws
  /// The same with metadata.
  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws
  /// Whether the view is there at this snapshot.
  func hasView(_ view: String) throws -> Bool
  /// Rows of one group of a view, in its order, from one place on; fewer where there are no more.
  func viewRange(
    _ view: String,
    group: String,
    from place: Int,
    count: Int,
    _ visit: (_ key: String, _ object: [UInt8]) -> Void
  ) throws
  func count(in collection: String) throws -> Int
  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws
  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws
  func replace(_ object: [UInt8], _ key: String, in collection: String) throws
  func touch(_ key: String, in collection: String) throws
  func remove(_ key: String, in collection: String) throws
  func removeAll(in collection: String) throws
}

extension DriverTransaction {
  /// A driver without views has none.
  public func hasView(_ view: String) throws -> Bool { false }
}

/// Where a bookmark is after a move.
public struct DriverAdvance: Sendable {
  public let snapshot: UInt64
  /// Numbers of the commits that the move was told of, in the order of the telling.
  public let jumped: [UInt64]
}

/// What an engine shows at one moment.
public struct DriverObservation: Sendable, Codable {
  public struct Connection: Sendable, Codable {
    public let name: String
    public let ageCommits: UInt64
    /// Since the first commit that its snapshot does not show.
    public let ageNanoseconds: UInt64
    public let pinnedNanoseconds: UInt64?
    public let framesHeldAlone: Int
    public let pendingCommits: UInt64
    public let pendingBytes: Int
    /// nil for a driver without caches.
    public let caches: Caches?
  }

  /// What a connection's caches did since it was opened.
  public struct Caches: Sendable, Codable {
    public struct Values: Sendable, Codable {
      public let hits: Int
      public let misses: Int
      public let decoded: Int
      public let copied: Int
      public let updatedByPolicy: Int
      public let dropped: Int
      public let readAgain: Int
    }

    public let objects: Values
    public let metadata: Values
  }

  public let commit: UInt64
  public let walBytes: Int
  public let walFrames: Int
  public let walBacklogFrames: Int
  public let walHeldFrames: Int
  public let walPinnedBy: String?
  public let connections: [Connection]
  /// Since the database was opened.
  public var writes: FileWrites
}

/// One checkpoint that an engine made.
public struct DriverCheckpoint: Sendable, Codable {
  public let number: Int
  public let mode: String
  public let cause: String
  /// Nanoseconds of the monotonic clock.
  public let startedAt: UInt64
  public let waitNanoseconds: UInt64
  public let durationNanoseconds: UInt64
  public let framesInWAL: Int
  public let framesCopied: Int
  public let framesLeft: Int
  /// What it has written to files; nil where nobody has counted.
  public let bytesWritten: Int?
  public let syncs: Int?
  public let outcome: String
  public let pinnedBy: String?
  /// For how long of its duration writers had to wait for it.
  public let laneNanoseconds: UInt64
  /// Commits that were made meanwhile.
  public let overlappingCommits: Int
  /// Writers that waited for it when it ended.
  public let stalledWriters: Int
}

/// Opens databases of one driver.
public enum Drivers {
  /// What the program does that holds an engine for another process.
  public static let hostArgument = "engine-process"

  /// The size of the WAL above which the engine checkpoints more eagerly, in bytes; nil for an engine without one.
  public static func walLimitBytes(_ engine: EngineSettings) -> Int? {
    engine.driver == .yap ? YapDriverDatabase.walLimitBytes(engine) : nil
  }

  /// - Parameters:
  ///   - dataset: what will be stored, whose codecs the driver has to know.
  ///   - views: to be registered at once.
  ///   - path: the database file to create.
  ///   - plantedBugs: names of defects to put into the engine; only in builds for tests.
  /// - Throws: what the engine throws when it cannot open.
  public static func open(
    _ engine: EngineSettings,
    dataset: [DatasetCollection] = [],
    views: [ViewSettings] = [],
    path: String,
    plantedBugs: [String] = []
  ) throws -> any DriverDatabase {
    switch engine.driver {
    case .null: NullDatabase()
    case .yap: try YapDriverDatabase(engine, dataset, views, path: path, plantedBugs: plantedBugs)
    case .sqlite: try SQLiteDriverDatabase(engine, dataset, path: path)
    case .grdb, .lmdb, .rocksdb: preconditionFailure("the loader refuses driver \(engine.driver)")
    }
  }
}

/// How this program was built, as far as a run's report must tell it.
public enum DriverBuild {
  /// Whether named points and planted bugs are compiled into the engine. What such a build measures is not the engine.
  public static var hasTestPoints: Bool { TestHooks.areBuiltIn }
  /// Such as "3.40.1".
  public static var sqliteVersion: String { SQLiteLibrary.version }
  public static var sqliteHasWALResetDefect: Bool { SQLiteLibrary.hasWALResetDefect }
  public static var sqliteCompileOptions: [String] { SQLiteLibrary.compileOptions }
}
