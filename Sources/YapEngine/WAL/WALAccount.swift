/// How many frames the WAL has and how many of them are in the database file already.
///
/// A pure account of what SQLite tells: the WAL hook after each commit, and the result of each checkpoint.
struct WALAccount: Equatable {
  /// How often the WAL was written from its beginning again, as far as this process knows.
  private(set) var generation = 0
  /// Frames that are valid in it.
  private(set) var frames: Int
  /// How many of them no reader needs the WAL for any more.
  private(set) var copied = 0
  /// Everything is copied and nobody reads from the WAL: the next commit writes it from its beginning.
  private(set) var isRestartDue = false

  /// - Parameter frames: in the WAL that was found at open.
  init(frames: Int) {
    self.frames = frames
  }

  /// Frames that are only in the WAL.
  var backlog: Int { frames - copied }

  /// Where the newest commit ends.
  var end: WALPosition { WALPosition(generation: generation, frame: frames) }

  /// A commit was written.
  /// - Parameters:
  ///   - count: frames in the WAL after it.
  ///   - hasRestarted: whether the WAL was written from its beginning; only a wholly copied one can be.
  /// - Returns: where the commit ends.
  mutating func committed(framesInWAL count: Int, hasRestarted: Bool) -> WALPosition {
    if hasRestarted { beginAnew() }
    isRestartDue = false
    frames = count
    return end
  }

  /// A checkpoint was made with the write lane held, and SQLite told these numbers.
  mutating func checkpointed(framesInWAL: Int, copied: Int) {
    frames = framesInWAL
    self.copied = copied
  }

  /// A checkpoint was made beside commits: there may be more frames by now than it has seen.
  mutating func checkpointedBesideCommits(framesInWAL: Int, copied: Int) {
    frames = max(frames, framesInWAL)
    self.copied = copied
  }

  /// Everything was copied and nobody reads from the WAL.
  /// - Parameter isTruncated: whether the file was cut to nothing at once.
  mutating func reset(isTruncated: Bool) {
    copied = frames
    if isTruncated { beginAnew() } else { isRestartDue = frames > 0 }
  }

  /// The last frame that a snapshot reads from the WAL; 0 if it reads from the database file alone.
  func frame(of position: WALPosition) -> Int {
    position.generation == generation ? min(position.frame, frames) : 0
  }

  /// Up to which frame a checkpoint can copy.
  /// - Parameter oldestPin: where the oldest pinned snapshot ends; nil if none is pinned.
  func copyableFrame(oldestPin: WALPosition?) -> Int {
    oldestPin.map { max(frame(of: $0), copied) } ?? frames
  }

  /// What was in the WAL is in the database file alone from now on. An empty WAL has no generation to end.
  private mutating func beginAnew() {
    if frames > 0 { generation += 1 }
    frames = 0
    copied = 0
  }
}
