internal import Synchronization
internal import ThreadingPrimitives

/// A serial lane to the database, with a handle, statements and caches of its own.
///
/// Any thread may use it; transactions of one connection run one after the other, in the order in which they were
/// asked for. A transaction inside a transaction of the same connection is refused. Keep connections: they get faster
/// with use.
// Everything mutable is reached only with `lane` held, but for what is atomic; the lane orders the accesses.
public final class YapDatabaseConnection: @unchecked Sendable {
  /// The number of commits that may wait one by one behind a connection without a bookmark: 11 MB.
  static let unseenCommitLimit = 100_000

  public let database: YapDatabase
  /// What statistics and errors call it.
  public let name: String

  let id: ConnectionID
  let lane: Lane
  let counters: CacheCounters
  let handle: EngineHandle

  /// The last commit that the caches reflect. Set through `reach` and `goOn` only.
  private(set) var place: Commit
  /// The last commit that the client was shown, by a transaction or by the beginning or end of a long-lived read. What
  /// came after it is returned by the next beginning. Set through `show` and `goOn` only.
  ///
  /// Unlike `place` the sweep of idle connections does not move it. It holds change sets in memory, and nothing else.
  private(set) var seen: Commit
  let caches: RowCaches
  /// The extensions at `place`; nil where none was ever registered.
  var adopted: AdoptedExtensions?
  /// Set with the lane held; anybody may ask.
  var isLongLived: Bool {
    get { bookmarkHeld.load(ordering: .acquiring) }
    set { bookmarkHeld.store(newValue, ordering: .releasing) }
  }
  /// Whether SQLite's snapshot of `place` stays pinned from one read to the next. Set with the lane held.
  var isSnapshotKept: Bool {
    get { snapshotKept.load(ordering: .acquiring) }
    set { snapshotKept.store(newValue, ordering: .releasing) }
  }
  /// Refuses a read-write transaction that would end the long-lived read.
  var isStrict: Bool
  /// Kept for the next transaction, unless the last one's block has let it escape.
  var spareRead: YapDatabaseReadTransaction?
  var spareReadWrite: YapDatabaseReadWriteTransaction?
  /// What is noted of the transaction at hand; nil unless somebody wants to know its times.
  var timing: TransactionTiming?
  private(set) var isClosed = false
  #if TestPoints
    var lastAnswer: Any?
    var answerCount = 0
    /// The commit that a planted bug tells a second time.
    var toldAgain: Commit?
  #endif

  /// As they were set last; the lane holds what is in force.
  private let settings: Guarded<YapDatabaseConnectionDefaults>
  private let permitted: Atomic<UInt8>
  private let bookmarkHeld = Atomic<Bool>(false)
  private let snapshotKept = Atomic<Bool>(false)
  private let reachedSnapshot: Atomic<UInt64>
  private let reachedValueBytes: Atomic<Int>
  private let seenSnapshot: Atomic<UInt64>
  private let seenChangeBytes: Atomic<Int>
  /// Whether the sweep found the lane held while commits were to be folded.
  let foldingMissed = Atomic<Bool>(false)

  init(database: YapDatabase, id: ConnectionID, name: String, handle: EngineHandle, place: Commit) {
    self.database = database
    self.id = id
    self.name = name
    self.handle = handle
    self.place = place
    lane = Lane(name: "connection \"\(name)\"", pool: database.pool)
    counters = CacheCounters()
    reachedSnapshot = Atomic(place.snapshot)
    reachedValueBytes = Atomic(place.cumulativeValueBytes)
    seen = place
    seenSnapshot = Atomic(place.snapshot)
    seenChangeBytes = Atomic(place.cumulativeChangeBytes)
    let settings = database.connectionDefaults
    self.settings = Guarded(settings)
    permitted = Atomic(settings.permittedTransactions.rawValue)
    isStrict = settings.refusesToEndLongLivedReadImplicitly
    caches = RowCaches(settings, database, counters)
  }

  deinit {
    // Whoever used the lane held the connection, so it is free. Taken, it puts its last user before the handle's next
    // one by more than reference counts, which the thread sanitizer does not see.
    let isHeld = lane.tryAcquire()
    precondition(isHeld, "connection \"\(name)\" ended while its lane was held")
    defer { lane.release() }
    // SQLite's snapshot first, then the news of it: a checkpoint that comes at once finds the way free.
    if !isClosed { handle.rollbackIfNeeded() }
    database.options.testHooks.reach(.connectionEnding, name)
    database.forget(id)
    database.options.testHooks.reach(.connectionForgotten, name)
    // Closed, or with the pool, before the database goes with its last connection.
    if !isClosed { database.handles.give(handle) }
  }

  /// Calls of this connection that run or wait: transactions, and settings that take effect in
  /// their turn. Waits for nothing.
  public var pendingTransactionCount: Int { lane.occupancy }

  /// The number of the last commit that the connection reflects. May be asked inside and outside of transactions.
  public var snapshot: UInt64 { reachedSnapshot.load(ordering: .acquiring) }

  /// Where statistics find the connection in the list of commits, without its lane: the values that it has yet to
  /// follow are after one commit, the change sets that it has yet to return after another.
  var reached: (snapshot: UInt64, valueBytes: Int, seen: UInt64, seenChangeBytes: Int) {
    (
      snapshot, reachedValueBytes.load(ordering: .relaxed), seenSnapshot.load(ordering: .relaxed),
      seenChangeBytes.load(ordering: .relaxed)
    )
  }

  // MARK: Settings. Readable at once; what is set takes effect in its turn among the transactions.

  /// Objects that are cached at most; 0 for no limit. Lowering it drops the oldest at once.
  public var objectCacheLimit: Int {
    get { settings.withLock { $0.objectCacheLimit } }
    set { change { $0.objectCacheLimit = max(newValue, 0) } }
  }

  /// Whether objects are cached. Turning it off drops them.
  public var objectCacheEnabled: Bool {
    get { settings.withLock { $0.objectCacheEnabled } }
    set { change { $0.objectCacheEnabled = newValue } }
  }

  /// Metadata that is cached at most; 0 for no limit.
  public var metadataCacheLimit: Int {
    get { settings.withLock { $0.metadataCacheLimit } }
    set { change { $0.metadataCacheLimit = max(newValue, 0) } }
  }

  /// Whether metadata is cached. Turning it off drops it.
  public var metadataCacheEnabled: Bool {
    get { settings.withLock { $0.metadataCacheEnabled } }
    set { change { $0.metadataCacheEnabled = newValue } }
  }

  /// What becomes of cached objects that other connections change, and of other connections' cached objects that this
  /// one changes: where both have a policy, the stricter acts.
  ///
  /// nil, the initial value, for that of the collection, or the database's default:
  /// `effectiveObjectPolicy(inCollection:)` returns the one that applies. A change leaves cached values as they are.
  public var objectPolicy: YapDatabasePolicy? {
    get { settings.withLock { $0.objectPolicy } }
    set { change { $0.objectPolicy = newValue } }
  }

  /// The same for metadata.
  public var metadataPolicy: YapDatabasePolicy? {
    get { settings.withLock { $0.metadataPolicy } }
    set { change { $0.metadataPolicy = newValue } }
  }

  /// Whether a read-write transaction on this connection is refused during a long-lived read; it is by default.
  /// Otherwise it silently ends the long-lived read, which is almost always a mistake.
  public var refusesToEndLongLivedReadImplicitly: Bool {
    get { settings.withLock { $0.refusesToEndLongLivedReadImplicitly } }
    set { change { $0.refusesToEndLongLivedReadImplicitly = newValue } }
  }

  /// What may be run on this connection; other calls throw `notPermitted`. In force at once.
  public var permittedTransactions: YapDatabasePermittedTransactions {
    get { YapDatabasePermittedTransactions(rawValue: permitted.load(ordering: .relaxed)) }
    set { permitted.store(newValue.rawValue, ordering: .relaxed) }
  }

  private func change(_ change: (inout YapDatabaseConnectionDefaults) -> Void) {
    settings.withLock { change(&$0) }
    // A setter inside a transaction of this connection, or beside one, must not wait for it.
    guard lane.tryAcquire() else { return lane.enqueue { self.applySettings() } }
    applySettings()
    lane.release()
  }

  private func applySettings() {
    let settings = settings.withLock { $0 }
    caches.apply(settings)
    isStrict = settings.refusesToEndLongLivedReadImplicitly
  }

  // MARK: The lane

  /// Takes the lane for a call of the client.
  ///
  /// Only a call inside a transaction may be refused for a deadlock. In each circle there is one: who holds but its own
  /// lane waits for the write lane only, and who holds that too waits for nothing more, unless inside its block.
  /// - Parameter kind: what the connection has to permit; `.syncReadWrite` will take the write lane too.
  /// - Returns: nanoseconds that it has waited for the lane.
  /// - Throws: `nestedTransaction` when the calling thread would wait for itself. Found before anything blocks: whoever
  ///   holds this lane may be waiting for the write lane that the calling thread holds. `deadlock` when threads would
  ///   wait for each other.
  @discardableResult
  func enter(_ call: String, _ kind: YapDatabasePermittedTransactions) throws -> UInt64 {
    try checkPermitted(kind, call)
    try refuseNesting(call)
    if kind == .syncReadWrite, database.writer.lane.isHeldByCurrentThread {
      throw YapDatabaseError.nested(call, connection: name, inside: "another connection")
    }
    if lane.tryAcquire() {
      if !database.refusesNewCalls { return 0 }
      lane.release()
      throw database.closedError
    }
    try checkIsOpen()
    let waited = try wait(for: lane, call, mayFail: Lane.isAnyHeldByCurrentThread)
    // Accepted before the wait: a close that has begun meanwhile waits for this call.
    do { try checkMayRun() } catch {
      lane.release()
      throw error
    }
    return waited
  }

  /// Takes the write lane, with the connection's own held.
  func enterWriteLane(_ call: String) throws {
    let writer = database.writer
    if writer.lane.tryAcquire() { return }
    let before = timing == nil ? 0 : writer.checkpoints.nanoseconds
    let waited = try writer.counted { try wait(for: writer.lane, call, mayFail: lane.isInsideAnother) }
    guard timing != nil else { return }
    timing?.writeLaneWait = waited
    timing?.checkpointWait = writer.checkpoints.nanoseconds - before
  }

  /// - Returns: nanoseconds.
  private func wait(for lane: Lane, _ call: String, mayFail: @autoclosure () -> Bool) throws -> UInt64 {
    let began = MonotonicClock.now
    if database.options.testHooks.has(.waitsWithoutLooking) {
      _ = lane.acquire(deadline: .max)
    } else {
      do throws(LaneDeadlock) { try lane.acquire(mayFail: mayFail()) } catch {
        throw YapDatabaseError.deadlock(call, connection: name, error)
      }
    }
    return MonotonicClock.now - began
  }

  /// - Throws: `nestedTransaction` inside a transaction of this connection on the calling thread.
  func refuseNesting(_ call: String) throws {
    if lane.isHeldByCurrentThread { throw YapDatabaseError.nested(call, connection: name, inside: "it") }
  }

  /// For a new call.
  /// - Throws: `closed`.
  func checkIsOpen() throws {
    try database.checkIsOpen()
  }

  /// For a call that was accepted, in its turn, with the lane held.
  /// - Throws: `closed`.
  func checkMayRun() throws {
    if isClosed || database.discardsQueuedCalls { throw database.closedError }
  }

  /// Waits for the pending calls, and closes the connection. Not to be called by the thread that holds the lane.
  /// - Returns: the number of calls that are pending at the deadline; 0 if the connection is closed.
  func close(deadline: UInt64) throws -> Int {
    let hooks = database.options.testHooks
    if hooks.has(.closesWithoutWaiting), lane.occupancy > 0 { return 0 }
    while !lane.acquire(deadline: deadline) {
      let pending = pendingTransactionCount
      if pending > 0 { return pending }
    }
    defer { lane.release() }
    guard !isClosed else { return 0 }
    handle.rollbackIfNeeded()
    isLongLived = false
    isSnapshotKept = false
    database.unpin(id)
    try handle.close()
    isClosed = true
    return 0
  }

  // MARK: Following commits, with the lane held

  /// The connection now reflects `commit`; its caches are right for it.
  func reach(_ commit: Commit) {
    precondition(!isSnapshotKept, "connection \"\(name)\" moves on from a snapshot that it keeps")
    place = commit
    reachedSnapshot.store(commit.snapshot, ordering: .releasing)
    reachedValueBytes.store(commit.cumulativeValueBytes, ordering: .relaxed)
  }

  /// The client is shown the state of `commit`: no commit up to it is returned later.
  @inline(__always)
  func show(_ commit: Commit) {
    if seen === commit { return }
    seen = commit
    seenSnapshot.store(commit.snapshot, ordering: .relaxed)
    seenChangeBytes.store(commit.cumulativeChangeBytes, ordering: .relaxed)
  }

  /// Goes on from a list in which the commits after `seen` are folded.
  /// - Parameter copy: stands for `seen` there.
  func goOn(from copy: Commit) {
    let (oldSeen, oldPlace) = (seen, place)
    if place === seen {
      // A bookmark. Nothing else may hold the commits one by one: not the caches' place, and not the pin.
      place = copy
      reachedValueBytes.store(copy.cumulativeValueBytes, ordering: .relaxed)
      database.registry.withLock { $0.replacePin(of: id, with: copy) }
    }
    show(copy)
    // Commits are freed here, and not in the registry.
    withExtendedLifetime((oldSeen, oldPlace)) {}
  }

  /// The collection of that name; nil if nobody has stored in one.
  func collection(named name: String) -> CollectionName? {
    if let last = caches.lastCollection, last.name.text.hasSameBytes(as: name) { return last }
    if database.options.testHooks.has(.takesEqualNamesForTheSame), caches.lastCollection?.name.text == name {
      return caches.lastCollection
    }
    guard let found = database.names.find(ByteString(name)) else { return nil }
    caches.lastCollection = found
    return found
  }

  /// The collection of a number that a row bears.
  func collection(numbered number: Int64) throws -> CollectionName {
    if let last = caches.lastCollection, last.number == number { return last }
    guard let name = database.names.name(of: number) else {
      throw YapDatabaseError(.corrupt, "a row is of collection \(number), which has no name; restore a backup")
    }
    let found = CollectionName(name: name, number: number)
    caches.lastCollection = found
    return found
  }

  /// The same for a writer, who may be the first to name it.
  func storedCollection(named name: String, by writer: Writer) throws -> CollectionName {
    let known = collection(named: name)?.name
    return try writer.collection(named: known ?? ByteString(name))
  }
}
