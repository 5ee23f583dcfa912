/// The share of each connection, and of other reasons, in the size of the WAL over the recorded phases.
///
/// Areas are in bytes × seconds. Each is computed from the samples independently of the others.
public struct BlameResult: Codable, Sendable {
  public struct Connection: Codable, Sendable {
    public var name: String
    /// The area of the frames that could not be checkpointed because of this connection alone.
    public var aloneByteSeconds = 0.0
    /// The maximum size of these frames.
    public var aloneMaximumBytes = 0
    /// The longest time for which one of its snapshots was pinned, in nanoseconds.
    public var longestPinNanoseconds: UInt64 = 0
    /// The maximum number of commits after its snapshot.
    public var maximumAgeCommits = 0
  }

  public var connections: [Connection] = []
  /// Frames held by several connections, so that no single connection could have freed them by a move.
  public var togetherByteSeconds = 0.0
  /// Frames that no connection held and no checkpoint had copied yet.
  public var notCopiedByteSeconds = 0.0
  /// Frames that had been copied and could be overwritten.
  public var freeByteSeconds = 0.0
  /// The area under the size of the WAL file.
  public var walByteSeconds = 0.0

  public init() {}
}

extension BlameResult.Connection {
  public init(name: String) { self.name = name }
}

/// One expectation of the scenario.
public struct ExpectationResult: Codable, Sendable {
  /// The expectation in the syntax of the scenario.
  public var source: String
  /// The measured value with its unit, for people.
  public var measured: String
  /// The measured value in base units; nil if there is none.
  public var measuredValue: Double?
  public var holds: Bool

  public init(source: String, measured: String, measuredValue: Double?, holds: Bool) {
    self.source = source
    self.measured = measured
    self.measuredValue = measuredValue
    self.holds = holds
  }
}

/// One invariant of the scenario.
public struct InvariantResult: Codable, Sendable {
  public var name: String
  /// The number of checks; 0 if the invariant was never tested.
  public var checks: Int
  /// The first violations, in words.
  public var violations: [String]

  public init(name: String, checks: Int, violations: [String]) {
    self.name = name
    self.checks = checks
    self.violations = violations
  }
}

/// The harness's own costs and faults.
public struct HarnessResult: Codable, Sendable {
  /// The null driver's cost of one operation (key, mix, clock, histogram) in a closed loop on one thread: the median of
  /// several short runs just after the measurement, in nanoseconds.
  public var nullOperationNanoseconds = 0.0
  /// One reading of the clock, in nanoseconds.
  public var clockNanoseconds = 0.0
  /// The processor time of taking samples and of collecting the workers' times, as a share of the phases' time; nil if
  /// no phase took any time.
  public var lookingShare: Double?
  /// The cost of recording one transaction of an open load, without the readings of the clock.
  public var recordingNanoseconds = 0.0
  /// Share of the time in which the host gave the processors to other machines, 0 to 1.
  public var stealShare = 0.0
  /// The reasons not to trust the figures; empty if there are none.
  public var distrust: [String] = []

  public init() {}
}

/// The conclusion about a run, or about all runs of a scenario.
public struct VerdictResult: Codable, Sendable {
  public var exitCode: ExitStatus
  /// One line for people.
  public var headline: String
  /// Every reason, the most severe first; empty if there is none.
  public var reasons: [String]

  public init(exitCode: ExitStatus, headline: String, reasons: [String]) {
    self.exitCode = exitCode
    self.headline = headline
    self.reasons = reasons
  }
}
