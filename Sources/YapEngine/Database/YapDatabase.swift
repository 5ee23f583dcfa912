public import Dispatch
internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// A collection/key/value store in one SQLite file, used through connections.
///
///     let database = try YapDatabase(path: "/var/lib/app/messages.sqlite")
///     let connection = try database.newConnection()
///     try connection.readWrite { transaction in
///       try transaction.setObject([UInt8]("hello".utf8), forKey: "greeting", inCollection: "texts")
///     }
///
/// Connections may be used from any thread, each by one transaction at a time; concurrency comes from having several.
/// All read-write transactions of all connections run one after the other.
///
/// Lock order: connection lane → write lane → registry. In the registry: no SQLite call, no user code, no last release
/// of a user's object, no waiting.
public final class YapDatabase: Sendable {
  public let path: String
  public let options: YapDatabaseOptions
  /// The WAL that an earlier run left, and what it cost to read it at open; nil if there was none.
  public let recovery: YapDatabaseRecovery?
  /// Bytes of a page of the database file.
  public let pageSize: Int
  /// Where notifications are posted and completions run.
  public let notificationQueue: DispatchQueue

  let names: CollectionNames
  let objectCodecs: CodecTable
  let metadataCodecs: CodecTable
  let objectSanitizers: ByCollection<YapDatabaseSanitizer>
  let metadataSanitizers: ByCollection<YapDatabaseSanitizer>
  let registry: Guarded<CommitRegistry>
  let checkpointer: Checkpointer
  let writer: Writer
  let guardReader: GuardReader
  let pool = WorkerPool(name: "yap-async")
  private let delivery: NotificationDelivery
  private let claim: OpenFiles.Claim
  private let connections = Guarded<[ConnectionID: WeakConnection]>([:])
  private let lastConnection = Atomic<UInt64>(0)
  private let closing = StopFlag()
  private let endOfCheckpoints: Lane

  /// Opens the database, and creates it if there is none.
  ///
  /// - Throws: `YapDatabaseError`: `alreadyOpen` if this process has the file open, `incompatible` if another program
  ///   or a later version wrote it, `invalidArgument` for an option that makes no sense, or what SQLite said.
  public init(path: String, options: YapDatabaseOptions = YapDatabaseOptions()) throws {
    try Self.check(options)
    guard !OpenFiles.isClaimed(path) else {
      throw YapDatabaseError(.alreadyOpen, "\(path) is open in this process: use that database, or close it first")
    }
    let bytesFound = WALFile.size(databasePath: path)
    let began = MonotonicClock.now
    let handle = try EngineHandle(path: path, options: options, isFirst: true)
    let claim = try OpenFiles.claim(path)
    do {
      let opening = Commit(
        snapshot: try handle.storedSnapshot(),
        changes: ChangeSet(),
        origin: nil,
        committedAt: MonotonicClock.now,
        previous: nil
      )
      let readAt = MonotonicClock.now
      let pageSize = Int(try handle.sqlite.integer("PRAGMA page_size") ?? 4096)
      // An upper bound: how many of the frames are valid is only known to SQLite, and to us after a checkpoint.
      let frames = WALFile.frames(inBytes: WALFile.size(databasePath: path), pageSize: pageSize)
      let queue = options.notificationQueue ?? DispatchQueue(label: "yap.notifications")
      opening.position = WALPosition(generation: 0, frame: frames)
      self.path = path
      self.options = options
      self.pageSize = pageSize
      self.claim = claim
      recovery = YapDatabaseRecovery(walBytes: bytesFound, pageSize: pageSize, nanoseconds: readAt - began)
      notificationQueue = queue
      names = CollectionNames(try Self.storedNames(handle))
      objectCodecs = CodecTable(options.objectCodecs, otherwise: options.defaultObjectCodec, noun: "object")
      metadataCodecs = CodecTable(options.metadataCodecs, otherwise: options.defaultMetadataCodec, noun: "metadata")
      objectSanitizers = ByCollection(options.objectSanitizers, otherwise: options.defaultObjectSanitizer)
      metadataSanitizers = ByCollection(options.metadataSanitizers, otherwise: options.defaultMetadataSanitizer)
      registry = Guarded(CommitRegistry(opening: opening))
      delivery = NotificationDelivery(queue: queue, from: opening)
      checkpointer = Checkpointer(framesAtOpen: frames, snapshot: opening.snapshot, pageSize: pageSize, options)
      endOfCheckpoints = Lane(pool: pool)
      writer = Writer(handle: handle, lane: Lane(pool: pool), names: names, path: path, options: options)
      guardReader = try GuardReader(path: path, options: options, openedAt: opening.snapshot)
    } catch {
      claim.release()
      throw error
    }
    try checkpointer.start(for: self)
  }

  deinit {
    // Connections hold the database, so none is left, and no transaction runs.
    checkpointer.stop()
    claim.release()
  }

  /// The number of the newest commit.
  public var snapshot: UInt64 { registry.withLock { $0.newest.snapshot } }

  /// The version of the SQLite library in use, such as "3.40.1".
  public static var sqliteVersion: String { SQLiteLibrary.version }

  /// Whether that version can lose commits to a checkpoint beside them. The engine guards its checkpoints either way.
  public static var hasWALResetDefect: Bool { SQLiteLibrary.hasWALResetDefect }

  /// A new connection, with the database's defaults. It is a valuable object: keep it.
  /// - Parameter name: what statistics and errors call it; nil for "connection 1" and so on.
  public func newConnection(name: String? = nil) throws -> YapDatabaseConnection {
    try checkIsOpen()
    let id = ConnectionID(number: lastConnection.add(1, ordering: .relaxed).newValue)
    let handle = try EngineHandle(path: path, options: options, isFirst: false)
    // What a commit changes after this moment is what the new connection has to follow.
    let place = registry.withLock { $0.newest }
    let connection = YapDatabaseConnection(
      database: self,
      id: id,
      name: name ?? "connection \(id.number)",
      handle: handle,
      place: place
    )
    connections.withLock { $0[id] = WeakConnection(connection) }
    // A close that has begun meanwhile may not have seen it. Nobody else knows it yet, so its lane is free.
    if closing.isRaised { try connection.close(deadline: MonotonicClock.now) }
    try checkIsOpen()
    return connection
  }

  /// Closes the database: refuses new transactions, waits for those that run, ends long-lived reads, closes handles.
  ///
  /// Closing twice is fine. Without it the database closes when its last connection is gone.
  /// - Parameter timeout: how long to wait for running transactions.
  /// - Throws: `timeout`, naming the connection that is still busy; the call can be repeated.
  public func close(timeout: Duration = .seconds(5)) throws {
    for connection in liveConnections() { try connection.refuseNesting("close") }
    closing.raise()
    checkpointer.askToStop()
    // A century is for ever, and leaves room in 64 bits.
    let nanoseconds = UInt64(min(max(timeout / .nanoseconds(1), 0), 3e18))
    let deadline = MonotonicClock.now + nanoseconds
    for connection in liveConnections() { try connection.close(deadline: deadline) }
    try writer.close(deadline: deadline)
    // Not before: it may have been waiting for the write lane, behind a transaction that our caller waits for.
    // One caller after the other: the second must not close handles that the thread still uses.
    try endOfCheckpoints.withLane {
      checkpointer.stop()
      try guardReader.close()
    }
    claim.release()
  }

  func checkIsOpen() throws {
    if closing.isRaised {
      throw YapDatabaseError(.closed, "\(path) has been closed: open it again with a new YapDatabase")
    }
  }

  func scheduleNotifications() {
    delivery.schedule(for: self)
  }

  /// A connection is gone. It may call from its deinit, on any thread.
  func forget(_ id: ConnectionID) {
    _ = connections.withLock { $0.removeValue(forKey: id) }
    unpin(id)
  }

  func unpin(_ id: ConnectionID) {
    if registry.withLock({ $0.unpin(id) }) { checkpointer.oldestPinMoved() }
  }

  /// Never called with the lock held that the connections stand under: a strong reference taken there could be the
  /// last one when it is let go, and the connection's end takes that lock.
  func liveConnections() -> [YapDatabaseConnection] {
    let references = connections.withLock { Array($0.values) }
    return references.compactMap(\.connection).sorted { $0.id < $1.id }
  }

  private static func check(_ options: YapDatabaseOptions) throws {
    if let size = options.pageSize, !(512...65_536).contains(size) || size & (size - 1) != 0 {
      throw YapDatabaseError(.invalidArgument, "pageSize \(size) is not a power of two from 512 to 65536")
    }
    if options.aggressiveCheckpointAt < 0 {
      throw YapDatabaseError(
        .invalidArgument,
        "aggressiveCheckpointAt \(options.aggressiveCheckpointAt) is negative; Int.max turns it off"
      )
    }
    if options.mmapSize < 0 {
      throw YapDatabaseError(.invalidArgument, "mmapSize \(options.mmapSize) is negative; 0 turns it off")
    }
    if let limit = options.waitingValuesLimit, limit < 0 {
      throw YapDatabaseError(.invalidArgument, "waitingValuesLimit \(limit) is negative; nil is for no limit")
    }
  }

  private static func storedNames(_ handle: EngineHandle) throws -> [(number: Int64, name: String)] {
    let statement = try handle.sqlite.prepare("SELECT number, name FROM collections")
    var names: [(number: Int64, name: String)] = []
    while try statement.step() { names.append((statement.integer(at: 0), statement.text(at: 1))) }
    return names
  }
}

private struct WeakConnection: Sendable {
  weak let connection: YapDatabaseConnection?

  init(_ connection: YapDatabaseConnection) {
    self.connection = connection
  }
}
