internal import SQLiteBinding

/// Makes checkpoints beside commits, safely on every version of SQLite.
///
/// SQLite up to 3.51.2 can lose commits if the WAL restarts while a checkpoint runs: the checkpoint continues with the
/// length of the old WAL, and counts frames of the new one as copied. A writer restarts the WAL only if no reader reads
/// from it. Therefore the guard, a reader that reads from the WAL, is held while the checkpoint runs.
///
/// Not every reader reads from the WAL: a reader that begins when all of it is copied reads from the database file
/// alone and guards nothing. SQLite does not report which kind a reader is. `GuardCoverage` proves that a reader reads
/// from the WAL.
// Used only on the checkpointer's thread. Initialized before that thread begins, and closed after it has ended.
final class GuardReader: @unchecked Sendable {
  private let owned: OwnedFile
  private let reader: EngineHandle
  /// A second handle, because a handle in a transaction cannot make checkpoints.
  private let copier: EngineHandle
  private var coverage: GuardCoverage
  private var isClosed = false
  private let hooks: TestHooks

  /// - Parameter file: The file in its state at open; nothing has been committed since.
  init(file: OpenedFile, options: YapDatabaseOptions) throws {
    func open() throws -> EngineHandle {
      try EngineHandle(file: file.owned, options: options, damage: file.damage, lockWaits: file.lockWaits)
    }
    owned = file.owned
    reader = try open()
    copier = try open()
    coverage = GuardCoverage(openedAt: file.snapshot)
    hooks = options.testHooks
    #if TestPoints
      let hooks = hooks
      copier.sqlite.onCheckpointStep { hooks.reach(.checkpointInside, "checkpointer") }
    #endif
  }

  /// The writes of the checkpointer's thread so far; nil if no VFS counts them.
  var writesOfThread: SQLiteThreadWrites? { copier.sqlite.writesOfThread }

  /// Runs `copy`, which makes a checkpoint beside commits, while the guard is held. The guard keeps the WAL from
  /// restarting.
  /// - Parameter copy: Receives the guard's snapshot. If the checkpoint is complete, every frame up to this snapshot is
  ///   in the database file. Returns the checkpoint's result.
  /// - Returns: Whether `copy` was run; false if it cannot be proven that the reader reads from the WAL.
  func withGuard(_ copy: (_ snapshot: UInt64) throws -> SQLiteCheckpointResult) throws -> Bool {
    try reader.run(.begin)
    defer { reader.rollbackIfNeeded() }
    let snapshot = try reader.storedSnapshot()
    guard coverage.covers(snapshot) else { return false }
    hooks.reach(.checkpointGuarded, "checkpointer")
    var result: SQLiteCheckpointResult?
    defer {
      reader.rollbackIfNeeded()
      checkpointEnded(with: result)
    }
    result = try copy(snapshot)
    return true
  }

  /// Copies the frames that the pins allow. Must be called with the guard held.
  func checkpoint() throws -> SQLiteCheckpointResult { try copier.checkpoint(.passive) }

  /// Syncs the database file.
  func syncFile() throws { try copier.syncFile() }

  /// Records the end of a checkpoint by any handle.
  /// - Parameter result: nil if the checkpoint failed. Even then, it may have copied any number of frames.
  func checkpointEnded(with result: SQLiteCheckpointResult?) {
    guard GuardCoverage.mayHaveCopiedAll(result) else { return }
    // If the number cannot be read, nothing is covered until the next marker.
    coverage.recordCopy(through: (try? reader.storedSnapshot()) ?? .max)
  }

  /// Records that a marker frame was written behind all commits.
  func markerWritten() { coverage.recordMarker() }

  /// Closes the handles. If they are the last ones, SQLite copies the WAL and deletes it, but not if the file has been
  /// moved from its path. For a moved file, this function copies the WAL, and the WAL file stays. Later calls do
  /// nothing.
  func close() throws {
    guard !isClosed else { return }
    try reader.close()
    if owned.isMoved { _ = try copier.checkpoint(.passive) }
    try copier.close()
    isClosed = true
  }
}

/// Decides whether a reader that sees a certain commit must be reading from the WAL.
///
/// A reader reads from the WAL unless all of it is copied when the reader begins. Therefore it reads from the WAL if it
/// sees a commit that was made after the last complete copy. The exact extent of that copy is unknown, because commits
/// are made beside it. But the copy contains no commit later than the one that is newest *after* the copy has ended.
struct GuardCoverage: Equatable {
  /// The newest commit that a complete copy may contain; nil if there was no complete copy since the last marker.
  private var copiedThrough: UInt64?

  /// - Parameter snapshot: The newest commit at open, which may or may not be copied.
  init(openedAt snapshot: UInt64) {
    copiedThrough = snapshot
  }

  /// Whether a checkpoint with this result may have copied all frames. nil stands for a checkpoint that failed.
  static func mayHaveCopiedAll(_ result: SQLiteCheckpointResult?) -> Bool {
    guard let result else { return true }
    if let frames = result.framesInWAL, let copied = result.framesCopied { return copied >= frames }
    // SQLite reports frames unless it was busy before it began to copy, for instance while a commit wrote the header of
    // the WAL-index.
    return !result.isBusy
  }

  /// Records that a checkpoint may have copied everything, after which `snapshot` was the newest commit.
  mutating func recordCopy(through snapshot: UInt64) {
    copiedThrough = max(snapshot, copiedThrough ?? 0)
  }

  /// Records that a marker frame was written behind all commits, while no checkpoint ran.
  mutating func recordMarker() {
    copiedThrough = nil
  }

  /// Whether a reader at this snapshot must be reading from the WAL.
  func covers(_ snapshot: UInt64) -> Bool {
    copiedThrough.map { snapshot > $0 } ?? true
  }
}
