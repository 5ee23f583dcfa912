internal import Synchronization
internal import ThreadingPrimitives

/// A serial lane to the database, with a handle, statements and caches of its own.
///
/// Any thread may use it; transactions of one connection run one after the other, in the order in which they were
/// asked for. A transaction inside a transaction of the same connection is refused. Keep connections: they get faster
/// with use.
// Everything mutable is reached only with `lane` held, but for what is atomic; the lane orders the accesses.
public final class YapDatabaseConnection: @unchecked Sendable {
  public let database: YapDatabase
  /// What statistics and errors call it.
  public let name: String

  let id: ConnectionID
  let lane: Lane
  let counters: CacheCounters
  let handle: EngineHandle

  /// The last commit that the caches reflect. Set through `reach` only.
  private(set) var place: Commit
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
  private var isClosed = false
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
  private let reachedChangeBytes: Atomic<Int>
  private let reachedValueBytes: Atomic<Int>

  init(database: YapDatabase, id: ConnectionID, name: String, handle: EngineHandle, place: Commit) {
    self.database = database
    self.id = id
    self.name = name
    self.handle = handle
    self.place = place
    lane = Lane(name: "connection \"\(name)\"", pool: database.pool)
    counters = CacheCounters()
    reachedSnapshot = Atomic(place.snapshot)
    reachedChangeBytes = Atomic(place.cumulativeChangeBytes)
    reachedValueBytes = Atomic(place.cumulativeValueBytes)
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

  /// Where statistics find the connection in the list of commits, without its lane.
  var reached: (snapshot: UInt64, changeBytes: Int, valueBytes: Int) {
    (snapshot, reachedChangeBytes.load(ordering: .relaxed), reachedValueBytes.load(ordering: .relaxed))
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
    let waited = try lane.tryAcquire() ? 0 : wait(for: lane, call, mayFail: Lane.isAnyHeldByCurrentThread)
    do { try checkIsOpen() } catch {
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

  func checkIsOpen() throws {
    try database.checkIsOpen()
  }

  /// Not to be called by the thread that holds the lane.
  func close(deadline: UInt64) throws {
    if database.options.testHooks.has(.closesWithoutWaiting), lane.occupancy > 0 { return }
    guard lane.acquire(deadline: deadline) else {
      throw YapDatabaseError(
        .timeout,
        "connection \"\(name)\" is still in a transaction: let it end and close the database again"
      )
    }
    defer { lane.release() }
    guard !isClosed else { return }
    handle.rollbackIfNeeded()
    isLongLived = false
    isSnapshotKept = false
    database.unpin(id)
    try handle.close()
    isClosed = true
  }

  // MARK: Following commits, with the lane held

  /// The connection now reflects `commit`; its caches are right for it.
  func reach(_ commit: Commit) {
    precondition(!isSnapshotKept, "connection \"\(name)\" moves on from a snapshot that it keeps")
    place = commit
    reachedSnapshot.store(commit.snapshot, ordering: .releasing)
    reachedChangeBytes.store(commit.cumulativeChangeBytes, ordering: .relaxed)
    reachedValueBytes.store(commit.cumulativeValueBytes, ordering: .relaxed)
  }

  /// Applies every commit up to `target`, one by one, and lets each go before the next.
  /// - Parameter visit: called with each.
  func follow(to target: Commit, visit: (Commit) -> Void = { _ in }) {
    var current = place
    while current !== target {
      guard let next = current.next else {
        preconditionFailure("commit \(target.snapshot) is not after commit \(current.snapshot) in the list")
      }
      if next.origin != id, !database.options.testHooks.has(.forgetsToDropChangedValues) {
        caches.follow(next, database.options.testHooks)
      }
      visit(next)
      current = next
      reach(next)
      database.options.testHooks.reach(.commitFollowed, name)
    }
  }

  /// Brings an idle connection up to date, so that it holds no old commits.
  /// - Returns: whether it reflects `newest` now.
  func followIfIdle(_ newest: Commit) -> Bool {
    if snapshot >= newest.snapshot { return true }
    guard lane.tryAcquire() else { return false }
    defer { lane.release() }
    guard !isLongLived, place.snapshot < newest.snapshot else { return place.snapshot >= newest.snapshot }
    if isSnapshotKept, database.options.testHooks.has(.keepsSnapshotsForEver) { return false }
    guard adopt(newest) else { return false }
    letKeptSnapshotGo()
    database.options.testHooks.reach(.sweepBegun, name)
    follow(to: newest)
    return true
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
