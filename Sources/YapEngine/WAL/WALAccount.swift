/// The number of frames in the WAL, and how many of them are in the database file.
///
/// A pure account of SQLite's reports: the WAL hook after each commit, and the result of each checkpoint.
struct WALAccount: Equatable {
  /// The number of restarts of the WAL since the database was opened.
  private(set) var generation = 0
  /// The number of valid frames in the WAL. Before the first commit or checkpoint, the number at open, or
  /// an upper bound.
  private(set) var frames: Int
  /// The number of those frames that are in the database file.
  private(set) var copied = 0
  /// Whether a reset has succeeded since the last commit, so that the next commit restarts the WAL.
  private(set) var isRestartDue = false

  /// The number of frames that are only in the WAL.
  var backlog: Int { frames - copied }

  /// The position at which the newest commit ends.
  var end: WALPosition { WALPosition(generation: generation, frame: frames) }

  /// Records a written commit.
  /// - Parameters:
  ///   - count: The number of frames in the WAL after the commit.
  ///   - hasRestarted: Whether the WAL has restarted, which requires that all of it was copied.
  /// - Returns: The position at which the commit ends.
  mutating func recordCommit(framesInWAL count: Int, hasRestarted: Bool) -> WALPosition {
    if hasRestarted { beginGeneration() }
    isRestartDue = false
    frames = count
    return end
  }

  /// Records the numbers that SQLite reported for a checkpoint with the write lane held.
  mutating func recordCheckpoint(framesInWAL: Int, copied: Int) {
    frames = framesInWAL
    self.copied = copied
  }

  /// Records a checkpoint beside commits. There may be more frames by now than the checkpoint has seen.
  mutating func recordCheckpointBesideCommits(framesInWAL: Int, copied: Int) {
    frames = max(frames, framesInWAL)
    self.copied = copied
  }

  /// Records that everything was copied and no reader reads from the WAL, so that it restarts.
  /// - Parameter isTruncated: Whether the file was truncated to 0 bytes immediately.
  mutating func recordReset(isTruncated: Bool) {
    copied = frames
    if isTruncated { beginGeneration() } else { isRestartDue = frames > 0 }
  }

  /// Returns the last frame of the WAL up to a position; 0 if the position is from before the last restart.
  func frame(of position: WALPosition) -> Int {
    position.generation == generation ? min(position.frame, frames) : 0
  }

  /// Returns the frame up to which a checkpoint can copy.
  /// - Parameter oldestPin: The position at which the oldest pinned snapshot ends; nil if none is pinned.
  func copyableFrame(oldestPin: WALPosition?) -> Int {
    oldestPin.map { max(frame(of: $0), copied) } ?? frames
  }

  /// Begins a new generation of the WAL. If the WAL is empty, its generation has already begun.
  private mutating func beginGeneration() {
    if frames > 0 { generation += 1 }
    frames = 0
    copied = 0
  }
}
