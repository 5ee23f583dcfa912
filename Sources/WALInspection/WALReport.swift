/// What the WAL of a database holds at one moment, who reads from it, and what that keeps there. Counts are of frames,
/// which have `frameBytes` bytes each, unless their names say otherwise.
public struct WALReport: Sendable, Equatable, Codable {
  /// A process, with the name that the kernel has for it.
  public struct Holder: Sendable, Equatable, Codable {
    public var process: Int
    public var name: String
  }

  /// A mark that somebody holds: up to which frame its readers read.
  public struct Reader: Sendable, Equatable, Codable {
    /// 0 is for readers that read from the database file alone; 1 to 4 for the others. Several readers may share one.
    public var mark: Int
    /// 0 for mark 0.
    public var frame: Int
    /// Committed since.
    public var framesBehind: Int
    /// What could be copied if these readers went, and the others stayed.
    public var framesHeldAlone: Int
    public var holders: [Holder]
  }

  /// What a first open after a crash has to do.
  public struct Recovery: Sendable, Equatable, Codable {
    /// The bytes that recovery reads: the WAL up to its first invalid frame.
    public var walBytes = 0
    /// What reading it, and checking each frame, took here.
    public var readNanoseconds: UInt64?
  }

  public var path: String
  public var pageSize: Int
  public var databaseBytes: Int
  /// The length of the file, which does not shrink when the WAL begins anew. 0 where there is none.
  public var walBytes = 0
  public var frameBytes: Int
  /// Counts how often the WAL has begun anew.
  public var generation: UInt32?
  /// In the WAL and valid: those of a transaction that is being written are among them.
  public var validFrames = 0
  public var committedFrames = 0
  public var commits = 0
  /// Different pages among the committed frames.
  public var committedPages = 0
  /// In the database file, too. nil where nobody has the database open, or its index is not whole.
  public var copiedFrames: Int?
  /// How far a checkpoint could come now.
  public var copyableFrames: Int?
  public var readers: [Reader] = []
  public var writer: [Holder] = []
  public var checkpointer: [Holder] = []
  public var recoverer: [Holder] = []
  /// The processes that have the database open in WAL mode.
  public var openedBy: [Holder] = []
  /// The process that has the database open with `locking_mode = exclusive`. Its WAL-index is in its own memory.
  public var exclusiveHolders: [Holder] = []
  public var recovery = Recovery()
  /// Whether all figures belong to one moment. They may not, where the WAL was restarted during each of many looks.
  public var isConsistent = true

  init(path: String, pageSize: Int, databaseBytes: Int, frameBytes: Int) {
    self.path = path
    self.pageSize = pageSize
    self.databaseBytes = databaseBytes
    self.frameBytes = frameBytes
  }

  /// Not yet in the database file.
  public var backlogFrames: Int? { copiedFrames.map { max(committedFrames - $0, 0) } }
}
