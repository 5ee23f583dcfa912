/// Who kept how much of the WAL alive for how long, over the recorded phases. All areas are in bytes × seconds, each
/// computed by itself from the samples.
public struct BlameResult: Codable, Sendable {
  public struct Connection: Codable, Sendable {
    public var name: String
    /// What it alone kept from being checkpointed.
    public var aloneByteSeconds: Double
    /// The most bytes that it alone kept at any moment.
    public var aloneMaximumBytes: Int
    /// The longest time that one snapshot of its was pinned, in nanoseconds.
    public var longestPinNanoseconds: UInt64
    /// The most commits that it was behind.
    public var maximumAgeCommits: Int

    public init(
      name: String,
      aloneByteSeconds: Double = 0,
      aloneMaximumBytes: Int = 0,
      longestPinNanoseconds: UInt64 = 0,
      maximumAgeCommits: Int = 0
    ) {
      self.name = name
      self.aloneByteSeconds = aloneByteSeconds
      self.aloneMaximumBytes = aloneMaximumBytes
      self.longestPinNanoseconds = longestPinNanoseconds
      self.maximumAgeCommits = maximumAgeCommits
    }
  }

  public var connections: [Connection] = []
  /// What several connections held at once: the move of no single one would have freed it.
  public var togetherByteSeconds = 0.0
  /// What nobody held and no checkpoint had copied yet.
  public var notCopiedByteSeconds = 0.0
  /// What had been copied and was free to be written over.
  public var freeByteSeconds = 0.0
  /// The area under the size of the WAL file.
  public var walByteSeconds = 0.0

  public init() {}
}

/// One expectation of the scenario.
public struct ExpectationResult: Codable, Sendable {
  /// As it is written in the scenario.
  public var source: String
  /// What was measured, with its unit, for people.
  public var measured: String
  /// The same in base units; nil when nothing was measured.
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
  /// How often it was checked. 0 means that it was never put to the test.
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
