/// One side of a comparison.
public struct ComparedArm: Codable, Sendable, Equatable {
  /// The name that the user gave: a path, a revision, or `.` for the running program.
  public var name = ""
  /// The commit of a revision, or of the running program's checkout; nil for other executables, and without a checkout.
  public var commit: String?
  public var hasUncommittedChanges = false
  /// The digest of the executable, in hexadecimal digits.
  public var sha256: String
  /// The changes that only this side makes to the scenarios, as `path=value`.
  public var settings: [String]
}

extension ComparedArm {
  public init(sha256: String, settings: [String]) { (self.sha256, self.settings) = (sha256, settings) }

  /// Whether it is the same executable with the same settings.
  public func isEqual(to other: ComparedArm) -> Bool { sha256 == other.sha256 && settings == other.settings }
}

/// The machine on which both sides ran.
public struct ComparedMachine: Codable, Sendable, Equatable {
  public var cpu: String
  public var coreCount: Int
  /// nil without a limit, and in records of older versions.
  public var processorLimits: ProcessorLimits?
  public var memoryBytes: Int
  public var kernel: String
  public var fileSystem: String
  public var sqliteVersion: String

  /// Returns whether both are the same machine: with the same processor, number of cores, limits on their use
  /// and file system, and memory within 5 %. An update may change the versions of kernel and SQLite, and the memory
  /// that the kernel reports.
  public func isSame(as other: ComparedMachine) -> Bool { differences(from: other).isEmpty }

  /// Returns the properties in which the machines differ, such as `another file system`.
  public func differences(from other: ComparedMachine) -> [String] {
    let memory = Double(memoryBytes) / Double(max(1, other.memoryBytes))
    return [
      ("another processor", cpu != other.cpu), ("another number of cores", coreCount != other.coreCount),
      ("other limits of the processors", !ProcessorLimits.areSame(processorLimits, other.processorLimits)),
      ("another file system", fileSystem != other.fileSystem),
      ("another amount of memory", !(0.95...1.05).contains(memory)),
    ].filter(\.1).map(\.0)
  }
}

extension ComparedMachine {
  public init(_ environment: RunEnvironment) {
    (cpu, coreCount, memoryBytes) = (environment.cpu, environment.coreCount, environment.memoryBytes)
    processorLimits = environment.processorLimits
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
  /// that is more; fewer, or none, if the budget does not suffice.
  public var confirmingPairs: Int
  /// The seed from which the order of the runs and the seed of each pair are drawn.
  @PortableInteger public var seed: UInt64
  public var scenarios: [String]
  /// The scenarios whose instructions are counted, each in at most `countingPairs` separate pairs of runs.
  public var countedScenarios: [String] = []
  /// The half-width of the 95 % interval, in percent, that each p50 of a scenario must reach to end the scenario's
  /// first stage before all pairs are made; nil if no interval ends the stage.
  public var intervalPercent: Double?
  /// The time for all runs together; nil for no limit.
  public var budgetSeconds: Double?
  /// Whether a primary figure has regressed or improved only if its whole 95 % interval lies beyond the margin. If
  /// false, it is enough that the estimate lies there and that the interval excludes 0.
  public var requiresWholeInterval = false
  /// Whether a deciding figure that is inconclusive or suspect makes the comparison fail.
  public var failsIfInconclusive = false

  /// Two pairs, if the first shows a change: the difference between them shows how well instructions repeat.
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
  /// The number of primary figures in all these comparisons.
  public var figures: Int
  /// The number of these figures that were reported as regressed or improved.
  public var falseAlarms: Int
  /// The 95 % interval of the share of false alarms, 0 to 1.
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
    /// The same as `FigureResult.changePercent`.
    public var changePercent: Double
    public var isPrimary: Bool
    /// Whether the figure is primary, and was reported as regressed or improved.
    public var isFalseAlarm: Bool
  }

  /// The time at which the last run began: ISO 8601, UTC.
  public var time: String
  public var machine: ComparedMachine
  /// The digest of the executable, in hexadecimal digits.
  public var sha256: String
  public var pairs: Int
  /// The figures with as many pairs as a verdict needs.
  public var figures: [Figure]

  /// Whether a figure that decides was measured. Other records are not stored.
  public var isUsable: Bool { figures.contains(where: \.isPrimary) }

  /// - Parameter result: the result of a comparison of an executable with itself.
  public init(_ result: ComparisonOutcome) {
    time = result.lastRunAt
    machine = result.machine
    sha256 = result.base.sha256
    pairs = result.design.pairs
    figures = result.figures.compactMap { figure in
      guard figure.role != .part, !figure.isExact, figure.pairs >= EffectEstimate.fewestPairs,
        let change = figure.changePercent
      else { return nil }
      return Figure(
        name: figure.name,
        changePercent: change,
        isPrimary: figure.role == .primary,
        isFalseAlarm: figure.role == .primary && figure.verdict.isChange
      )
    }
  }
}
