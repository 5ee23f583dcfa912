internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// The database's only handle for writing, and its write lane.
///
/// All connections share the handle, so alternating writers do not invalidate each other's page cache, and statements
/// are compiled once for all of them.
// `lane`, `values`, `checkpoints` and the members under "On any thread" may be used on any thread. Everything else that
// can change is used only with `lane` held, which orders the accesses.
final class Writer: @unchecked Sendable {
  let lane: Lane
  /// The values that recent commits carry to their followers.
  let values: CommitValueStore
  /// The time for which the checkpointer has held the lane.
  let checkpoints = HoldAccount()
  private let waiting = Atomic<Int>(0)
  private let open = Guarded<(connection: ConnectionID, since: UInt64)?>(nil)

  let handle: EngineHandle
  private let names: CollectionNames
  private let path: String
  private var wal: WALFile
  private let isSynced: Bool
  private let hooks: TestHooks
  private(set) var isClosed = false
  // Exclusive access to these is not checked at run time, in each commit: accesses to them run no other code.
  /// The numbers of collections whose names are known to be in the file; empty at open.
  @exclusivity(unchecked)
  private var storedCollections: Set<Int64> = []
  /// One of `storedCollections`, which is found without a search; nil if none is known.
  @exclusivity(unchecked)
  private var lastStored: Int64?
  /// Whether the file may contain data that earlier runs stored for extensions that are not registered now.
  private(set) var mayHaveLeftOvers: Bool
  /// The effects of the open transaction.
  @exclusivity(unchecked)
  private var own = UncommittedEffects()
  /// The start of the transaction that began last.
  private(set) var begunAt: UInt64 = 0
  /// The transactions that have ended but are not committed yet; nil if there are none.
  private(set) var joint: JointCommit?
  private var jointPlanner: JointCommitPlanner
  /// Whether SQLite keeps all changed pages in memory.
  private var keepsPages = false
  /// The nanoseconds of the last successful COMMIT that was timed.
  private(set) var commitNanoseconds: UInt64 = 0
  /// The time at which the last successful COMMIT returned; nil if that COMMIT was not timed.
  private(set) var writtenAt: UInt64?
  var recentExtensions = RecentExtensions()
  /// The rows of recent commits of a single row, which later commits may share.
  let recentRows = RecentRows()

  init(
    handle: EngineHandle,
    lane: Lane,
    names: CollectionNames,
    file: OwnedFile,
    hasExtensions: Bool,
    options: YapDatabaseOptions
  ) {
    self.handle = handle
    mayHaveLeftOvers = hasExtensions
    self.lane = lane
    self.names = names
    path = file.path
    wal = WALFile(descriptor: file.walDescriptor)
    _ = wal.detectRestart()  // from here on a changed salt means a restart
    jointPlanner = JointCommitPlanner(limit: options.jointCommitLimit)
    isSynced = options.synchronous == .full
    hooks = options.testHooks
    values = CommitValueStore(limit: options.waitingValuesLimit)
  }

  /// Returns the collection with that name, which is about to receive rows. Stores its name unless known to be stored.
  func collection(named name: ByteString) throws -> CollectionName {
    let collection = names.findOrReserve(name)
    let number = collection.number
    if storedCollections.contains(number) {
      lastStored = number
      return collection
    }
    if joint?.effects.collections.contains(number) == true { return collection }
    if own.collections.insert(number).inserted {
      try handle.with(.addCollection, collection: collection.number, key: name.text) { _ = try $0.step() }
    }
    return collection
  }

  /// Whether the collection is the one whose name was last found to be in the file.
  func isLastStored(_ collection: CollectionName) -> Bool { lastStored == collection.number }

  /// Removes the name of a collection without rows from the file. Its number stays reserved for it.
  /// - Returns: Whether the name was in the file.
  func dropName(of collection: CollectionName) throws -> Bool {
    // If the transaction is rolled back, the name is in the file but in none of these sets, and is stored once more.
    storedCollections.remove(collection.number)
    lastStored = nil
    own.collections.remove(collection.number)
    joint?.effects.collections.remove(collection.number)
    return try handle.with(.dropCollection) { statement in
      try statement.bind(collection.number, at: 1)
      _ = try statement.step()
      return handle.sqlite.changes > 0
    }
  }

  /// Removes the names of all collections from the file, or of those without rows.
  /// - Parameter kind: `dropAllCollections`, which requires that no collection has rows, or `dropEmptyCollections`.
  /// - Returns: Whether a name was removed.
  func dropNames(_ kind: Statement) throws -> Bool {
    storedCollections = []
    lastStored = nil
    own.collections = []
    joint?.effects.collections = []
    return try handle.with(kind) { statement in
      _ = try statement.step()
      return handle.sqlite.changes > 0
    }
  }

  /// Begins a transaction. If a joint commit is open, the transaction becomes a savepoint behind it.
  func begin(by connection: ConnectionID) throws {
    own = UncommittedEffects()
    try keepPages(joint != nil)
    try handle.run(joint == nil ? .beginImmediate : .savepoint)
    let now = MonotonicClock.now
    begunAt = now
    open.withLock { $0 = (connection, now) }
  }

  /// Lets SQLite keep all changed pages in memory until COMMIT, or write those that exceed its cache before. It must
  /// keep them in a savepoint: if it rolls back a savepoint in which it has written a frame again, it may commit frames
  /// with wrong checksums, which recovery after a crash would ignore. (3.40.1; reproduced by `JointCommitTests`)
  private func keepPages(_ keeps: Bool) throws {
    guard keeps != keepsPages else { return }
    // The number of pages above which SQLite writes changed pages: https://sqlite.org/pragma.html#pragma_cache_spill
    try handle.execute("PRAGMA cache_spill = \(keeps ? Int32.max : 1)")
    keepsPages = keeps
  }

  func store(_ snapshot: UInt64) throws {
    try handle.with(.setSnapshot) { statement in
      try statement.bind(Int64(bitPattern: snapshot), at: 1)
      _ = try statement.step()
    }
  }

  /// The revision of the file once the open transaction is committed; nil if it is not known. SQLite's lock for writing
  /// is held, so no other program writes in between.
  var nextRevision: UInt32? { handle.sqlite.walRevision.map { $0 &+ 1 } }

  /// Commits the open transaction, and with it the joint commit if there is one.
  /// - Parameter isTimed: Whether to time COMMIT. It is always timed at `Synchronous.full`, because joint commits are
  ///   planned from its duration.
  func commit(isTimed: Bool) throws {
    #if TestPoints
      if let failure = hooks.commitFailure?() { throw failure }
    #endif
    let began = isSynced || isTimed ? MonotonicClock.now : nil
    try handle.run(.commit)
    writtenAt = began.map { _ in MonotonicClock.now }
    if let began, let writtenAt {
      commitNanoseconds = writtenAt - began
      if isSynced { jointPlanner.recordCommit(nanoseconds: commitNanoseconds) }
    }
    open.withLock { $0 = nil }
    if let joint { recordCommitted(joint.effects) }
    recordCommitted(own)
  }

  /// Records the effects of the committed transactions other than rows.
  private func recordCommitted(_ committed: UncommittedEffects) {
    if !committed.collections.isEmpty { storedCollections.formUnion(committed.collections) }
    if committed.removesLeftOvers { mayHaveLeftOvers = false }
  }

  // MARK: Joint commits

  private var joinsAlways: Bool {
    #if TestPoints
      hooks.joinsAlways
    #else
      false
    #endif
  }

  /// Whether the transaction whose block ended at `now` should wait for the next one. Records the block's duration.
  func isWorthWaiting(at now: UInt64) -> Bool {
    guard isSynced || joinsAlways else { return false }
    jointPlanner.recordBlock(nanoseconds: now - begunAt)
    guard waitingCount > 0 else { return false }
    let count = (joint?.count ?? 0) + 1
    return joinsAlways || jointPlanner.waits(count: count, waited: joint.map { now - $0.since } ?? 0)
  }

  /// Adds the open transaction, whose block has ended, to the joint commit, or begins a joint commit with it.
  func join(_ commit: Commit, at now: UInt64) throws -> JointCommit {
    let joined: JointCommit
    if let joint {
      do { try handle.run(.releaseSavepoint) } catch {
        rollback(because: error)
        throw error
      }
      joined = joint
      joined.append(commit)
    } else {
      joined = JointCommit(commit, since: now)
      joint = joined
    }
    joined.effects.add(own)
    own = UncommittedEffects()
    return joined
  }

  /// Ends the joint commit, if there is one. `failure` is nil if all its transactions are committed.
  func jointCommitEnded(_ failure: (any Error)?) {
    let ended = joint
    joint = nil
    ended?.end(failure)
  }

  /// Removes the stored data of extensions that are not registered, if there is any. The open transaction changes or
  /// touches rows, which makes that data obsolete.
  func removeLeftOvers(_ registered: ExtensionStates?) throws {
    guard mayHaveLeftOvers, joint?.effects.removesLeftOvers != true else { return }
    try ExtensionTable(handle: handle).removeLeftOvers(registered)
    own.removesLeftOvers = true
  }

  /// The number of frames in the WAL after the handle's last commit; 0 before the first.
  var framesInWAL: Int { handle.sqlite.walFramesAfterCommit }

  /// Returns whether the WAL has restarted since the last call.
  func detectWALRestart() -> Bool { wal.detectRestart() }

  /// Appends one frame to the WAL without changing any data, by storing the version of the file's layout again.
  func writeMarker() throws {
    try handle.execute("PRAGMA user_version = \(Schema.version)")
  }

  /// Rolls back the open transaction. If SQLite cannot roll it back alone, or has already rolled back everything, the
  /// joint commit is lost too, and its participants fail with an error that contains `cause`.
  func rollback(because cause: (any Error)? = nil) {
    guard joint != nil else { return rollbackEverything() }
    do {
      guard handle.sqlite.isInTransaction else { throw cause ?? Self.undone }
      try handle.run(.rollbackToSavepoint)
      try handle.run(.releaseSavepoint)
      own = UncommittedEffects()
    } catch {
      rollbackEverything()
      jointCommitEnded(Self.lost(with: cause ?? error))
    }
  }

  private static let undone = YapDatabaseError(
    .snapshotLost,
    "SQLite rolled back the transaction after an error inside it"
  )

  private static func lost(with cause: any Error) -> YapDatabaseError {
    YapDatabaseError(
      (cause as? YapDatabaseError)?.code ?? .snapshotLost,
      "SQLite rolled back the transaction, because a later transaction of the same joint commit failed: repeat it "
        + "(\(cause))"
    )
  }

  /// Rolls back the open transaction and the joint commit.
  func rollbackEverything() {
    handle.rollbackIfNeeded()
    open.withLock { $0 = nil }
  }

  /// The writes of the calling thread so far; nil if no VFS counts them.
  var writesOfThread: SQLiteThreadWrites? { handle.sqlite.writesOfThread }

  /// Makes a checkpoint without waiting for locks. If another connection holds a needed lock, the result is busy.
  /// - Parameter busyTimeout: The handle's busy timeout in nanoseconds, which is set again afterwards.
  func checkpoint(_ mode: SQLiteCheckpointMode, busyTimeout: UInt64) throws -> SQLiteCheckpointResult {
    if mode == .passive { return try handle.checkpoint(mode) }
    handle.sqlite.setBusyTimeout(milliseconds: 0)
    defer { handle.sqlite.setBusyTimeout(milliseconds: Int32(clamping: busyTimeout / 1_000_000)) }
    return try handle.checkpoint(mode)
  }

  /// Removes the names of collections without rows, and rebuilds the file. No transaction may be open.
  func vacuum(autoVacuum: YapDatabaseOptions.AutoVacuum) throws {
    _ = try dropNames(.dropEmptyCollections)
    // VACUUM builds the new file in a temporary database, which in memory would take as much as the file.
    try handle.execute("PRAGMA temp_store = FILE")
    let result = Result { try handle.execute("PRAGMA auto_vacuum = \(autoVacuum.rawValue); VACUUM") }
    let reset = Result { try handle.execute("PRAGMA temp_store = MEMORY") }
    do { try result.get() } catch let error as YapDatabaseError {
      throw TemporaryFiles.explained(error, vacuumOf: path)
    }
    try reset.get()
  }

  func incrementalVacuum(pages: Int?) throws {
    try handle.execute("PRAGMA incremental_vacuum(\(pages ?? 0))")
  }

  func close(deadline: UInt64) throws {
    guard lane.acquire(deadline: deadline) else {
      throw YapDatabaseError(
        .timeout,
        "\(path) cannot be closed yet, because a checkpoint holds the write lane; close it again"
      )
    }
    defer { lane.release() }
    guard !isClosed else { return }
    precondition(joint == nil, "\(path) is closed while transactions wait to be committed")
    try handle.close()
    isClosed = true
  }

  // MARK: On any thread

  /// Calls `wait`, which waits for the lane, and counts the caller as waiting during the call.
  func countAsWaiting<Result>(during wait: () throws -> Result) rethrows -> Result {
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return try wait()
  }

  /// The number of calls that wait for the lane to begin a transaction; participants of a joint commit are not counted.
  var waitingCount: Int { waiting.load(ordering: .relaxed) }

  /// The connection whose transaction began last, and its start (`MonotonicClock`); nil if SQLite has none open.
  var openTransaction: (connection: ConnectionID, since: UInt64)? { open.withLock { $0 } }
}

/// The values that recent commits carry to their followers. May be used on any thread: the sweep of idle connections
/// drops values without holding the write lane.
struct CommitValueStore: ~Copyable, Sendable {
  private let waiting: Guarded<WaitingValues>
  /// The value of `cumulativeValueBytes` up to which values were dropped because they exceeded the limit.
  private let droppedUpTo = Atomic<Int>(0)
  private let droppedBytes = LaneCounter()

  init(limit: Int?) {
    waiting = Guarded(WaitingValues(limit: limit))
  }

  /// Keeps a commit's values, and drops the oldest values above the limit. Must be called with the write lane held.
  func keep(_ values: CommitValues, of commit: Commit) {
    let (dropped, waitingBytes) = waiting.withLock { ($0.add(values, of: commit.snapshot), $0.bytes) }
    let bytes = dropped.reduce(0) { $0 + ($1.isDropped ? 0 : $1.estimatedBytes) }
    for values in dropped { values.drop() }
    guard bytes > 0 else { return }
    droppedBytes.add(bytes)
    droppedUpTo.store(commit.cumulativeValueBytes - waitingBytes, ordering: .relaxed)
  }

  /// Drops the values of the commits up to `snapshot`, which the caches of every connection have followed.
  func drop(through snapshot: UInt64) {
    for values in waiting.withLock({ $0.removeFollowed(through: snapshot) }) { values.drop() }
  }

  /// The bytes that were dropped because of the limit, and the value of `cumulativeValueBytes` at which they end.
  var dropped: (bytes: Int, upTo: Int) { (droppedBytes.value, droppedUpTo.load(ordering: .relaxed)) }
}
