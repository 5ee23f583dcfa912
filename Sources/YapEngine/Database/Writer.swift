internal import SQLiteBinding
internal import Synchronization
internal import ThreadingPrimitives

/// The database's one writing handle, and the lane in front of it.
///
/// One handle for all connections: writers that take turns do not drop each other's page cache, and each statement is
/// compiled once. Everything but the lane is used only while the lane is held.
// Mutable state is reached only with `lane` held; `acquire` and `release` of the lane order the accesses.
final class Writer: @unchecked Sendable {
  let lane: Lane
  let handle: EngineHandle
  private let names: CollectionNames
  private let path: String
  private var wal: WALFile
  /// What is true of the file as soon as SQLite has committed.
  private struct Uncommitted {
    /// Collections whose names were stored.
    var collections: Set<Int64> = []
    /// Whether what earlier runs have left of extensions was removed.
    var removesLeftOvers = false
  }

  /// Numbers of collections whose names are in the file.
  private var storedCollections: Set<Int64>
  /// Of the open transaction.
  private var own = Uncommitted()
  /// Of those that wait for it in `joint`.
  private var joined = Uncommitted()
  /// Transactions that have ended and are still to be committed; nil for none.
  private(set) var joint: JointCommit?
  private(set) var jointPlanner: JointCommitPlanner
  private var begunAt: UInt64 = 0
  /// When the first transaction of `joint` ended.
  private var jointSince: UInt64 = 0
  private let waiting = Atomic<Int>(0)
  /// For how long the checkpointer has had the lane.
  let checkpoints = HoldAccount()
  /// What the last COMMIT took, if it was timed.
  private(set) var commitNanoseconds: UInt64 = 0
  /// When it had ended; nil if it was not timed.
  private(set) var writtenAt: UInt64?
  private let isSynced: Bool
  private let hooks: TestHooks
  private(set) var isClosed = false
  var recentExtensions = RecentExtensions()
  /// Whether an earlier run has stored extensions of which not all may be registered by now.
  private var mayHaveLeftOvers: Bool
  /// Behind a lock of its own, because the sweep of idle connections drops values without the lane.
  private let waitingValues: Guarded<WaitingValues>
  /// Rows that commits of one row share.
  let recentRows = RecentRows()
  /// `cumulativeValueBytes` of the newest commit of which the values were dropped because too many waited. Read by
  /// statistics without the lane.
  private let droppedUpTo = Atomic<Int>(0)
  private let droppedBytes = LaneCounter()
  /// The connection whose transaction is open, and since when in nanoseconds of `MonotonicClock`. Statistics ask for it
  /// without the lane.
  private let open = Guarded<(connection: ConnectionID, since: UInt64)?>(nil)

  init(
    handle: EngineHandle,
    lane: Lane,
    names: CollectionNames,
    path: String,
    hasExtensions: Bool,
    options: YapDatabaseOptions
  ) {
    self.handle = handle
    mayHaveLeftOvers = hasExtensions
    self.lane = lane
    self.names = names
    self.path = path
    wal = WALFile(databasePath: path)
    _ = wal.hasRestarted()  // from here on a new salt means a restart
    storedCollections = []
    jointPlanner = JointCommitPlanner(limit: options.jointCommitLimit)
    isSynced = options.synchronous == .full
    hooks = options.testHooks
    waitingValues = Guarded(WaitingValues(limit: options.waitingValuesLimit))
  }

  deinit {
    wal.close()
  }

  /// The number for a collection that is to get rows; its name is stored if it is new.
  func collection(named name: ByteString) throws -> CollectionName {
    let collection = names.findOrReserve(name)
    let number = collection.number
    if storedCollections.contains(number) || joined.collections.contains(number) { return collection }
    if own.collections.insert(number).inserted {
      try handle.with(.addCollection, collection: collection.number, key: name.text) { _ = try $0.step() }
    }
    return collection
  }

  /// Begins a transaction; where others wait to be committed with it, behind them.
  func begin(by connection: ConnectionID) throws {
    own = Uncommitted()
    try handle.run(joint == nil ? .beginImmediate : .savepoint)
    let now = MonotonicClock.now
    begunAt = now
    open.withLock { $0 = (connection, now) }
  }

  /// Whose transaction is open; nil for none.
  var openTransaction: (connection: ConnectionID, since: UInt64)? { open.withLock { $0 } }

  func store(_ snapshot: UInt64) throws {
    try handle.with(.setSnapshot) { statement in
      try statement.bind(Int64(bitPattern: snapshot), at: 1)
      _ = try statement.step()
    }
  }

  /// Commits the open transaction and those that wait for it.
  /// - Parameter isTimed: what is synced is timed in any case, since it decides about joint commits.
  func commit(isTimed: Bool) throws {
    #if TestPoints
      if let failure = hooks.commitFailure?() { throw failure }
    #endif
    let began = isSynced || isTimed ? MonotonicClock.now : nil
    try handle.run(.commit)
    writtenAt = began.map { _ in MonotonicClock.now }
    if let began, let writtenAt {
      commitNanoseconds = writtenAt - began
      if isSynced { jointPlanner.committed(in: commitNanoseconds) }
    }
    open.withLock { $0 = nil }
    note(joined)
    note(own)
  }

  /// Takes over what the committed transactions stored besides rows.
  private func note(_ committed: Uncommitted) {
    if !committed.collections.isEmpty { storedCollections.formUnion(committed.collections) }
    if committed.removesLeftOvers { mayHaveLeftOvers = false }
  }

  // MARK: Joint commits

  /// Waits for the lane by `wait`, and counts among those that wait.
  func counted<Result>(_ wait: () throws -> Result) rethrows -> Result {
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return try wait()
  }

  /// How many transactions wait for the lane for the first time. Asked by anybody.
  var waitingCount: Int { waiting.load(ordering: .relaxed) }

  private var joinsAlways: Bool {
    #if TestPoints
      hooks.joinsAlways
    #else
      false
    #endif
  }

  /// Whether the open transaction, whose block ended at `now`, is to wait for the next one's.
  func isWorthWaiting(at now: UInt64) -> Bool {
    guard isSynced || joinsAlways else { return false }
    jointPlanner.blockEnded(after: now - begunAt)
    guard waitingCount > 0 else { return false }
    let count = (joint?.count ?? 0) + 1
    return joinsAlways || jointPlanner.waits(count: count, waited: joint == nil ? 0 : now - jointSince)
  }

  /// The open transaction has ended, and is to be committed with others.
  func join(_ commit: Commit, at now: UInt64) throws -> JointCommit {
    let joint: JointCommit
    if let open = self.joint {
      do { try handle.run(.releaseSavepoint) } catch {
        rollback(because: error)
        throw error
      }
      joint = open
      joint.append(commit)
    } else {
      joint = JointCommit(commit)
      self.joint = joint
      jointSince = now
    }
    joined.collections.formUnion(own.collections)
    joined.removesLeftOvers = joined.removesLeftOvers || own.removesLeftOvers
    own = Uncommitted()
    return joint
  }

  /// - Parameter failure: nil when all are committed.
  func jointCommitEnded(_ failure: (any Error)?) {
    let ended = joint
    joint = nil
    joined = Uncommitted()
    ended?.end(failure)
  }

  /// The open transaction changes rows: what is stored of extensions that are not registered is wrong from now on.
  func removeLeftOvers(_ registered: ExtensionStates?) throws {
    guard mayHaveLeftOvers, !joined.removesLeftOvers else { return }
    try ExtensionTable(handle: handle).removeLeftOvers(registered)
    own.removesLeftOvers = true
  }

  /// Frames in the WAL after the last commit.
  var framesInWAL: Int { handle.sqlite.walFramesAfterCommit }

  /// Whether the WAL was written from its beginning since the last call.
  func hasRestartedWAL() -> Bool { wal.hasRestarted() }

  /// Writes one frame that changes nothing, behind all commits: the number of the file's layout, as it is.
  func writeMarker() throws {
    try handle.execute("PRAGMA user_version = \(Schema.version)")
  }

  /// The values of a commit may now wait for followers.
  func keep(_ values: CommitValues, of commit: Commit) {
    let (dropped, waiting) = waitingValues.withLock { ($0.add(values, of: commit.snapshot), $0.bytes) }
    let bytes = dropped.reduce(0) { $0 + ($1.isDropped ? 0 : $1.estimatedBytes) }
    for values in dropped { values.drop() }
    guard bytes > 0 else { return }
    droppedBytes.add(bytes)
    droppedUpTo.store(commit.cumulativeValueBytes - waiting, ordering: .relaxed)
  }

  /// Drops the values of commits up to this one, which the caches of every connection have followed. May be called
  /// without the lane.
  func dropValues(through snapshot: UInt64) {
    for values in waitingValues.withLock({ $0.removeFollowed(through: snapshot) }) { values.drop() }
  }

  /// - Returns: bytes that were dropped because too many waited, and where in `cumulativeValueBytes` the dropped end.
  var droppedValues: (bytes: Int, upTo: Int) { (droppedBytes.value, droppedUpTo.load(ordering: .relaxed)) }

  /// Undoes the open transaction, if SQLite has not done so itself. With it go those that wait for it where SQLite
  /// cannot undo it alone: they are told of `cause`.
  func rollback(because cause: (any Error)? = nil) {
    guard joint != nil else { return rollbackEverything() }
    do {
      guard handle.sqlite.isInTransaction else { throw cause ?? Self.undone }
      if !hooks.has(.keepsRolledBackSavepoints) { try handle.run(.rollbackToSavepoint) }
      try handle.run(.releaseSavepoint)
      if hooks.has(.keepsRolledBackNames) { joined.collections.formUnion(own.collections) }
      own = Uncommitted()
    } catch {
      rollbackEverything()
      jointCommitEnded(Self.lost(with: cause ?? error))
    }
  }

  private static let undone = YapDatabaseError(.snapshotLost, "SQLite ended the transaction after an error inside it")

  private static func lost(with cause: any Error) -> YapDatabaseError {
    YapDatabaseError(
      (cause as? YapDatabaseError)?.code ?? .snapshotLost,
      "the transaction was to be committed together with a later one, whose failure made SQLite undo both: do it again "
        + "(\(cause))"
    )
  }

  /// Undoes the open transaction, and those that wait for it.
  func rollbackEverything() {
    handle.rollbackIfNeeded()
    open.withLock { $0 = nil }
  }

  /// What the calling thread has written so far; nil where nobody counts.
  var writesOfThread: SQLiteThreadWrites? { handle.sqlite.writesOfThread }

  /// Waits for nobody: who is in the way is told as busy.
  func checkpoint(_ mode: SQLiteCheckpointMode, busyTimeout: UInt64) throws -> SQLiteCheckpointResult {
    if mode == .passive { return try handle.checkpoint(mode) }
    handle.sqlite.setBusyTimeout(milliseconds: 0)
    defer { handle.sqlite.setBusyTimeout(milliseconds: Int32(clamping: busyTimeout / 1_000_000)) }
    return try handle.checkpoint(mode)
  }

  /// Writes the file anew. No transaction may be open.
  func vacuum(autoVacuum: YapDatabaseOptions.AutoVacuum) throws {
    try handle.execute("PRAGMA auto_vacuum = \(autoVacuum.rawValue); VACUUM")
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
    wal.close()
    isClosed = true
  }
}
