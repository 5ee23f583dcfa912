/// A side of a comparison: a build with the settings that it runs with.
public enum Arm: String, Codable, Sendable, CaseIterable {
  case base, head

  public var other: Arm { self == .base ? .head : .base }
}

/// A run of a comparison before it is made.
public struct PlannedComparedRun: Codable, Sendable, Equatable {
  public var scenario: String
  /// 0 counts instructions, 1 screens all scenarios, 2 confirms those that looked changed. In a bisection: the number
  /// of the round, never 0, negative if the round compares the ends.
  public var stage: Int
  /// The number of the pair, from 1 in each stage of each scenario.
  public var pair: Int
  public var arm: Arm
  /// Whether the run is the first of its pair.
  public var isFirst: Bool
  @PortableInteger public var seed: UInt64

  public init(scenario: String, stage: Int, pair: Int, arm: Arm, isFirst: Bool, seed: UInt64) {
    (self.scenario, self.stage, self.pair) = (scenario, stage, pair)
    (self.arm, self.isFirst, self.seed) = (arm, isFirst, seed)
  }
}

/// One run of one arm. It also has the properties of its plan. The journal of a comparison contains these records; its
/// verdicts depend only on them, the design and the margins.
@dynamicMemberLookup
public struct ComparedRun: Codable, Sendable, Equatable {
  /// The state of the machine before and during the run.
  public struct Host: Codable, Sendable, Equatable {
    /// Load average over one minute when the run began.
    public var loadAverage = 0.0
    /// The duration of a fixed piece of work just before the run, in nanoseconds; nil if it was not timed.
    public var probeNanoseconds: Double?
  }

  public var plan: PlannedComparedRun
  /// The start: ISO 8601, UTC; empty for a run without a record.
  public var startedAt = ""
  /// The duration in seconds, with the fixed work before the run and the reading of its record.
  public var seconds = 0.0
  public var host = Host()
  /// The reason for which the run failed; nil if it did not. An invalid run has not failed, but its pair is left out.
  public var failure: String?
  /// The cause for which all figures of the run are left out: its load was not that of the scenario. nil if they count.
  public var invalidity: String?
  /// The cause for which the disturbed figures of the run are left out; nil without one.
  public var disturbance: String?
  /// The exit code of the run's process; 0 for counted instructions, unless the run failed.
  public var exitCode: Int32 = 0
  public var figures: [RunFigure] = []
  /// One for each workload that has latencies; empty for counted instructions, and for a run without a record.
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

  /// The same as `FigureName.workload` of the workload's figures.
  public var workload: String
  /// In nanoseconds, one for each of `percents` up to the last valid one.
  public var nanoseconds: [Double]

  public init(workload: String, nanoseconds: [Double]) {
    self.workload = workload
    self.nanoseconds = nanoseconds
  }
}

/// The role of a figure in a comparison.
public enum FigureRole: String, Codable, Sendable, CaseIterable {
  /// Throughput, p50 or p99 of a workload. Decides. A percentile with too few durations beyond it becomes secondary.
  case primary
  /// Mean number of instructions of a transaction. Decides.
  case instructions
  /// A count, such as bytes written or allocations. Decides if its verdict is exact (`FigureResult.isExact`).
  case count
  /// Another percentile. Is reported, and decides nothing.
  case secondary
  /// A part of a workload's time or instructions, or a count of its caches' work, which explains a change of the whole.
  case part
}

/// The name of a figure, which is the same in the runs of both arms.
public struct FigureName: Codable, Hashable, Sendable, Comparable {
  /// The scenario, then variant, phase, actor and operation, as far as the figure has them: `hot-reads/run/ui`. Figures
  /// of whole transactions have no operation.
  public var workload: String
  /// Such as `p50`, `throughput` or `WAL peak`.
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
  public var name: FigureName
  public var role: FigureRole
  public var unit: FigureUnit
  public var better = BetterValues.lower
  public var value: Double
  /// The number of durations beyond a percentile; nil for a figure that is no percentile.
  public var exceedances: Int?
  /// Whether the figure is a time that waits of workers, or a pause, may have changed by more than a tenth.
  public var isDisturbed = false
}

extension RunFigure {
  public init(name: FigureName, role: FigureRole, unit: FigureUnit, better: BetterValues = .lower, value: Double) {
    (self.name, self.role, self.unit) = (name, role, unit)
    (self.better, self.value) = (better, value)
  }
}
