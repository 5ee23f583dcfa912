/// One side of a comparison.
public struct ComparedArm: Codable, Sendable, Equatable {
  /// The name that the user gave: a path, a revision, or `.` for the running program.
  public var name = ""
  /// nil outside of a checkout.
  public var commit: String?
  public var hasUncommittedChanges = false
  /// Of the executable, in hexadecimal digits.
  public var sha256: String
  /// The changes that only this side makes to the scenarios, as `path=value`.
  public var settings: [String]
}

extension ComparedArm {
  public init(sha256: String, settings: [String]) { (self.sha256, self.settings) = (sha256, settings) }
}

/// The machine on which both sides ran.
public struct ComparedMachine: Codable, Sendable, Equatable {
  public var cpu: String
  public var coreCount: Int
  public var memoryBytes: Int
  public var kernel: String
  public var fileSystem: String
  public var sqliteVersion: String

  /// Whether figures of another comparison are of this machine. The kernel and the memory that it reports may change
  /// with an update.
  public func isSame(as other: ComparedMachine) -> Bool {
    let memory = Double(memoryBytes) / Double(max(1, other.memoryBytes))
    return cpu == other.cpu && coreCount == other.coreCount && fileSystem == other.fileSystem
      && (0.95...1.05).contains(memory)
  }
}

extension ComparedMachine {
  public init(_ environment: RunEnvironment) {
    (cpu, coreCount, memoryBytes) = (environment.cpu, environment.coreCount, environment.memoryBytes)
    (kernel, fileSystem) = (environment.kernel, environment.fileSystem)
    sqliteVersion = environment.sqliteVersion
  }
}

/// The plan of a comparison: its pairs, their order, and the rules of its verdicts.
public struct ComparisonDesign: Codable, Sendable, Equatable {
  /// The number of pairs of each scenario in the first stage; the maximum number if there is a budget or a limit for
  /// the interval.
  public var pairs: Int
  /// The number of pairs in the second stage of each scenario that looked changed, or as many as in the first stage if
  /// that is more; fewer if the budget is exhausted. 0 for no second stage.
  public var confirmingPairs: Int
  /// The source of all orders and all seeds of the runs.
  public var seed: UInt64
  public var scenarios: [String]
  /// The scenarios whose instructions are counted, in `countingPairs` pairs of runs of their own.
  public var countedScenarios: [String] = []
  /// The first stage of a scenario ends as soon as the 95 % interval of each p50 reaches no farther than this from its
  /// middle, in percent; nil for all pairs.
  public var intervalPercent: Double?
  /// The time for all runs together; nil for any.
  public var budgetSeconds: Double?
  /// Whether a change needs its whole interval beyond the margin, and not its estimate alone.
  public var requiresWholeInterval = false
  /// Whether a figure that is inconclusive or suspect makes the comparison fail.
  public var failsIfInconclusive = false

  /// Two, whose difference shows how well the instructions of a scenario repeat.
  public static let countingPairs = 2
}

extension ComparisonDesign {
  public init(pairs: Int, confirmingPairs: Int, seed: UInt64, scenarios: [String]) {
    (self.pairs, self.confirmingPairs) = (pairs, confirmingPairs)
    (self.seed, self.scenarios) = (seed, scenarios)
  }
}

/// The false alarms of all comparisons of a build with itself on this machine.
public struct CalibrationResult: Codable, Sendable, Equatable {
  public var comparisons: Int
  /// Primary figures of all such comparisons.
  public var figures: Int
  /// Those of them that were reported as regressed or improved.
  public var falseAlarms: Int
  /// The 95 % interval of the share of false alarms.
  public var lowerRate: Double
  public var upperRate: Double

  public init(comparisons: Int, figures: Int, falseAlarms: Int, lowerRate: Double, upperRate: Double) {
    self.comparisons = comparisons
    self.figures = figures
    self.falseAlarms = falseAlarms
    self.lowerRate = lowerRate
    self.upperRate = upperRate
  }
}

/// The result of one comparison of a build with itself: a line of the calibration file.
public struct CalibrationRecord: Codable, Sendable, Equatable {
  public struct Figure: Codable, Sendable, Equatable {
    public var name: FigureName
    /// As in `FigureResult`.
    public var changePercent: Double
    public var isPrimary: Bool
    /// Whether it was reported as regressed or improved.
    public var isFalseAlarm: Bool
  }

  /// The time at which the last run began: ISO 8601, UTC.
  public var time: String
  public var machine: ComparedMachine
  /// Of the executable.
  public var sha256: String
  public var pairs: Int
  public var figures: [Figure]

  /// - Parameter result: of a comparison of an executable with itself.
  public init(_ result: ComparisonOutcome) {
    time = result.lastRunAt
    machine = result.machine
    sha256 = result.base.sha256
    pairs = result.design.pairs
    figures = result.figures.compactMap { figure in
      guard figure.role != .part, !figure.isExact, let change = figure.changePercent else { return nil }
      return Figure(
        name: figure.name,
        changePercent: change,
        isPrimary: figure.role == .primary,
        isFalseAlarm: figure.role == .primary && figure.verdict.isChange
      )
    }
  }
}
