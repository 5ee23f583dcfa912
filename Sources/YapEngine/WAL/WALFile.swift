internal import Glibc

/// The WAL file, accessed outside SQLite.
///
/// Only this file may be opened beside SQLite. Closing any descriptor of the database file or of the -shm file would
/// drop every lock that the process holds on it, and another process could truncate the WAL during a read.
struct WALFile {
  private let path: String
  private var descriptor: Int32 = -1
  private var knownSalt: UInt64?

  init(databasePath: String) {
    path = databasePath + "-wal"
  }

  /// Returns the file's size in bytes; 0 if there is no file.
  static func size(databasePath: String) -> Int {
    var status = stat()
    return stat(databasePath + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns the number of frames that fit into a WAL file: a header of 32 bytes, and 24 bytes before each page.
  static func frames(inBytes bytes: Int, pageSize: Int) -> Int { max(bytes - 32, 0) / (pageSize + 24) }

  /// Whether the WAL has restarted since the last call. The first call that finds a header returns false.
  ///
  /// SQLite draws a new salt at each restart: bytes 16 to 23 of the header,
  /// https://sqlite.org/fileformat2.html#walformat
  mutating func detectRestart() -> Bool {
    if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
    var salt: UInt64 = 0
    guard descriptor >= 0, pread(descriptor, &salt, 8, 16) == 8 else { return false }
    defer { knownSalt = salt }
    return knownSalt.map { $0 != salt } ?? false
  }

  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

/// The number of frames in the WAL, and how many of them are in the database file.
///
/// A pure account of SQLite's reports: the WAL hook after each commit, and the result of each checkpoint.
struct WALAccount: Equatable {
  /// The number of restarts of the WAL since the database was opened.
  private(set) var generation = 0
  /// The number of valid frames in the WAL. Before the first commit or checkpoint, an upper bound.
  private(set) var frames: Int
  /// The number of those frames that are in the database file.
  private(set) var copied = 0
  /// Whether a reset has succeeded since the last commit, so that the next commit restarts the WAL.
  private(set) var isRestartDue = false

  /// - Parameter frames: The number of frames in the WAL at open, or an upper bound.
  init(frames: Int) {
    self.frames = frames
  }

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
