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
  /// A count, such as bytes written or allocations. Decides where every run of an arm has the same number.
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
  public var better: BetterValues
  public var value: Double
  /// The number of durations beyond a percentile; nil for other figures.
  public var exceedances: Int?

  public init(
    name: FigureName,
    role: FigureRole,
    unit: Unit,
    better: BetterValues = .lower,
    value: Double,
    exceedances: Int? = nil
  ) {
    self.name = name
    self.role = role
    self.unit = unit
    self.better = better
    self.value = value
    self.exceedances = exceedances
  }
}
