/// One entry of the checkpoint ledger, as a driver reports it and as results record it.
public struct CheckpointResult: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    /// Every frame of the WAL is in the database file.
    case complete
    /// Every frame is in the database file and no reader reads from the WAL, so the WAL restarts.
    case reset
    /// All frames that the WAL had at the start are in the database file; the others were committed during the
    /// checkpoint.
    case overtaken
    /// A pinned snapshot prevented copying the remaining frames.
    case partialPinned
    /// A reader did not reach the newest snapshot while writers waited for it.
    case gaveUp
    /// SQLite needed a lock that another connection held.
    case busy
    case failed

    public var copiesEverything: Bool { self == .complete || self == .reset }
  }

  /// The checkpoint's number, counted from 1: of the run, or of the database that reports it.
  public var number: Int
  /// The phase in which the sampler collected the checkpoint; empty in a driver's report.
  public var phase = ""
  /// The start, in nanoseconds since the run's first phase began; in a driver's report, on the monotonic clock.
  public var elapsedNanoseconds: UInt64 = 0
  public var mode: String
  public var cause: String
  public var waitNanoseconds: UInt64 = 0
  public var durationNanoseconds: UInt64 = 0
  public var framesInWAL = 0
  public var framesCopied = 0
  public var framesLeft = 0
  /// The bytes written to the database file. A page that is in the WAL several times is written once. If writes are not
  /// counted, the size of as many pages as frames were copied.
  public var bytesCopied = 0
  /// The number of syncs; nil if not counted.
  public var syncs: Int?
  public var outcome: Outcome
  public var pinnedBy: String?
  /// The part of the duration during which writers had to wait for the checkpoint.
  public var laneNanoseconds: UInt64 = 0
  /// The number of commits made during the checkpoint.
  public var overlappingCommits = 0
  /// The number of writers that were waiting for the checkpoint when it ended.
  public var stalledWriters = 0
}

extension CheckpointResult {
  public init(number: Int, mode: String, cause: String, outcome: Outcome) {
    (self.number, self.mode, self.cause, self.outcome) = (number, mode, cause, outcome)
  }
}
