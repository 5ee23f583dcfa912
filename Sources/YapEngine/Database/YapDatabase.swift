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
/// Without further options it stores strings, numbers, dates, data, and arrays and dictionaries of them; types of your
/// own need a `YapDatabaseCodec`.
///
/// Connections may be used from any thread, each by one transaction at a time; concurrency comes from having several.
/// All read-write transactions of all connections run one after the other.
///
/// Transactions that would wait for each other without end, on whatever threads and of whatever databases, are found
/// at once: a call that was made inside a transaction then throws `deadlock`. What a block waits for outside of the
/// engine, such as a semaphore or a queue, cannot be seen.
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
  public var notificationQueue: DispatchQueue { delivery.queue }

  /// The names of the extensions that earlier runs have stored in the file. Each is there to be registered again; what
  /// is not is removed by the first commit that changes a row.
  public let previouslyRegisteredExtensionNames: [String]

  /// What was done about a damaged file at open; nil if there was nothing to do.
  public let replacedFile: YapDatabaseReplacedFile?

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
  let delivery: NotificationDelivery
  let handles: HandlePool
  let damageNotice: Damage
  let lockWaits: LockWaits
  let asyncFailures: AsyncFailures
  let undecodableValues = UndecodableValueCounters()
  let objectPolicies: PolicyChoice
  let metadataPolicies: PolicyChoice
  private let defaults: Guarded<YapDatabaseConnectionDefaults>
  private let claim: OpenFiles.Claim
  private let ownerLock: OwnerLock
  private let connections = Guarded<[ConnectionID: WeakConnection]>([:])
  private let lastConnection = Atomic<UInt64>(0)
  private let resetting = Atomic<Bool>(false)
  private let closing = ClosingState()
  private let endOfCheckpoints: Lane

  /// Opens the database, and creates it if there is none.
  ///
  /// A file that SQLite finds damaged is treated as `corruptAction` says; `replacedFile` tells what was done.
  /// - Parameters:
  ///   - path: a file in a folder that exists. It is a plain path: neither ":memory:" nor a URI.
  ///   - options: how to open it.
  /// - Throws: `YapDatabaseError`: `alreadyOpen` if this process or another has the file open, `incompatible` if
  ///   another program or a later version wrote it, `foreignWAL` if the WAL beside the file was written for another
  ///   database, `invalidArgument` for a path that cannot be a database's or an option that is out of its range, or
  ///   what SQLite said.
  public init(path: String, options: YapDatabaseOptions = YapDatabaseOptions()) throws {
    try options.check()
    try DatabasePath.check(path)
    guard !OpenFiles.isClaimed(path) else {
      throw YapDatabaseError(.alreadyOpen, "\(path) is open in this process: use that database, or close it first")
    }
    let ownerLock = try OwnerLock(databasePath: path)
    let (file, replacedFile) = try OpenedFile.open(path, options: options)
    claim = try OpenFiles.claim(path)
    // An upper bound: how many of the frames are valid is only known to SQLite, and to us after a checkpoint.
    let frames = WALFile.frames(inBytes: WALFile.size(databasePath: path), pageSize: file.pageSize)
    let opening = Commit(
      snapshot: file.snapshot,
      changes: ChangeSet(),
      origin: nil,
      committedAt: MonotonicClock.now,
      previous: nil
    )
    opening.position = WALPosition(generation: 0, frame: frames)
    self.path = path
    self.options = options
    self.replacedFile = replacedFile
    previouslyRegisteredExtensionNames = file.extensions
    self.ownerLock = ownerLock
    pageSize = file.pageSize
    recovery = file.recovery
    damageNotice = file.damage
    lockWaits = file.lockWaits
    asyncFailures = AsyncFailures(options)
    defaults = Guarded(YapDatabaseConnectionDefaults())
    names = CollectionNames(file.collections)
    objectCodecs = CodecTable(options.objectCodecs, otherwise: options.defaultObjectCodec, noun: "object")
    metadataCodecs = CodecTable(options.metadataCodecs, otherwise: options.defaultMetadataCodec, noun: "metadata")
    objectPolicies = PolicyChoice(options.objectPolicies, otherwise: options.defaultObjectPolicy)
    metadataPolicies = PolicyChoice(options.metadataPolicies, otherwise: options.defaultMetadataPolicy)
    objectSanitizers = ByCollection(options.objectSanitizers, otherwise: options.defaultObjectSanitizer)
    metadataSanitizers = ByCollection(options.metadataSanitizers, otherwise: options.defaultMetadataSanitizer)
    registry = Guarded(CommitRegistry(opening: opening))
    delivery = NotificationDelivery(queue: options.notificationQueue, from: opening, options.testHooks)
    checkpointer = Checkpointer(framesAtOpen: frames, snapshot: file.snapshot, pageSize: file.pageSize, options)
    endOfCheckpoints = Lane(name: "the end of \(path)", pool: pool)
    handles = HandlePool(limit: options.handlePoolLimit, lifetimeNanoseconds: options.handlePoolNanoseconds)
    let writeLane = Lane(name: "the write lane of \(path)", pool: pool)
    writer = Writer(
      handle: file.handle,
      lane: writeLane,
      names: names,
      path: path,
      hasExtensions: !file.extensions.isEmpty,
      options: options
    )
    guardReader = try GuardReader(path: path, options: options, file)
    try checkpointer.start(for: self)
  }

  deinit {
    // Connections hold the database, so none is left, and no transaction runs.
    closing.begin(discardingQueued: true)
    checkpointer.stop()
    handles.close()
    // Nobody is there to be told; what cannot be closed in order is closed when the process ends.
    try? writer.close(deadline: MonotonicClock.now)
    try? guardReader.close()
    letGo()
  }

  /// The last step of closing, once: from here on another database may have the file.
  private func letGo() {
    claim.release()
    guard ownerLock.release() else { return }
    delivery.tellClosed(files)
  }

  /// The number of the newest commit.
  public var snapshot: UInt64 { registry.withLock { $0.newest.snapshot } }

  /// Whether the WAL is being reset, for which every reader has to take its snapshot anew.
  var isResettingWAL: Bool {
    get { resetting.load(ordering: .relaxed) }
    set { resetting.store(newValue, ordering: .relaxed) }
  }

  /// What new connections start with. Changing it changes later connections only.
  public var connectionDefaults: YapDatabaseConnectionDefaults {
    get { defaults.withLock { $0 } }
    set { defaults.withLock { $0 = newValue } }
  }

  /// Receives the failures of asynchronous calls that have no completion to receive them; nil, unless the options set
  /// one, to write a line to standard error for the first failure of a kind and then at most one a second.
  ///
  /// It is called on the notification queue. The database keeps the handler: one that uses the database captures it
  /// weakly. `statistics` count these failures either way.
  public var asyncFailureHandler: (@Sendable (YapDatabaseAsyncFailure) -> Void)? {
    get { asyncFailures.handler }
    set { asyncFailures.handler = newValue }
  }

  /// The database file and the two that SQLite keeps beside it while it is open.
  public var files: YapDatabaseFiles { YapDatabaseFiles(path: path) }

  /// Damage of the file, or of the disk below it, that was met since the database was opened; nil if none was. From
  /// then on read-write transactions throw it.
  public var damage: YapDatabaseError? { damageNotice.error }

  /// The version of the SQLite library in use, such as "3.40.1".
  public static var sqliteVersion: String { SQLiteLibrary.version }

  /// Whether that version can lose commits to a checkpoint beside them. The engine guards its checkpoints either way.
  public static var hasWALResetDefect: Bool { SQLiteLibrary.hasWALResetDefect }

  /// A new connection, with the database's defaults. It is a valuable object: keep it.
  /// - Parameter name: what statistics and errors call it; nil for "connection 1" and so on.
  /// - Throws: `closed`; `invalidArgument` if `connectionDefaults` have a limit that is out of its range; what SQLite
  ///   said.
  public func newConnection(name: String? = nil) throws -> YapDatabaseConnection {
    try checkIsOpen()
    try connectionDefaults.check()
    let id = ConnectionID(number: lastConnection.add(1, ordering: .relaxed).newValue)
    let name = name ?? "connection \(id.number)"
    let handle =
      try handles.take()
      ?? EngineHandle(path: path, options: options, isFirst: false, damage: damageNotice, lockWaits: lockWaits)
    options.testHooks.reach(.connectionOpened, name)
    // What a commit changes after this moment is what the new connection has to follow.
    let place = registry.withLock { $0.newest }
    options.testHooks.reach(.connectionPlaced, name)
    let connection = YapDatabaseConnection(database: self, id: id, name: name, handle: handle, place: place)
    connections.withLock { $0[id] = WeakConnection(connection) }
    options.testHooks.reach(.connectionListed, name)
    if options.testHooks.has(.newConnectionMissesACommit), let next = place.next { connection.reach(next) }
    // A close that has begun meanwhile may not have seen it. Nobody else knows it yet, so its lane is free.
    if refusesNewCalls { _ = try connection.close(deadline: MonotonicClock.now) }
    try checkIsOpen()
    return connection
  }

  /// Closes the database: refuses new calls at once, waits for those that were made before, ends long-lived reads,
  /// and closes the file.
  ///
  /// Calls that were made before are transactions that run and everything that waits for its turn on a connection, such
  /// as the blocks of `asyncReadWrite`: all of it is done, and committed. Every later call throws `closed`, also one
  /// that is made inside a block that still runs.
  ///
  /// If calls are left at the timeout this throws, and nothing is lost: the calls go on, new ones are still refused,
  /// and `close` can be called again, from any thread. A database that is closed already can be closed again. Without
  /// `close` the database closes when its last connection is gone. Either way `Notification.Name.YapDatabaseClosed`
  /// is posted when all is done.
  /// - Parameters:
  ///   - discardingQueued: whether to wait for running transactions only. Calls that wait for their turn then end with
  ///     `closed`, also those that an earlier `close` let go on.
  ///   - timeout: how long to wait.
  /// - Throws: `timeout`, with the names of the connections that are busy and the number of pending calls of each;
  ///   `nestedTransaction` inside a transaction of this database.
  public func close(discardingQueued: Bool = false, timeout: Duration = .seconds(5)) throws {
    for connection in liveConnections() { try connection.refuseNesting("close") }
    closing.begin(discardingQueued: discardingQueued)
    options.testHooks.reach(.closeBegun, path)
    let nanoseconds = timeout.waitNanoseconds
    let deadline = MonotonicClock.now + nanoseconds
    try closeConnections(deadline: deadline, timeout: timeout)
    options.testHooks.reach(.closeConnectionsEnded, path)
    handles.close()
    // Only now: as long as calls are pending, the WAL needs checkpoints.
    checkpointer.askToStop()
    try writer.close(deadline: deadline)
    options.testHooks.reach(.closeWriterEnded, path)
    // Not before: it may have been waiting for the write lane, behind a transaction that our caller waits for.
    // One caller after the other: the second must not close handles that the thread still uses.
    try endOfCheckpoints.withLane {
      checkpointer.stop()
      try guardReader.close()
    }
    letGo()
  }

  /// Waits for each connection in turn until its pending calls have ended, and closes it.
  private func closeConnections(deadline: UInt64, timeout: Duration) throws {
    var busy: [String] = []
    for connection in liveConnections() {
      let pending = try connection.close(deadline: deadline)
      if pending > 0 {
        busy.append("\"\(connection.name)\" (\(pending) pending \(pending == 1 ? "call" : "calls"))")
      }
    }
    guard !busy.isEmpty else { return }
    throw YapDatabaseError(
      .timeout,
      "\(path) cannot be closed after \(timeout), because connections are busy: \(busy.joined(separator: ", ")). Their "
        + "calls go on: close again to wait for them, or with discardingQueued to end those that have not begun."
    )
  }

  /// For a new call.
  /// - Throws: `closed`.
  func checkIsOpen() throws {
    if refusesNewCalls { throw closedError }
  }

  /// Whether the database is closed, or closes.
  var refusesNewCalls: Bool { closing.refusesNewCalls }

  /// Whether calls that were accepted, and do not run yet, are refused.
  var discardsQueuedCalls: Bool {
    if options.testHooks.has(.discardsQueuedCallsAtClose) { return refusesNewCalls }
    return closing.discardsQueuedCalls
  }

  var closedError: YapDatabaseError {
    YapDatabaseError(.closed, "\(path) has been closed: open it again with a new YapDatabase")
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
}

private struct WeakConnection: Sendable {
  weak let connection: YapDatabaseConnection?

  init(_ connection: YapDatabaseConnection) {
    self.connection = connection
  }
}
