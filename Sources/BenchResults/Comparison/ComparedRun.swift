/// The two builds, or configurations, that a comparison is about.
public enum Arm: String, Codable, Sendable, CaseIterable {
  case base, head

  public var other: Arm { self == .base ? .head : .base }
}

/// A run of a comparison before it is made.
public struct PlannedComparedRun: Codable, Sendable, Equatable {
  public var scenario: String
  /// 0 counts instructions, 1 screens all scenarios, 2 confirms those that looked changed.
  public var stage: Int
  /// From 1 in each stage of each scenario.
  public var pair: Int
  public var arm: Arm
  /// Whether it runs before the other arm of its pair.
  public var isFirst: Bool
  public var seed: UInt64

  public init(scenario: String, stage: Int, pair: Int, arm: Arm, isFirst: Bool, seed: UInt64) {
    (self.scenario, self.stage, self.pair) = (scenario, stage, pair)
    (self.arm, self.isFirst, self.seed) = (arm, isFirst, seed)
  }
}

/// One run of one arm. It also has the properties of its plan. The journal of a comparison keeps these records, and its
/// verdicts depend on nothing else.
@dynamicMemberLookup
public struct ComparedRun: Codable, Sendable, Equatable {
  /// The state of the machine while it ran.
  public struct Host: Codable, Sendable, Equatable {
    /// Load average over one minute when the run began.
    public var loadAverage = 0.0
    /// Share of the processors' time that the host gave to other machines, 0 to 1.
    public var stealShare = 0.0
    /// The time of a fixed piece of work just before the run, in nanoseconds; nil if it was not timed.
    public var probeNanoseconds: Double?
  }

  public var plan: PlannedComparedRun
  /// ISO 8601, UTC.
  public var startedAt = ""
  /// Duration of its process, in seconds.
  public var seconds = 0.0
  public var host = Host()
  /// The reason for which its figures do not count; nil if they count.
  public var failure: String?
  /// The exit code of the run.
  public var exitCode: Int32 = 0
  public var figures: [RunFigure] = []
  /// One for each workload that has latencies.
  public var curves: [PercentileCurve] = []

  public init(_ plan: PlannedComparedRun) { self.plan = plan }

  public subscript<Value>(dynamicMember property: WritableKeyPath<PlannedComparedRun, Value>) -> Value {
    get { plan[keyPath: property] }
    set { plan[keyPath: property] = newValue }
  }
}

/// Durations of one workload at fixed percentiles, for pictures only: no verdict depends on them.
public struct PercentileCurve: Codable, Sendable, Equatable {
  /// The percentiles of every curve.
  public static let percents: [Double] = [
    1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.98, 99.99,
  ]

  /// As in the workload's figures.
  public var workload: String
  /// In nanoseconds, one for each of `percents` up to the last one beyond which at least ten durations lie.
  public var nanoseconds: [Double]

  public init(workload: String, nanoseconds: [Double]) {
    self.workload = workload
    self.nanoseconds = nanoseconds
  }
}

/// Says whether lower or higher values of a figure are better.
public enum BetterValues: String, Codable, Sendable {
  case lower, higher
}

/// The role of a figure in a comparison.
public enum FigureRole: String, Codable, Sendable, CaseIterable {
  /// Decides: throughput, p50 and p99 of a workload.
  case primary
  /// Instructions of one transaction. Decides.
  case instructions
  /// A count, such as bytes written or allocations. Decides if its verdict is exact (`FigureResult.isExact`).
  case count
  /// Is reported, and decides nothing.
  case secondary
  /// A part of a workload's time, which explains a change of the whole.
  case part
}

/// Names a figure across the runs of both arms.
public struct FigureName: Codable, Hashable, Sendable, Comparable {
  /// Scenario, variant if there is one, phase, actor, and operation if it is not the transaction: `hot-reads/run/ui`.
  public var workload: String
  /// Such as `p50`, `throughput` or `wal bytes`.
  public var metric: String

  public init(workload: String, metric: String) {
    self.workload = workload
    self.metric = metric
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.workload, left.metric) < (right.workload, right.metric)
  }

  public var text: String { "\(workload) \(metric)" }
}

/// One figure of one run.
public struct RunFigure: Codable, Sendable, Equatable {
  public enum Unit: String, Codable, Sendable {
    case nanoseconds = "ns"
    case perSecond = "1/s"
    case bytes = "B"
    /// A count, or a count per operation.
    case number = ""
  }

  public var name: FigureName
  public var role: FigureRole
  public var unit: Unit
  public var better = BetterValues.lower
  public var value: Double
  /// The number of durations beyond a percentile; nil for other figures.
  public var exceedances: Int?
}

extension RunFigure {
  public init(name: FigureName, role: FigureRole, unit: Unit, better: BetterValues = .lower, value: Double) {
    (self.name, self.role, self.unit) = (name, role, unit)
    (self.better, self.value) = (better, value)
  }
}
