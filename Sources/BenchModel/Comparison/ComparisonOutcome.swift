/// The result of a comparison of two builds or configurations. Its JSON is `compare.json`, from which every report is
/// made.
///
/// The same runs give the same bytes.
public struct ComparisonOutcome: Codable, Sendable, Equatable {
  public static let currentSchema = "yapbench-compare/1"

  public var schema = currentSchema
  public var base: ComparedArm
  public var head: ComparedArm
  public var machine: ComparedMachine
  public var design: ComparisonDesign
  /// nil on a machine that has not been calibrated.
  public var calibration: CalibrationResult?
  /// nil if nothing was timed beside the runs.
  public var machineChange: MachineChange?
  /// Every figure that both arms have, the most important first.
  public var figures: [FigureResult]
  /// In the order of the workloads' names.
  public var curves: [ComparedCurve]
  public var notCompared: [FigureNotCompared]
  public var summary: ComparisonSummary
  /// The reasons for which runs failed, each once.
  public var failures: [String]
  /// The scenarios with expectations that failed, in the order of their names.
  public var failedExpectations: [FailedExpectations]
  /// The time at which the last run began: ISO 8601, UTC.
  public var lastRunAt: String
  public var exitCode: Int32

  public init(
    base: ComparedArm,
    head: ComparedArm,
    machine: ComparedMachine,
    design: ComparisonDesign,
    calibration: CalibrationResult?,
    machineChange: MachineChange? = nil,
    figures: [FigureResult],
    curves: [ComparedCurve],
    notCompared: [FigureNotCompared],
    summary: ComparisonSummary,
    failures: [String],
    failedExpectations: [FailedExpectations],
    lastRunAt: String,
    exitCode: Int32
  ) {
    self.base = base
    self.head = head
    self.machine = machine
    self.design = design
    self.calibration = calibration
    self.machineChange = machineChange
    self.figures = figures
    self.curves = curves
    self.notCompared = notCompared
    self.summary = summary
    self.failures = failures
    self.failedExpectations = failedExpectations
    self.lastRunAt = lastRunAt
    self.exitCode = exitCode
  }
}

/// One side of a comparison.
public struct ComparedArm: Codable, Sendable, Equatable {
  /// The name that the user gave: a path, a revision, or `.` for the running program.
  public var name: String
  /// nil outside of a checkout.
  public var commit: String?
  public var hasUncommittedChanges: Bool
  /// Of the executable, in hexadecimal digits.
  public var sha256: String
  /// The changes that only this side makes to the scenarios, as `path=value`.
  public var settings: [String]

  public init(name: String, commit: String?, hasUncommittedChanges: Bool, sha256: String, settings: [String]) {
    self.name = name
    self.commit = commit
    self.hasUncommittedChanges = hasUncommittedChanges
    self.sha256 = sha256
    self.settings = settings
  }
}

/// The machine on which both sides ran.
public struct ComparedMachine: Codable, Sendable, Equatable {
  public var cpu: String
  public var coreCount: Int
  public var memoryBytes: Int
  public var kernel: String
  public var fileSystem: String
  public var sqliteVersion: String

  public init(
    cpu: String,
    coreCount: Int,
    memoryBytes: Int,
    kernel: String,
    fileSystem: String,
    sqliteVersion: String
  ) {
    self.cpu = cpu
    self.coreCount = coreCount
    self.memoryBytes = memoryBytes
    self.kernel = kernel
    self.fileSystem = fileSystem
    self.sqliteVersion = sqliteVersion
  }
}

/// The plan of a comparison: its pairs, their order, and the rules of its verdicts.
public struct ComparisonDesign: Codable, Sendable, Equatable {
  /// Pairs of the first stage, for each scenario: all of them, or the most of them if there is a budget or a limit for
  /// the interval.
  public var pairs: Int
  /// The fewest pairs of the second stage, for each scenario that looked changed; one that had more in the first stage
  /// gets as many. 0 for no second stage.
  public var confirmingPairs: Int
  /// The source of all orders and all seeds of the runs.
  public var seed: UInt64
  public var scenarios: [String]
  /// The scenarios whose instructions are counted, in `countingPairs` pairs of runs of their own.
  public var countedScenarios: [String]
  /// The first stage of a scenario ends as soon as the 95 % interval of each p50 reaches no farther than this from its
  /// middle, in percent; nil for all pairs.
  public var intervalPercent: Double?
  /// The time for all runs together; nil for any.
  public var budgetSeconds: Double?
  /// Whether a change needs its whole interval beyond the margin, and not its estimate alone.
  public var requiresWholeInterval: Bool
  /// Whether a figure that is inconclusive or suspect makes the comparison fail.
  public var failsIfInconclusive: Bool

  /// Two, whose difference shows how well the instructions of a scenario repeat.
  public static let countingPairs = 2

  public init(
    pairs: Int,
    confirmingPairs: Int,
    seed: UInt64,
    scenarios: [String],
    countedScenarios: [String] = [],
    intervalPercent: Double? = nil,
    budgetSeconds: Double? = nil,
    requiresWholeInterval: Bool = false,
    failsIfInconclusive: Bool = false
  ) {
    self.pairs = pairs
    self.confirmingPairs = confirmingPairs
    self.seed = seed
    self.scenarios = scenarios
    self.countedScenarios = countedScenarios
    self.intervalPercent = intervalPercent
    self.budgetSeconds = budgetSeconds
    self.requiresWholeInterval = requiresWholeInterval
    self.failsIfInconclusive = failsIfInconclusive
  }
}

/// A workload's percentile curve in both arms.
public struct ComparedCurve: Codable, Sendable, Equatable {
  /// The runs of one arm at one percentile, in nanoseconds.
  public struct Spread: Codable, Sendable, Equatable {
    public var lowerQuartile: Double
    public var median: Double
    public var upperQuartile: Double

    public init(lowerQuartile: Double, median: Double, upperQuartile: Double) {
      self.lowerQuartile = lowerQuartile
      self.median = median
      self.upperQuartile = upperQuartile
    }
  }

  public var workload: String
  /// One for each of the first of `PercentileCurve.percents`.
  public var base: [Spread]
  public var head: [Spread]

  public init(workload: String, base: [Spread], head: [Spread]) {
    self.workload = workload
    self.base = base
    self.head = head
  }
}

extension ComparedMachine {
  /// Whether figures of another comparison are of this machine. The kernel and the memory that it reports may change
  /// with an update.
  public func isSame(as other: ComparedMachine) -> Bool {
    let memory = Double(memoryBytes) / Double(max(1, other.memoryBytes))
    return cpu == other.cpu && coreCount == other.coreCount && fileSystem == other.fileSystem
      && (0.95...1.05).contains(memory)
  }
}

/// A fixed piece of work that neither side takes part in, timed before each run: whether the machine served both alike.
public struct MachineChange: Codable, Sendable, Equatable {
  /// By how much it took longer before runs of the head.
  public var changePercent: Double
  public var interval95Percent: PercentInterval?
  /// Whether it changed as much as a figure that regressed: then differences between the sides prove nothing.
  public var isTooLarge: Bool

  public init(changePercent: Double, interval95Percent: PercentInterval?, isTooLarge: Bool) {
    self.changePercent = changePercent
    self.interval95Percent = interval95Percent
    self.isTooLarge = isTooLarge
  }
}

/// The runs of a scenario in which an expectation failed. Their figures count, because their data are right.
public struct FailedExpectations: Codable, Sendable, Equatable {
  public var scenario: String
  /// Pairs of runs of the scenario.
  public var pairs: Int
  /// Runs of the base with a failed expectation.
  public var base: Int
  /// Runs of the head with a failed expectation.
  public var head: Int

  public init(scenario: String, pairs: Int, base: Int, head: Int) {
    self.scenario = scenario
    self.pairs = pairs
    self.base = base
    self.head = head
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
