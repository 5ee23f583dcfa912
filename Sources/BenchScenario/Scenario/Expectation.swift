public import BenchResults

/// The comparison of a measured value with the expected one.
public enum Comparison: String, CaseIterable, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "=="

  public func holds(_ measured: Double, _ expected: Double) -> Bool {
    switch self {
    case .less: measured < expected
    case .lessOrEqual: measured <= expected
    case .greater: measured > expected
    case .greaterOrEqual: measured >= expected
    case .equal: measured == expected
    }
  }
}

/// The scope of an expectation: a phase, an actor in it, or one of that actor's operations.
public struct ExpectationScope: Sendable, Equatable, CustomStringConvertible {
  public var phase: String
  public var actor: String?
  /// The operation's name in a report, such as `advance` for the move of a long-lived snapshot, or an event's word.
  public var operation: String?

  public var description: String {
    phase + (actor.map { "/\($0)" } ?? "") + (operation.map { ".\($0)" } ?? "")
  }
}

/// A claim about the run that is checked at its end, or, as an `abort`, at every sample on what the phase has measured
/// so far.
public struct Expectation: Sendable, Equatable {
  /// The text in the scenario.
  public var source: String
  public var isAbort = false
  public var scope: ExpectationScope
  public var metric: Metric
  /// nil only for a metric that is one number already.
  public var aggregate: Aggregate?
  public var comparison: Comparison
  /// In the base unit: nanoseconds, bytes, per second, or a plain count.
  public var value: Double

  public var unit: MetricUnit { metric.unit }
}

/// A property of the data that must hold while the load runs. A violation outranks every figure: the run reports it
/// instead.
public enum Invariant: String, CaseIterable, Sendable, ScenarioWord {
  case knownAnswers, snapshotStability, monotonicSnapshots, atomicCommits, conservation, exactlyOnceNotifications
  case cacheCoherence, noAliasing

  static let noun = "an invariant"

  /// One sentence for the reference.
  var summary: String {
    switch self {
    case .knownAnswers:
      "Every value contains its collection, key, commit and checksum, and each read returns the value that "
        + "its snapshot must contain. At the end of the run, every row is checked."
    case .snapshotStability: "All reads of a key within one snapshot return the same value."
    case .monotonicSnapshots:
      "A connection's snapshot never moves back, and a read sees every commit that was acknowledged before "
        + "the read began."
    case .atomicCommits: "The writes of one transaction become visible together."
    case .conservation: "The sum of the balances that `transfer` moves is the same in every snapshot."
    case .exactlyOnceNotifications:
      "A bookmark that moves receives the notification of each commit in between exactly once, in order."
    case .cacheCoherence: "A cache returns the value that the file contains at the same snapshot."
    case .noAliasing:
      "A change that one connection makes to an object that it has received is not visible to other "
        + "connections. Needs a collection with `codec: json`, because bytes are values and not instances."
    }
  }
}
