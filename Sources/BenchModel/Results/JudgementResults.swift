public import LatencyMetrics

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
      aloneByteSeconds: Double,
      aloneMaximumBytes: Int,
      longestPinNanoseconds: UInt64,
      maximumAgeCommits: Int
    ) {
      self.name = name
      self.aloneByteSeconds = aloneByteSeconds
      self.aloneMaximumBytes = aloneMaximumBytes
      self.longestPinNanoseconds = longestPinNanoseconds
      self.maximumAgeCommits = maximumAgeCommits
    }
  }

  public var connections: [Connection]
  /// What several connections held at once: the move of no single one would have freed it.
  public var togetherByteSeconds: Double
  /// What nobody held and no checkpoint had copied yet.
  public var notCopiedByteSeconds: Double
  /// What had been copied and was free to be written over.
  public var freeByteSeconds: Double
  /// The area under the size of the WAL file.
  public var walByteSeconds: Double

  public init(
    connections: [Connection],
    togetherByteSeconds: Double,
    notCopiedByteSeconds: Double,
    freeByteSeconds: Double,
    walByteSeconds: Double
  ) {
    self.connections = connections
    self.togetherByteSeconds = togetherByteSeconds
    self.notCopiedByteSeconds = notCopiedByteSeconds
    self.freeByteSeconds = freeByteSeconds
    self.walByteSeconds = walByteSeconds
  }
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

/// What the harness says of itself.
public struct HarnessResult: Codable, Sendable {
  /// How a generator kept its schedule in one phase.
  public struct Generator: Codable, Sendable {
    public var phase: String
    public var actor: String
    /// The connection that it used; nil where it used several in turn, or a new one each time.
    public var connection: String?
    /// Whether its load is closed, which has no schedule.
    public var isClosed: Bool
    /// Arrivals that were due before the phase ended; nil for a closed load, and in a phase that counts
    /// operations.
    public var dueArrivals: Int?
    /// Transactions that were begun.
    public var begunArrivals: Int
    /// Arrivals that had waited past the actor's deadline and were dropped; nil in results of older versions.
    public var droppedArrivals: Int?
    /// How late a free worker began after the intended start: the generator's own fault.
    public var lateness: LatencyHistogram
    /// Of the time that its checks and its transactions took together, that of the checks, 0 to 1; nil where nothing
    /// was checked, and in results of older versions.
    public var checkingShare: Double?

    public init(
      phase: String,
      actor: String,
      connection: String? = nil,
      isClosed: Bool,
      dueArrivals: Int?,
      begunArrivals: Int,
      droppedArrivals: Int? = nil,
      lateness: LatencyHistogram,
      checkingShare: Double? = nil
    ) {
      self.phase = phase
      self.actor = actor
      self.connection = connection
      self.isClosed = isClosed
      self.dueArrivals = dueArrivals
      self.begunArrivals = begunArrivals
      self.droppedArrivals = droppedArrivals
      self.lateness = lateness
      self.checkingShare = checkingShare
    }
  }

  /// The null driver's cost of one operation (key, mix, clock, histogram), closed loop, one thread: the median of
  /// several short runs just before this one, in nanoseconds.
  public var nullOperationNanoseconds: Double
  /// One reading of the clock, in nanoseconds.
  public var clockNanoseconds: Double
  /// The processor time of taking samples and of collecting what the workers had timed, as a share of the phases' time;
  /// nil in results of older versions.
  public var lookingShare: Double?
  /// Recording one transaction of an open load, beyond the readings of the clock; nil in results of older versions.
  public var recordingNanoseconds: Double?
  public var generators: [Generator]
  /// Share of the time in which the host gave the processors to somebody else, 0 to 1.
  public var stealShare: Double
  /// Why the figures are not to be trusted; empty when they are.
  public var distrust: [String]

  public init(
    nullOperationNanoseconds: Double,
    clockNanoseconds: Double,
    lookingShare: Double? = nil,
    recordingNanoseconds: Double? = nil,
    generators: [Generator],
    stealShare: Double,
    distrust: [String]
  ) {
    self.nullOperationNanoseconds = nullOperationNanoseconds
    self.clockNanoseconds = clockNanoseconds
    self.lookingShare = lookingShare
    self.recordingNanoseconds = recordingNanoseconds
    self.generators = generators
    self.stealShare = stealShare
    self.distrust = distrust
  }
}

/// The end of it all.
public struct VerdictResult: Codable, Sendable {
  public var exitCode: Int32
  /// One line for people.
  public var headline: String
  /// Every reason, the gravest first; empty when all held.
  public var reasons: [String]

  public init(exitCode: Int32, headline: String, reasons: [String]) {
    self.exitCode = exitCode
    self.headline = headline
    self.reasons = reasons
  }
}
