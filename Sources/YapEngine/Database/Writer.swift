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
  /// Numbers of collections whose names are in the file.
  private var storedCollections: Set<Int64>
  /// Those that the open transaction has stored.
  private var newCollections: Set<Int64> = []
  private(set) var isClosed = false
  var recentExtensions = RecentExtensions()
  /// Whether an earlier run has stored extensions of which not all may be registered by now.
  private var mayHaveLeftOvers: Bool
  /// Whether the open transaction removes them.
  private var removesLeftOvers = false
  private var waitingValues: WaitingValues
  /// `cumulativeValueBytes` of the newest commit of which the values were dropped because too many waited. Read by
  /// statistics without the lane.
  private let droppedUpTo = Atomic<Int>(0)
  private let droppedBytes = LaneCounter()

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
    waitingValues = WaitingValues(limit: options.waitingValuesLimit)
  }

  deinit {
    wal.close()
  }

  /// The number for a collection that is to get rows; its name is stored if it is new.
  func collection(named name: ByteString) throws -> CollectionName {
    let collection = names.findOrReserve(name)
    if !storedCollections.contains(collection.number), newCollections.insert(collection.number).inserted {
      try handle.with(.addCollection, collection: collection.number, key: name.text) { _ = try $0.step() }
    }
    return collection
  }

  func begin() throws {
    newCollections = []
    removesLeftOvers = false
    try handle.run(.beginImmediate)
  }

  func store(_ snapshot: UInt64) throws {
    try handle.with(.setSnapshot) { statement in
      try statement.bind(Int64(bitPattern: snapshot), at: 1)
      _ = try statement.step()
    }
  }

  func commit() throws {
    try handle.run(.commit)
    storedCollections.formUnion(newCollections)
    if removesLeftOvers { mayHaveLeftOvers = false }
  }

  /// The open transaction changes rows: what is stored of extensions that are not registered is wrong from now on.
  func removeLeftOvers(_ registered: ExtensionStates?) throws {
    guard mayHaveLeftOvers else { return }
    try ExtensionTable(handle: handle).removeLeftOvers(registered)
    removesLeftOvers = true
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
    let dropped = waitingValues.add(values)
    guard dropped > 0 else { return }
    droppedBytes.add(dropped)
    droppedUpTo.store(commit.cumulativeValueBytes - waitingValues.bytes, ordering: .relaxed)
  }

  /// - Returns: bytes that were dropped because too many waited, and where in `cumulativeValueBytes` the dropped end.
  var droppedValues: (bytes: Int, upTo: Int) { (droppedBytes.value, droppedUpTo.load(ordering: .relaxed)) }

  /// Undoes the open transaction, if SQLite has not done so itself.
  func rollback() {
    handle.rollbackIfNeeded()
  }

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
        "\(path) cannot be closed: a read-write transaction is still running; let it end and close again"
      )
    }
    defer { lane.release() }
    guard !isClosed else { return }
    try handle.close()
    wal.close()
    isClosed = true
  }
}
