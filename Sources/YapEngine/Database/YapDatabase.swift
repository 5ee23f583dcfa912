public import Dispatch
internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// A collection/key/value store in one SQLite file, used through connections.
///
///     let database = try YapDatabase(path: "/var/lib/app/messages.sqlite")
///     let connection = try database.newConnection()
///     try connection.readWrite { transaction in
///       try transaction.setObject("hello", forKey: "greeting", inCollection: "texts")
///     }
///
/// Without further options it stores strings, numbers, dates, data, and arrays and dictionaries of them. Other types
/// need a `YapDatabaseCodec`.
///
/// Any thread may use a connection. A connection runs one transaction at a time, so concurrency requires several
/// connections. The read-write transactions of all connections run one after the other.
///
/// A deadlock between transactions, on any threads and of any databases, is detected immediately: a call that was made
/// inside a transaction then throws `deadlock`. The engine does not detect waits of a block for anything outside the
/// engine, such as a semaphore or a queue.
///
/// Lock order: connection lane → write lane → registry. Code that holds the registry's lock calls neither SQLite nor
/// user code, does not wait, and does not release a user's object for the last time.
public final class YapDatabase: Sendable {
  /// The absolute path of the database file without symbolic links, as it was resolved at open. A later change of the
  /// working folder or of a link has no effect.
  public let path: String
  public let options: YapDatabaseOptions
  /// The WAL that an earlier run left, and the time taken to read it at open; nil if no frame was left.
  public let recovery: YapDatabaseRecovery?
  /// The size of a page of the database file in bytes.
  public let pageSize: Int
  /// The queue on which notifications are posted, and on which completions without a queue of their own run.
  public var notificationQueue: DispatchQueue { delivery.queue }

  /// The names of the extensions that were stored in the file at open. They can be registered again. The first commit
  /// that changes or touches a row removes the data of those that are not registered.
  public let previouslyRegisteredExtensionNames: [String]

  /// The action that was taken for a damaged file at open; nil if no damage was found.
  public let replacedFile: YapDatabaseReplacedFile?

  let names: CollectionNames
  let objectCodecs: CodecTable
  let metadataCodecs: CodecTable
  let objectSanitizers: ByCollection<YapDatabaseSanitizer>
  let metadataSanitizers: ByCollection<YapDatabaseSanitizer>
  let hasSanitizers: Bool
  let registry: Guarded<CommitRegistry>
  let checkpointer: Checkpointer
  let writer: Writer
  let pool: WorkerPool
  let delivery: NotificationDelivery
  let handles: HandlePool
  let damageNotice: Damage
  let lockWaits: LockWaits
  let asyncFailures: AsyncFailures
  let undecodableValues = Guarded(YapDatabaseStatistics.UndecodableValues())
  let objectPolicies: PolicyChoice
  let metadataPolicies: PolicyChoice
  private let defaults: Guarded<YapDatabaseConnectionDefaults>
  let file: OwnedFile
  /// nil unless the database is only read.
  let readOnlyFile: ReadOnlyFile?
  let connections = ConnectionList()
  private let extensionRequests = Guarded<WeakConnection?>(nil)
  private let lastConnection = Atomic<UInt64>(0)
  private let resetting = Atomic<Bool>(false)
  let closing = ClosingState()
  let endOfCheckpoints: Lane

  /// Opens the database, and creates the file if it does not exist.
  ///
  /// A file that SQLite finds damaged is treated as `corruptAction` specifies; `replacedFile` reports the action.
  ///
  /// If another process has the file open, or if another database of this process is closing it, this waits until the
  /// file is closed, at most for `busyTimeoutNanoseconds`. `openWaitHandler` reports the wait.
  /// - Parameters:
  ///   - path: The path of a file in an existing folder; neither ":memory:" nor a URI.
  ///   - options: The options of the database, which are copied.
  /// - Throws: `YapDatabaseError`: `alreadyOpen` if this process, or another at the end of the wait, has the file open,
  ///   `incompatible` if another program or a later version wrote it or if it cannot be put into WAL mode, `foreignWAL`
  ///   if the WAL beside the file was written for another database, `invalidArgument` for a path that a database cannot
  ///   have or an option that is out of its range, `noThread` if no thread can be started, or the error of SQLite or
  ///   the file system.
  public init(path: String, options: YapDatabaseOptions = YapDatabaseOptions()) throws {
    try options.check()
    let (file, replacedFile) = try OpenedFile.open(path, options: options)
    let path = file.owned.path
    // An upper bound, because frames may be invalid. The first commit or checkpoint reports the number of valid ones.
    let frames = WALFile.frames(inBytes: file.owned.walBytes, pageSize: file.pageSize)
    let opening = Commit(snapshot: file.snapshot, origin: nil, previous: nil)
    opening.position = WALPosition(generation: 0, frame: frames)
    self.path = path
    self.options = options
    self.replacedFile = replacedFile
    previouslyRegisteredExtensionNames = file.extensions
    self.file = file.owned
    readOnlyFile = file.readOnlyFile
    pageSize = file.pageSize
    recovery = file.recovery
    damageNotice = file.damage
    lockWaits = file.lockWaits
    asyncFailures = AsyncFailures(options)
    pool = WorkerPool(name: "yap-async", limit: options.asyncThreadLimit)
    defaults = Guarded(YapDatabaseConnectionDefaults())
    names = CollectionNames(file.collections)
    objectCodecs = CodecTable(options.objectCodecs, otherwise: options.defaultObjectCodec, noun: "object")
    metadataCodecs = CodecTable(options.metadataCodecs, otherwise: options.defaultMetadataCodec, noun: "metadata")
    objectPolicies = PolicyChoice(options.objectPolicies, otherwise: options.defaultObjectPolicy)
    metadataPolicies = PolicyChoice(options.metadataPolicies, otherwise: options.defaultMetadataPolicy)
    objectSanitizers = ByCollection(options.objectSanitizers, otherwise: options.defaultObjectSanitizer)
    metadataSanitizers = ByCollection(options.metadataSanitizers, otherwise: options.defaultMetadataSanitizer)
    hasSanitizers = ![objectSanitizers, metadataSanitizers].allSatisfy { $0.allSatisfy(\.isEmpty) }
    registry = Guarded(CommitRegistry(opening: opening))
    delivery = NotificationDelivery(queue: options.notificationQueue, from: opening, hooks: options.testHooks)
    endOfCheckpoints = Lane(name: "the end of \(path)", pool: pool)
    handles = HandlePool(limit: options.handlePoolLimit, lifetimeNanoseconds: options.handlePoolNanoseconds)
    writer = Writer(
      handle: file.handle,
      lane: Lane(name: "the write lane of \(path)", pool: pool),
      names: names,
      file: file.owned,
      hasExtensions: !file.extensions.isEmpty,
      options: options
    )
    checkpointer = try Checkpointer(file: file, framesAtOpen: frames, options: options)
    try checkpointer.start(for: self)
    // Each read takes a new snapshot then, because other processes may commit unnoticed.
    if options.isReadOnly { isResettingWAL = true }
  }

  deinit {
    // Connections retain the database, so none is left, and no transaction runs.
    file.beginClosing()
    closing.begin(discardingQueued: true)
    checkpointer.stop()
    handles.close()
    // There is no caller to receive an error. SQLite closes a handle that cannot be closed now with its last statement.
    try? writer.close(deadline: MonotonicClock.now)
    try? checkpointer.closeHandles()
    finishClosing()
  }

  /// The number of the newest commit.
  public var snapshot: UInt64 { registry.withLock { $0.newest.snapshot } }

  /// Whether the WAL is being reset. During a reset each read without a bookmark takes a new snapshot and does not keep
  /// it.
  var isResettingWAL: Bool {
    get { resetting.load(ordering: .relaxed) }
    set { resetting.store(newValue, ordering: .relaxed) }
  }

  /// The defaults of new connections. A change affects only connections that are made later.
  public var connectionDefaults: YapDatabaseConnectionDefaults {
    get { defaults.withLock { $0 } }
    set { defaults.withLock { $0 = newValue } }
  }

  /// Receives the failures of asynchronous calls that have no completion to receive them. If nil, which is the default
  /// unless the options set a handler, lines are written to standard error: for the first failure of each kind, and
  /// then for at most one of the kind per second.
  ///
  /// The handler is called on the notification queue. The database retains it, so a handler that uses the database must
  /// capture it weakly. `statistics` count these failures with and without a handler.
  public var asyncFailureHandler: (@Sendable (YapDatabaseAsyncFailure) -> Void)? {
    get { asyncFailures.handler }
    set { asyncFailures.handler = newValue }
  }

  /// The database file, and the two files that SQLite keeps beside it while it is open.
  public var files: YapDatabaseFiles { YapDatabaseFiles(path: path) }

  /// The first error since open that showed damage of the file or of the disk below it; nil if there was none. After
  /// it, read-write transactions throw an error with the same code, whose message contains this error's message.
  public var damage: YapDatabaseError? { damageNotice.error }

  /// The version of the SQLite library in use, such as "3.40.1".
  public static var sqliteVersion: String { SQLiteLibrary.version }

  /// Whether the SQLite library in use can lose commits to a concurrent checkpoint. The engine's checkpoints are safe
  /// with every version.
  public static var hasWALResetDefect: Bool { SQLiteLibrary.hasWALResetDefect }

  /// Creates a connection with the database's defaults. Connections are expensive to create, so keep and reuse them.
  /// - Parameter name: The name in statistics and errors; nil for "connection 1" and so on.
  /// - Throws: `closed`; `invalidArgument` if `connectionDefaults` have a limit out of its range; `fileMoved` if the
  ///   file was moved, deleted or replaced since it was opened, and no handle of an ended connection is pooled;
  ///   SQLite's error.
  public func newConnection(name: String? = nil) throws -> YapDatabaseConnection {
    try newConnection(connectionDefaults, name: name)
  }

  /// Creates a connection with settings of its own instead of the database's `connectionDefaults`.
  /// - Throws: As `newConnection(name:)` does.
  public func newConnection(
    _ settings: YapDatabaseConnectionDefaults,
    name: String? = nil
  ) throws -> YapDatabaseConnection {
    try settings.check()
    let id = ConnectionID(number: lastConnection.add(1, ordering: .relaxed).newValue)
    let name = name ?? "connection \(id.number)"
    // A close that begins from now on waits for this call.
    connections.begin(id)
    let connection: YapDatabaseConnection
    do { connection = try openConnection(id, name: name, settings: settings) } catch {
      connections.end(id)
      throw error
    }
    connections.add(connection)
    options.testHooks.reach(.connectionListed, name)
    try checkIsOpen()
    return connection
  }

  private func openConnection(
    _ id: ConnectionID,
    name: String,
    settings: YapDatabaseConnectionDefaults
  ) throws -> YapDatabaseConnection {
    try checkIsOpen()
    let handle = try handles.take() ?? newHandle()
    options.testHooks.reach(.connectionOpened, name)
    // The new connection has to follow every commit after this one.
    let newest = registry.withLock { $0.newest }
    options.testHooks.reach(.connectionPlaced, name)
    let own = options.isReadOnly ? try stateForReadingOnly(handle) : nil
    let connection = YapDatabaseConnection(
      database: self,
      id: id,
      name: name,
      handle: handle,
      commit: own?.commit ?? newest,
      settings: settings
    )
    if let own { connection.caches.names = own.names }
    return connection
  }

  /// The connection on which requests for extensions wait for their turn; nil if none is pending.
  var connectionOfExtensionRequests: YapDatabaseConnection? { extensionRequests.withLock { $0 }?.connection }

  /// Returns the connection for a request for extensions. While requests are pending, all use the same connection, so
  /// they run in the order of the calls.
  func takeConnectionForExtensionRequest() throws -> YapDatabaseConnection {
    try checkIsOpen()
    if let pending = connectionOfExtensionRequests { return pending }
    let connection = try newConnection(name: "extensions")
    connection.permittedTransactions = .any  // the defaults are for the client's connections
    let pending = extensionRequests.withLock { requests in
      let pending = requests?.connection
      if pending == nil { requests = WeakConnection(connection) }
      return pending
    }
    return pending ?? connection
  }

  private func newHandle() throws -> EngineHandle {
    if let readOnlyFile {
      let handle = try ReadOnlyFile.awaitingIndex(options) {
        try EngineHandle(reading: readOnlyFile, options: options, damage: damageNotice, lockWaits: lockWaits)
      }
      try file.checkIsAtPath()
      return handle
    }
    return try EngineHandle(file: file, options: options, damage: damageNotice, lockWaits: lockWaits)
  }

  func scheduleNotifications() {
    delivery.schedule(for: self)
  }

  func unpin(_ id: ConnectionID) {
    if registry.withLock({ $0.unpin(id) }) { checkpointer.signals.oldestPinMoved() }
  }
}
