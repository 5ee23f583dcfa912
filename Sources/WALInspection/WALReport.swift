internal import HarnessPrimitives

/// The contents of a database's WAL at one moment, its readers, and the frames that they hold. Counts are in frames of
/// `frameBytes` bytes, unless their names say otherwise.
package struct WALReport: Sendable, Equatable, Codable {
  /// A process that holds a lock, with its name in the kernel; "?" if that cannot be read.
  package struct Holder: Sendable, Equatable, Codable {
    package var process: Int
    package var name: String
  }

  /// A mark that at least one process holds, and the frames that its readers keep.
  package struct Reader: Sendable, Equatable, Codable {
    /// 0 for readers that read only the database file; 1 to 4 for the others. Several readers may share a mark.
    package var mark: Int
    /// The last frame that a checkpoint may copy while the mark is held: usually the readers' last; 0 for mark 0.
    package var frame: Int
    /// Frames committed after `frame`; 0 for mark 0.
    package var framesBehind: Int
    /// Frames that a checkpoint could copy in addition if only these readers ended; readers of mark 0 are disregarded.
    package var framesHeldAlone: Int
    package var holders: [Holder]
  }

  /// The work of the first open after a crash.
  package struct Recovery: Sendable, Equatable, Codable {
    /// The bytes that recovery reads: the WAL up to and including its first invalid frame.
    package var walBytes = 0
    /// The time of this inspection, which read and checked every frame; nil if the WAL is empty or was read earlier.
    package var readNanoseconds: UInt64?
  }

  package var path: String
  package var pageSize: Int
  package var databaseBytes: Int
  /// The size of the WAL file, which does not shrink when the WAL restarts; 0 if there is none.
  package var walBytes = 0
  package var frameBytes: Int
  /// The restart counter of the WAL's header; nil without a valid header.
  package var generation: UInt32?
  /// Valid frames in the WAL, including those after the last commit, of a running transaction or left over.
  package var validFrames = 0
  package var committedFrames = 0
  package var commits = 0
  /// Distinct pages among the committed frames.
  package var committedPages = 0
  /// Frames that are in the database file as well; nil if no process uses the WAL-index, or if it cannot be read.
  package var copiedFrames: Int?
  /// The number of frames that would be in the database file after a checkpoint now; nil if `copiedFrames` is.
  package var copyableFrames: Int?
  package var readers: [Reader] = []
  package var writer: [Holder] = []
  package var checkpointer: [Holder] = []
  package var recoverer: [Holder] = []
  /// The processes that have the database open.
  package var openedBy: [Holder] = []
  /// The process that has the database open with `locking_mode = exclusive`, and the WAL-index in its own memory; or
  /// the last process while it closes the database.
  package var exclusiveHolders: [Holder] = []
  package var recovery = Recovery()
  /// Whether all figures belong to one moment. False if the WAL was restarted during every attempt to read it.
  package var isConsistent = true

  /// Committed frames that are not yet in the database file; nil if `copiedFrames` is.
  package var backlogFrames: Int? { copiedFrames.map { max(committedFrames - $0, 0) } }
}

/// The reason why a database cannot be inspected.
package struct InspectionError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// There is no such file.
    case missing
    /// The file is not a regular file, or cannot be read.
    case unreadable
    /// The file is not an SQLite database in WAL mode.
    case notDatabase
  }

  package var path: String
  package var kind: Kind
  package var problem: String
  package var remedy: String

  package var description: String { "\(path): \(problem). \(remedy)" }
}

extension InspectionError {
  init(_ problem: FileProblem) {
    let remedy =
      switch problem.reason {
      case .notRegular: "Name a database file, and check the files beside it that end in -wal and -shm."
      case .missing, .system: "Check its permissions and its disk."
      }
    self.init(path: problem.path, kind: .unreadable, problem: problem.explanation, remedy: remedy)
  }
}
