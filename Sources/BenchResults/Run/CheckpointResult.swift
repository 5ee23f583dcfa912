/// One entry of the checkpoint ledger, as a driver reports it and as results record it.
public struct CheckpointResult: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    /// Every frame of the WAL is in the database file.
    case complete
    /// Every frame is in the database file and no reader reads from the WAL, so the WAL restarts.
    case reset
    /// A pinned snapshot prevented copying the remaining frames.
    case partialPinned
    /// A reader did not reach the newest snapshot while writers waited for it.
    case gaveUp
    /// SQLite needed a lock that another connection held.
    case busy
    case failed

    public var copiesEverything: Bool { self == .complete || self == .reset }
  }

  /// The checkpoint's number, counted from 1 for each database.
  public var number: Int
  /// The phase at whose samples the checkpoint was found; empty as a driver reports it.
  public var phase: String
  /// The start, in nanoseconds since the run's first phase began; as a driver reports it, of the monotonic clock.
  public var elapsedNanoseconds: UInt64
  public var mode: String
  public var cause: String
  public var waitNanoseconds: UInt64
  public var durationNanoseconds: UInt64
  public var framesInWAL: Int
  public var framesCopied: Int
  public var framesLeft: Int
  /// The bytes written to the database file. A page that is in the WAL several times is written once. If writes are not
  /// counted, the size of as many pages as frames were copied.
  public var bytesCopied: Int
  /// The number of files synced; nil if not counted.
  public var syncs: Int?
  public var outcome: Outcome
  public var pinnedBy: String?
  /// The part of the duration during which writers had to wait for the checkpoint.
  public var laneNanoseconds: UInt64
  /// The number of commits made during the checkpoint.
  public var overlappingCommits: Int
  /// The number of writers that were waiting for the checkpoint when it ended.
  public var stalledWriters: Int

  public init(
    number: Int,
    phase: String = "",
    elapsedNanoseconds: UInt64,
    mode: String,
    cause: String,
    waitNanoseconds: UInt64,
    durationNanoseconds: UInt64,
    framesInWAL: Int,
    framesCopied: Int,
    framesLeft: Int,
    bytesCopied: Int,
    syncs: Int? = nil,
    outcome: Outcome,
    pinnedBy: String?,
    laneNanoseconds: UInt64 = 0,
    overlappingCommits: Int = 0,
    stalledWriters: Int = 0
  ) {
    self.number = number
    self.phase = phase
    self.elapsedNanoseconds = elapsedNanoseconds
    self.mode = mode
    self.cause = cause
    self.waitNanoseconds = waitNanoseconds
    self.durationNanoseconds = durationNanoseconds
    self.framesInWAL = framesInWAL
    self.framesCopied = framesCopied
    self.framesLeft = framesLeft
    self.bytesCopied = bytesCopied
    self.syncs = syncs
    self.outcome = outcome
    self.pinnedBy = pinnedBy
    self.laneNanoseconds = laneNanoseconds
    self.overlappingCommits = overlappingCommits
    self.stalledWriters = stalledWriters
  }
}
