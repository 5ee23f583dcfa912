/// The share of each connection, and of other reasons, in the size of the WAL over the recorded phases. Areas are in
/// bytes × seconds. Each is computed from the samples independently of the others.
public struct BlameResult: Codable, Sendable {
  public struct Connection: Codable, Sendable {
    public var name: String
    /// The area of the frames that could not be checkpointed because of this connection alone.
    public var aloneByteSeconds = 0.0
    /// The maximum size of these frames in a sample.
    public var aloneMaximumBytes = 0
    /// The longest time for which one of its snapshots was pinned, in nanoseconds.
    public var longestPinNanoseconds: UInt64 = 0
    /// The maximum number of commits after its pinned snapshot.
    public var maximumAgeCommits = 0
  }

  public var connections: [Connection] = []
  /// The area of frames that several connections held, so that a move of a single one could not have freed them.
  public var togetherByteSeconds = 0.0
  /// The area of frames that no connection held and no checkpoint had copied yet.
  public var notCopiedByteSeconds = 0.0
  /// The area of frames that had been copied, and of space that the file kept from a longer WAL.
  public var freeByteSeconds = 0.0
  /// The area of the whole WAL file.
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
  /// The measured figure; nil in records of older versions.
  public var figure: FigureID?
  /// The phase of the measured figure.
  public var phase: String
  /// The actor of the measured figure; nil for a figure of the whole phase.
  public var actor: String?
  /// The measured value with its unit, as text.
  public var measured: String
  /// The measured value in base units; nil if there is none.
  public var measuredValue: Double?
  public var comparison: Comparison
  /// The bound with its unit, as text.
  public var limit: String
  /// The bound in base units; nil if it was not measured.
  public var limitValue: Double?
  /// Whether the bound is a measured figure or cost of the machine, and not a value of the scenario.
  public var isLimitMeasured = false
  public var holds: Bool
  /// The range of the figures without the workers' waits, as text, if these may have decided the result; nil if they
  /// have not.
  public var doubt: String?

  public init(
    source: String,
    phase: String,
    actor: String?,
    comparison: Comparison,
    measured: MeasuredValue,
    limit: MeasuredValue
  ) {
    self.source = source
    self.phase = phase
    self.actor = actor
    self.comparison = comparison
    (self.measured, measuredValue) = (measured.text, measured.value)
    (self.limit, limitValue) = (limit.text, limit.value)
    holds = if let value = measured.value, let bound = limit.value { comparison.holds(value, bound) } else { false }
  }

  /// Whether the measured values decide against the expectation.
  public var hasFailed: Bool { !holds && doubt == nil }

  /// Whether one of the values was not measured.
  public var isOpen: Bool { measuredValue == nil || limitValue == nil }

  /// The distance of the measured value from the limit, as a share of the limit; negative below it. nil if a value is
  /// missing or the limit is 0.
  public var distanceFromLimit: Double? {
    guard let measuredValue, let limitValue, limitValue != 0 else { return nil }
    return (measuredValue - limitValue) / abs(limitValue)
  }
}

/// A value in base units, nil if nothing was measured, and its text with a unit.
public struct MeasuredValue: Sendable {
  public var value: Double?
  public var text: String

  public init(_ value: Double?, text: String) { (self.value, self.text) = (value, text) }
}

/// One expectation that compares two variants, for one pair of them.
///
/// Repetitions of both variants with the same number form a pair, and so do the others, in their order.
public struct VariantExpectationResult: Codable, Sendable {
  public enum Outcome: String, Codable, Sendable {
    case passed, failed
    /// The interval contains the limit, the pairs are fewer than 6, or a value is 0 and the pairs disagree.
    case undecided
    /// No pair has both values: a variant was not run, its runs ended early, or nothing was measured.
    case open
  }

  /// The expectation in the syntax of the scenario.
  public var source: String
  /// The figure on the left; nil in records of older versions.
  public var figure: FigureID?
  /// The label of the variant on the left of the comparison.
  public var variant: String
  /// The label of the variant on the right.
  public var otherVariant: String
  /// The number of pairs of repetitions.
  public var pairs = 0
  /// The Hodges–Lehmann estimate of the pairs' ratio, left to right; nil without positive values.
  public var ratio: Double?
  /// The ends of its interval, with a confidence of 95 %; nil with fewer than 6 pairs.
  public var lowerRatio: Double?
  public var upperRatio: Double?
  public var comparison: Comparison
  /// The factor before the figure on the right.
  public var limitRatio: Double
  public var outcome = Outcome.open
  /// The reason if it is undecided or open, else empty.
  public var reason = ""

  public init(source: String, variants: (String, String), comparison: Comparison, limitRatio: Double) {
    self.source = source
    (variant, otherVariant) = variants
    (self.comparison, self.limitRatio) = (comparison, limitRatio)
  }
}

/// One invariant of the scenario.
public struct InvariantResult: Codable, Sendable {
  public var name: String
  /// The number of checks; 0 if the invariant was never checked.
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
  /// The time of one operation with the null driver (drawing the key, clock, histogram) in a closed loop on one thread:
  /// the median of several short runs just after the measurement, in nanoseconds.
  public var nullOperationNanoseconds = 0.0
  /// The time of one reading of the clock, in nanoseconds. Earlier versions read it here instead of in `MachineCosts`.
  public var clockNanoseconds = 0.0
  /// The processor time of taking samples and of collecting the workers' times, as a share of the phases' time; nil if
  /// no phase took any time.
  public var lookingShare: Double?
  /// The time of recording one transaction of an open load, without the readings of the clock, in nanoseconds.
  public var recordingNanoseconds = 0.0
  /// The harness's part of the measured times of the actors' operations; nil if it was not measured.
  public var overheads: [HarnessOverhead]?
  /// Share of the processors' time that the host gave to other machines, 0 to 1.
  public var stealShare = 0.0
  /// The reasons not to trust the figures; empty if there are none.
  public var distrust: [String] = []
  /// The cause for which the load was not that of the scenario, in a few words; nil if it was.
  public var loadFault: String?
  /// The cause of the disturbance of times, in a few words; nil if no recorded phase was disturbed.
  public var disturbance: String?

  public init() {}
}

/// The harness's own part of the measured times of an actor's operation.
public struct HarnessOverhead: Codable, Sendable, Equatable {
  public var actor: String
  /// The operation's name, or `OperationResult.transaction`.
  public var operation: String
  /// The median time of the operation with the null driver, in a closed load on one thread, in nanoseconds.
  public var nanoseconds: UInt64

  public init(actor: String, operation: String, nanoseconds: UInt64) {
    self.actor = actor
    self.operation = operation
    self.nanoseconds = nanoseconds
  }
}

extension HarnessResult {
  /// The share of a median from which on it is marked, because it describes the harness too much.
  public static let markedShare = 0.1

  /// Returns the harness's share of an operation's median, 0 to 1; nil if it was not measured.
  /// - Parameter median: in nanoseconds.
  public func share(ofMedian median: UInt64, operation: String, actor: String) -> Double? {
    guard median > 0, let found = overheads?.first(where: { $0.actor == actor && $0.operation == operation }) else {
      return nil
    }
    return min(Double(found.nanoseconds) / Double(median), 1)
  }
}

/// The conclusion about a run, or about all runs of a scenario.
public struct VerdictResult: Codable, Sendable {
  public var exitCode: ExitStatus
  /// The conclusion in one line.
  public var headline: String
  /// Every reason, the most severe first; empty if there is none.
  public var reasons: [String]

  public init(exitCode: ExitStatus, headline: String, reasons: [String]) {
    self.exitCode = exitCode
    self.headline = headline
    self.reasons = reasons
  }
}
