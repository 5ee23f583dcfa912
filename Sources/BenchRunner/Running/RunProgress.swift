public import BenchModel

/// What a run tells while it lasts. Everything comes from one thread, in order; whoever is slow to listen is
/// not told of every passing moment.
public enum RunProgress: Sendable {
  /// One of several runs begins; a single one is not announced.
  case runBegan(PlannedRun)
  /// Rows of the dataset that are stored, at most ten times a second.
  case loading(collection: String, rows: Int, of: Int)
  /// The dataset is stored, and the run waits until the WAL has gone into the database.
  case settling(walBacklogBytes: Int)
  /// - Parameters:
  ///   - number: from 1.
  ///   - plannedNanoseconds: the longest that it may take; nil where it has no limit.
  case phaseBegan(name: String, number: Int, of: Int, plannedNanoseconds: UInt64?)
  /// At every sample.
  case sampled(RunMoment)
  /// The phase is over and its workers are asked to stop; this one has not finished its transaction for a while.
  case waiting(phase: String, actors: [String], nanoseconds: UInt64)
  case phaseEnded(name: String, end: PhaseResult.End, nanoseconds: UInt64)
  /// All phases are over; what is left, such as "checking every row".
  case finishing(what: String)
}

/// One moment of a run, for people who watch it.
public struct RunMoment: Sendable {
  public var phase: String
  /// Since the phase began.
  public var elapsedNanoseconds: UInt64
  /// nil where the phase has no limit.
  public var plannedNanoseconds: UInt64?
  /// Transactions of all actors, since the sample before.
  public var transactionsPerSecond: Double
  /// Of the actor that is slowest by it: the 99th percentile of its transactions' response times, or of their service
  /// times where its load is closed, in the last second that is complete. nil in the first.
  public var p99Nanoseconds: UInt64?
  public var p99Actor: String?
  /// nil for a driver without a WAL.
  public var walBytes: Int?
  /// Of these, what is not in the database file yet.
  public var walBacklogBytes: Int?
  /// Who has pinned the oldest snapshot, if that keeps anything from being copied.
  public var pinnedBy: String?
  public var pinnedNanoseconds: UInt64?
  /// Bytes of the WAL that `pinnedBy` alone keeps.
  public var pinnedBytes: Int?
}
