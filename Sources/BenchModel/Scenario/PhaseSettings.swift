/// A stretch of the run, in which some actors act.
public struct PhaseSettings: Sendable, Equatable {
  public var name: String
  public var end: PhaseEnd
  /// `false` labels a warm-up: it is sampled all the same, never mixed in.
  public var records: Bool
  public var actors: [PhaseActor]
  /// In the order of their times.
  public var events: [PhaseEvent]

  public init(
    name: String,
    end: PhaseEnd,
    records: Bool = true,
    actors: [PhaseActor],
    events: [PhaseEvent] = []
  ) {
    self.name = name
    self.end = end
    self.records = records
    self.actors = actors
    self.events = events
  }
}

/// What ends a phase.
public enum PhaseEnd: Sendable, Equatable {
  case duration(nanoseconds: UInt64)
  /// So many operations of all its actors together.
  case operations(Int)
  /// As soon as the condition holds; not within that time is a failure.
  case until(PhaseCondition, withinNanoseconds: UInt64)

  /// The longest that the phase may take; 0 where the end has no time.
  public var plannedNanoseconds: UInt64 {
    switch self {
    case .duration(let nanoseconds), .until(_, let nanoseconds): nanoseconds
    case .operations: 0
    }
  }
}

/// What a phase waits for, such as `wal.backlogFrames == 0` or `steady(throughput 1% 10s)`.
public struct PhaseCondition: Sendable, Equatable {
  public enum Rule: Sendable, Equatable {
    /// With a value in the metric's base unit.
    case compares(Comparison, Double)
    /// Each tenth of the last `windowNanoseconds` is within a share of the mean of all ten.
    case steady(tolerance: Double, windowNanoseconds: UInt64)
  }

  /// As the scenario writes it.
  public var source: String
  public var metric: Metric
  public var rule: Rule

  public init(source: String, metric: Metric, rule: Rule) {
    self.source = source
    self.metric = metric
    self.rule = rule
  }

  var isSteadiness: Bool {
    if case .steady = rule { true } else { false }
  }
}

/// An actor in a phase, with what the phase changes about it.
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
