internal import SQLiteBinding

/// Makes checkpoints beside commits, safely on every version of SQLite.
///
/// SQLite up to 3.51.2 loses commits when the WAL is written from its beginning again while a checkpoint runs: the
/// checkpoint goes on with the length of the WAL that was, and counts frames of the new one as copied. A writer begins
/// the WAL anew only if nobody reads from it. So a reader that reads from the WAL, the guard, is held while the
/// checkpoint runs, and for as long the WAL cannot begin anew.
///
/// Not every reader reads from the WAL: one that begins when all of it is copied reads from the database file alone
/// and guards nothing. SQLite does not tell which kind a reader is. `GuardCoverage` can prove it.
// Used on the checkpointer's thread only; it is made before that thread begins and closed after it has ended.
final class GuardReader: @unchecked Sendable {
  private let reader: EngineHandle
  /// A handle in a transaction cannot make checkpoints, so there are two.
  private let copier: EngineHandle
  private var coverage: GuardCoverage
  private let hooks: TestHooks

  /// - Parameter file: as it was opened; nothing has been committed since.
  init(path: String, options: YapDatabaseOptions, _ file: OpenedFile) throws {
    func open() throws -> EngineHandle {
      try EngineHandle(path: path, options: options, isFirst: false, damage: file.damage, lockWaits: file.lockWaits)
    }
    reader = try open()
    copier = try open()
    coverage = GuardCoverage(openedAt: file.snapshot)
    hooks = options.testHooks
    // A handle that has not read yet does not know of the WAL, and its checkpoints do nothing.
    _ = try copier.storedSnapshot()
    #if TestPoints
      let hooks = hooks
      copier.sqlite.onCheckpointStep { hooks.reach(.checkpointInside, "checkpointer") }
    #endif
  }

  /// What the checkpointer's thread has written so far; nil where nobody counts.
  var writesOfThread: SQLiteThreadWrites? { copier.sqlite.writesOfThread }

  /// Copies beside commits what the pins allow.
  /// - Parameters:
  ///   - guarded: is called with the guard's snapshot before the copy begins.
  ///   - told: gets the result while the guard is held, so that the WAL that it speaks of is still the same, and the
  ///     guard's snapshot, which is what was copied if all was.
  /// - Returns: whether it was done; false if the guard could not be proven to be one.
  func copyBesideCommits(
    guarded: (_ snapshot: UInt64) -> Void,
    told: (SQLiteCheckpointResult, _ snapshot: UInt64) -> Void
  ) throws -> Bool {
    if hooks.has(.checkpointsBesideCommits) {
      guarded(0)
      told(try copier.checkpoint(.passive), 0)
      return true
    }
    try reader.run(.begin)
    defer { reader.rollbackIfNeeded() }
    let snapshot = try reader.storedSnapshot()
    guard coverage.covers(snapshot) else { return false }
    hooks.reach(.checkpointGuarded, "checkpointer")
    guarded(snapshot)
    var result: SQLiteCheckpointResult?
    defer {
      reader.rollbackIfNeeded()
      followed(result)
    }
    result = try copier.checkpoint(.passive)
    if let result { told(result, snapshot) }
    return true
  }

  /// A checkpoint has ended, made by whichever handle.
  /// - Parameter result: nil if it failed, and nobody knows after how much.
  func followed(_ result: SQLiteCheckpointResult?) {
    guard GuardCoverage.mayHaveCopiedAll(result) else { return }
    // Without a number nothing is covered, until a mark is made.
    coverage.copied(through: (try? reader.storedSnapshot()) ?? .max)
  }

  /// A frame was written that no checkpoint has copied.
  func marked() { coverage.marked() }

  func close() throws {
    try reader.close()
    try copier.close()
  }
}

/// Whether a reader that sees a certain commit must be reading from the WAL.
///
/// A reader reads from the WAL unless all of it is copied when the reader begins. So it does if it sees a commit that
/// came after the last complete copy. How far that copy came exactly nobody can say: commits go on beside it. But it
/// did not copy a commit that is later than the newest one *after* it has ended.
struct GuardCoverage: Equatable {
  /// The newest commit that may be in a complete copy; nil if there was none since the last mark.
  private var copiedThrough: UInt64?

  /// - Parameter snapshot: the newest commit at open. Whether it has been copied is not known.
  init(openedAt snapshot: UInt64) {
    copiedThrough = snapshot
  }

  /// - Parameter result: of a checkpoint; nil if it failed.
  static func mayHaveCopiedAll(_ result: SQLiteCheckpointResult?) -> Bool {
    guard let result else { return true }
    if let frames = result.framesInWAL, let copied = result.framesCopied { return copied >= frames }
    // SQLite tells of frames unless it was busy before it began to copy: while a commit writes the header of the
    // WAL-index, for instance.
    return !result.isBusy
  }

  /// A checkpoint may have copied everything, and afterwards this was the newest commit.
  mutating func copied(through snapshot: UInt64) {
    copiedThrough = max(snapshot, copiedThrough ?? 0)
  }

  /// A frame that is no commit was written behind all commits, with no checkpoint beside it.
  mutating func marked() {
    copiedThrough = nil
  }

  func covers(_ snapshot: UInt64) -> Bool {
    copiedThrough.map { snapshot > $0 } ?? true
  }
}
