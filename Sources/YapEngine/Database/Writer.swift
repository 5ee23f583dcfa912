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

  init(handle: EngineHandle, lane: Lane, names: CollectionNames, path: String) {
    self.handle = handle
    self.lane = lane
    self.names = names
    self.path = path
    wal = WALFile(databasePath: path)
    _ = wal.hasRestarted()  // from here on a new salt means a restart
    storedCollections = []
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
    try handle.run(.beginImmediate)
  }

  func store(_ snapshot: UInt64) throws {
    try handle.with(.setSnapshot) { statement in
      try statement.bind(Int64(bitPattern: snapshot), at: 1)
      _ = try statement.step()
    }
  }

  /// - Parameter mayHaveRestarted: whether all of the WAL was copied before, so that SQLite may have begun it anew.
  /// - Returns: frames in the WAL now, and whether it was written from its beginning.
  func commit(mayHaveRestarted: Bool) throws -> (framesInWAL: Int, hasRestarted: Bool) {
    try handle.run(.commit)
    storedCollections.formUnion(newCollections)
    return (handle.sqlite.walFramesAfterCommit, mayHaveRestarted && wal.hasRestarted())
  }

  /// Undoes the open transaction, if SQLite has not done so itself.
  func rollback() {
    handle.rollbackIfNeeded()
  }

  /// Writes the file anew. No transaction may be open.
  func vacuum(autoVacuum: YapDatabaseOptions.AutoVacuum) throws {
    try handle.execute("PRAGMA auto_vacuum = \(autoVacuum.rawValue); VACUUM")
  }

  func incrementalVacuum(pages: Int?) throws {
    try handle.execute("PRAGMA incremental_vacuum(\(pages ?? 0))")
  }

  func checkpoint() throws -> SQLiteCheckpointResult {
    try handle.checkpoint(.passive)
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
