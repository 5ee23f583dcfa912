internal import BenchResults
internal import SQLiteBinding

/// A database in SQLite's WAL mode, whose automatic checkpoints the driver makes.
protocol SQLiteFileDatabase: CountingDatabase {
  var walRecord: SQLiteWALRecord { get }
  /// Whether a commit that leaves many frames in the WAL makes a checkpoint.
  var checkpointsAutomatically: Bool { get }
}

extension SQLiteFileDatabase {
  func observe() -> EngineSample? { walRecord.state(newest: commit) }

  func checkpoints(after number: Int) -> [CheckpointResult] { walRecord.checkpoints(after: number) }

  /// Records and reports a commit, and makes the automatic checkpoint if it is due. Must be called with the writers'
  /// lock held.
  /// - Parameter handle: The handle that has made the commit.
  /// - Returns: The duration of the checkpoint in nanoseconds; 0 if there was none.
  @discardableResult
  func finishCommit(_ commit: UInt64, on handle: SQLiteHandle) throws -> UInt64 {
    let frames = handle.walFramesAfterCommit
    walRecord.recordCommit(commit, frames: frames)
    commits.report(commit)
    guard checkpointsAutomatically, frames >= SQLiteTables.framesOfAutomaticCheckpoint else { return 0 }
    return try walRecord.checkpointAutomatically(on: handle)
  }
}
