/// A part of the run, with the actors that act in it.
public struct PhaseSettings: Sendable, Equatable {
  public var name: String
  public var end: PhaseEnd
  /// `false` for a warm-up, which is sampled too but left out of every figure.
  public var records = true
  public var actors: [PhaseActor]
  /// In the order of their times.
  public var events: [PhaseEvent] = []
}

extension [PhaseSettings] {
  /// The longest time that they take together, without phases that count operations.
  var plannedNanoseconds: UInt64 {
    reduce(0) { sum, phase in
      let (longer, overflow) = sum.addingReportingOverflow(phase.end.plannedNanoseconds ?? 0)
      return overflow ? .max : longer
    }
  }
}

/// The condition that ends a phase.
public enum PhaseEnd: Sendable, Equatable {
  case duration(nanoseconds: UInt64)
  /// A number of operations of all its actors together.
  case operations(Int)
  /// The first sample for which the condition holds; the run fails if there is none within that time.
  case until(PhaseCondition, withinNanoseconds: UInt64)

  /// The longest time that the phase may take; nil for a number of operations, whose time is unknown.
  public var plannedNanoseconds: UInt64? {
    switch self {
    case .duration(let nanoseconds), .until(_, let nanoseconds): nanoseconds
    case .operations: nil
    }
  }
}

/// A condition that a phase waits for, such as `wal.backlogFrames == 0` or `steady(throughput 1% 10s)`.
public struct PhaseCondition: Sendable, Equatable {
  public enum Rule: Sendable, Equatable {
    /// The value is in the metric's base unit.
    case compares(Comparison, Double)
    /// Each tenth of the last `windowNanoseconds` is within a share of the mean of all ten.
    case steady(tolerance: Double, windowNanoseconds: UInt64)
  }

  /// The text in the scenario.
  public var source: String
  public var metric: Metric
  public var rule: Rule

  var isSteadiness: Bool {
    if case .steady = rule { true } else { false }
  }
}

/// An actor in a phase, with the phase's overrides.
public struct PhaseActor: Sendable, Equatable {
  /// The actor's settings, the phase's overrides already merged in.
  public var settings: ActorSettings
  /// The keys that the phase overrides, in its order.
  public var overriddenKeys: [String]

  public var name: String { settings.name }

  public init(_ settings: ActorSettings, overriddenKeys: [String] = []) {
    self.settings = settings
    self.overriddenKeys = overriddenKeys
  }
}
