internal import Synchronization
internal import ThreadingPrimitives

/// A serial connection to the database, with its own SQLite handle, compiled statements and caches.
///
/// Any thread may use it. Transactions of one connection run one after the other, in the order of the calls. A
/// synchronous transaction inside a transaction of the same connection is refused. Connections should be kept: they get
/// faster with use.
// Mutable state is accessed only with `lane` held, except atomics and guarded values; the lane orders the accesses.
public final class YapDatabaseConnection: @unchecked Sendable {
  /// The number of commits that may wait, unfolded, for a connection without a bookmark: 11 MB.
  static let unseenCommitLimit = 100_000

  public let database: YapDatabase
  /// The connection's name in statistics and errors.
  public let name: String

  let id: ConnectionID
  let lane: Lane
  let counters: CacheCounters
  let handle: EngineHandle

  /// The last commit that the caches reflect. Set only by `reach` and `goOn`.
  private(set) var place: Commit
  /// The last commit that the client was shown, by a transaction or by the beginning or end of a long-lived read. The
  /// next beginning returns the commits after it. Set only by `show`.
  ///
  /// Unlike `place`, it is not moved by the sweep of idle connections. It holds change sets in memory, and nothing
  /// else.
  private(set) var seen: Commit
  let caches: RowCaches
  /// The extensions at `place`; nil if none was ever registered, or after a failed commit.
  var adopted: AdoptedExtensions?
  /// Whether the connection has a bookmark. Set with the lane held; any thread may read it.
  var isLongLived: Bool {
    get { bookmarkHeld.load(ordering: .acquiring) }
    set { bookmarkHeld.store(newValue, ordering: .releasing) }
  }
  /// Whether SQLite's snapshot of `place` stays pinned from one read to the next. Set with the lane held; any thread
  /// may read it.
  var isSnapshotKept: Bool {
    get { snapshotKept.load(ordering: .acquiring) }
    set { snapshotKept.store(newValue, ordering: .releasing) }
  }
  /// Whether a read-write transaction that would end the long-lived read is refused.
  var isStrict: Bool
  /// A transaction object for reuse. It is not kept if it has escaped from its block.
  var spareRead: YapDatabaseReadTransaction?
  var spareReadWrite: YapDatabaseReadWriteTransaction?
  /// The times of the running transaction so far; nil if they are not measured.
  var timing: TransactionTiming?
  private(set) var isClosed = false
  let omissions: Omissions<Omission>

  /// The settings that were set last. They are applied with the lane held.
  private let settings: Guarded<YapDatabaseConnectionDefaults>
  private let permitted: Atomic<UInt8>
  private let bookmarkHeld = Atomic<Bool>(false)
  private let snapshotKept = Atomic<Bool>(false)
  private let reachedSnapshot: Atomic<UInt64>
  private let reachedValueBytes: Atomic<Int>
  private let seenSnapshot: Atomic<UInt64>
  private let seenChangeBytes: Atomic<Int>
  /// Whether a sweep could not fold commits because the lane was held.
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
    caches = RowCaches(settings, of: database, counters: counters)
    omissions = database.options.testHooks.omissions.connection
  }

  deinit {
    // Users of the lane hold the connection, so the lane is free. Acquiring it orders their accesses before the next
    // use of the handle. Reference counts do so too, but the thread sanitizer does not see that.
    let isHeld = lane.tryAcquire()
    precondition(isHeld, "connection \"\(name)\" ended while its lane was held")
    defer { lane.release() }
    // SQLite's snapshot is released before the pin is removed, so that a checkpoint that follows immediately is not
    // blocked.
    if !isClosed { handle.rollbackIfNeeded() }
    database.options.testHooks.reach(.connectionEnding, name)
    database.forget(id)
    database.options.testHooks.reach(.connectionForgotten, name)
    // The handle is closed, or given to the pool, before the database is freed with its last connection.
    if !isClosed { database.handles.give(handle) }
  }

  /// The number of calls of this connection that run or wait: transactions, and settings that are yet to be applied.
  /// Does not block.
  public var pendingTransactionCount: Int { lane.occupancy }

  /// The number of the last commit that the connection reflects. May be read inside and outside of transactions.
  public var snapshot: UInt64 { reachedSnapshot.load(ordering: .acquiring) }

  /// The connection's positions in the list of commits, for statistics, which do not acquire the lane. Values that the
  /// caches have yet to follow come after one commit; change sets that the client has yet to receive come after
  /// another.
  var reached: (snapshot: UInt64, valueBytes: Int, seen: UInt64, seenChangeBytes: Int) {
    (
      snapshot, reachedValueBytes.load(ordering: .relaxed), seenSnapshot.load(ordering: .relaxed),
      seenChangeBytes.load(ordering: .relaxed)
    )
  }

  // MARK: Settings
  //
  // A getter returns the value that was set last. A new value takes effect in the order of the lane, between
  // transactions, except for `permittedTransactions`.

  /// The maximum number of cached objects; 0 for no limit. Once a lower limit takes effect, the oldest objects are
  /// dropped.
  public var objectCacheLimit: Int {
    get { settings.withLock { $0.objectCacheLimit } }
    set { change { $0.objectCacheLimit = max(newValue, 0) } }
  }

  /// Whether objects are cached. Turning it off drops them.
  public var objectCacheEnabled: Bool {
    get { settings.withLock { $0.objectCacheEnabled } }
    set { change { $0.objectCacheEnabled = newValue } }
  }

  /// The maximum number of rows whose metadata is cached; 0 for no limit.
  public var metadataCacheLimit: Int {
    get { settings.withLock { $0.metadataCacheLimit } }
    set { change { $0.metadataCacheLimit = max(newValue, 0) } }
  }

  /// Whether metadata is cached. Turning it off drops it.
  public var metadataCacheEnabled: Bool {
    get { settings.withLock { $0.metadataCacheEnabled } }
    set { change { $0.metadataCacheEnabled = newValue } }
  }

  /// The policy for cached objects that other connections change, and for other connections' cached objects that this
  /// one changes. If both connections have a policy, the stricter applies.
  ///
  /// nil, the initial value, selects the policy of the collection, or else the database's default:
  /// `effectiveObjectPolicy(inCollection:)` returns the one that applies. A change leaves cached values as they are.
  public var objectPolicy: YapDatabasePolicy? {
    get { settings.withLock { $0.objectPolicy } }
    set { change { $0.objectPolicy = newValue } }
  }

  /// The policy for metadata. See `objectPolicy`.
  public var metadataPolicy: YapDatabasePolicy? {
    get { settings.withLock { $0.metadataPolicy } }
    set { change { $0.metadataPolicy = newValue } }
  }

  /// Whether a read-write transaction on this connection is refused during a long-lived read; true by default. If
  /// false, the transaction silently ends the long-lived read, which is almost always a mistake.
  public var refusesToEndLongLivedReadImplicitly: Bool {
    get { settings.withLock { $0.refusesToEndLongLivedReadImplicitly } }
    set { change { $0.refusesToEndLongLivedReadImplicitly = newValue } }
  }

  /// The kinds of transactions that are permitted on this connection; other calls throw `notPermitted`. A change takes
  /// effect immediately.
  public var permittedTransactions: YapDatabasePermittedTransactions {
    get { YapDatabasePermittedTransactions(rawValue: permitted.load(ordering: .relaxed)) }
    set { permitted.store(newValue.rawValue, ordering: .relaxed) }
  }

  private func change(_ change: (inout YapDatabaseConnectionDefaults) -> Void) {
    settings.withLock { change(&$0) }
    // A setter may be called during a transaction of this connection, even inside it, and must not wait for its end.
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

  /// Acquires the lane for a call of the client.
  ///
  /// Only a call inside a transaction may be refused for a deadlock. Each circle of waiting threads contains such a
  /// call: a thread that holds only its connection's lane waits only for the write lane, and a thread that holds the
  /// write lane too waits for no lane, unless inside its block.
  /// - Parameter kind: the permission that the call needs. With `.syncReadWrite`, the caller acquires the write lane
  ///   afterwards.
  /// - Returns: the nanoseconds for which the call waited for the lane.
  /// - Throws: `nestedTransaction` if the calling thread would wait for itself. This is checked before anything blocks,
  ///   because the holder of this lane may be waiting for the write lane that the calling thread holds. `deadlock` if
  ///   threads would wait for each other.
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
    // The call was accepted before the wait: a close that has begun meanwhile waits for it.
    do { try checkMayRun() } catch {
      lane.release()
      throw error
    }
    return waited
  }

  /// Acquires the write lane. The connection's lane must be held.
  func enterWriteLane(_ call: String) throws {
    let writer = database.writer
    if writer.lane.tryAcquire() { return }
    let before = timing == nil ? 0 : writer.checkpoints.nanoseconds
    let waited = try writer.countAsWaiting { try wait(for: writer.lane, call, mayFail: lane.isInsideAnother) }
    guard timing != nil else { return }
    timing?.times.writeLaneWaitNanoseconds = waited
    timing?.times.checkpointWaitNanoseconds = writer.checkpoints.nanoseconds - before
  }

  /// - Returns: the duration of the wait in nanoseconds.
  private func wait(for lane: Lane, _ call: String, mayFail: @autoclosure () -> Bool) throws -> UInt64 {
    let began = MonotonicClock.now
    if omissions.has(.waitsWithoutLooking) {
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

  /// Checks that new calls are accepted.
  /// - Throws: `closed`.
  func checkIsOpen() throws {
    try database.checkIsOpen()
  }

  /// Checks that a call which was accepted earlier may still run. The lane must be held.
  /// - Throws: `closed`.
  func checkMayRun() throws {
    if isClosed || database.discardsQueuedCalls { throw database.closedError }
  }

  /// Waits for the pending calls, and closes the connection. Must not be called by the thread that holds the lane.
  /// - Parameter deadline: nanoseconds of `MonotonicClock`.
  /// - Returns: the number of calls that are still pending at the deadline; 0 if the connection is closed.
  func close(deadline: UInt64) throws -> Int {
    if omissions.has(.closesWithoutWaiting), lane.occupancy > 0 { return 0 }
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

  /// Records that the caches reflect `commit`.
  func reach(_ commit: Commit) {
    precondition(!isSnapshotKept, "connection \"\(name)\" leaves a snapshot that it has to keep")
    place = commit
    reachedSnapshot.store(commit.snapshot, ordering: .releasing)
    reachedValueBytes.store(commit.cumulativeValueBytes, ordering: .relaxed)
  }

  /// Records that the client was shown the state of `commit`. Commits up to it are not returned later.
  @inline(__always)
  func show(_ commit: Commit) {
    if seen === commit { return }
    seen = commit
    seenSnapshot.store(commit.snapshot, ordering: .relaxed)
    seenChangeBytes.store(commit.cumulativeChangeBytes, ordering: .relaxed)
  }

  /// Continues with a list in which the commits after `seen` are folded.
  /// - Parameter copy: the copy of `seen` in that list.
  func goOn(from copy: Commit) {
    let (oldSeen, oldPlace) = (seen, place)
    if place === seen {
      // The connection has a bookmark. Neither `place` nor the pin may hold the unfolded commits.
      place = copy
      reachedValueBytes.store(copy.cumulativeValueBytes, ordering: .relaxed)
      database.registry.withLock { $0.replacePin(of: id, with: copy) }
    }
    show(copy)
    // The unfolded commits are freed here, not under the registry's lock.
    withExtendedLifetime((oldSeen, oldPlace)) {}
  }

  /// Returns the collection with that name; nil if nothing was ever stored in it.
  func collection(named name: String) -> CollectionName? {
    if let last = caches.lastCollection, last.name.text.hasSameBytes(as: name) { return last }
    if omissions.has(.takesEqualNamesForTheSame), caches.lastCollection?.name.text == name {
      return caches.lastCollection
    }
    guard let found = database.names.find(ByteString(name)) else { return nil }
    caches.lastCollection = found
    return found
  }

  /// Returns the collection with the number that a row refers to.
  /// - Throws: `corrupt` if that number has no name.
  func collection(numbered number: Int64) throws -> CollectionName {
    if let last = caches.lastCollection, last.number == number { return last }
    guard let name = database.names.name(of: number) else {
      throw YapDatabaseError(.corrupt, "a row belongs to collection \(number), which has no name; restore a backup")
    }
    let found = CollectionName(name: name, number: number)
    caches.lastCollection = found
    return found
  }

  /// Returns the collection with that name for a writer, which may be the first to store in it.
  func storedCollection(named name: String, by writer: Writer) throws -> CollectionName {
    let known = collection(named: name)?.name
    return try writer.collection(named: known ?? ByteString(name))
  }
}
