public import Foundation

/// The result of a comparison of two builds or configurations, from which its report is made. Its JSON is
/// `compare.json`. The same journal always gives the same bytes.
public struct ComparisonOutcome: Codable, Sendable, Equatable {
  public static let currentSchema = "yapbench-compare/1"

  public var schema = currentSchema
  public var base: ComparedArm
  public var head: ComparedArm
  public var machine: ComparedMachine
  public var design: ComparisonDesign
  /// nil on a machine whose calibrations have no primary figure, and in a calibration itself.
  public var calibration: CalibrationResult?
  /// nil if the fixed piece of work was timed in no pair that counts.
  public var machineChange: MachineChange?
  /// The compared figures, ordered by their verdict (regressed first), their role, and the size of their change.
  public var figures: [FigureResult] = []
  /// In the order of the workloads' names.
  public var curves: [ComparedCurve] = []
  public var notCompared: [FigureNotCompared] = []
  public var summary = ComparisonSummary()
  /// The figures that were left out of pairs; nil if none was.
  public var excluded: ExcludedFigures?
  /// The reasons for which runs failed, each once.
  public var failures: [String] = []
  /// The scenarios with expectations that failed, in the order of their names.
  public var failedExpectations: [FailedExpectations] = []
  /// The time at which the last run began: ISO 8601, UTC.
  public var lastRunAt = ""
  public var exitCode = ExitStatus.passed
  /// The verdict in one line, which the report adds; nil in documents of older versions.
  public var verdict: String?
  /// The part of a calibration that this is; nil for a whole one, and for comparisons.
  public var shard: ShardRecord?
}

extension ComparisonOutcome: ShardResult {
  /// Whether all runs were made. A reported change of equal builds is a result of the calibration.
  public var isWhole: Bool { [.passed, .regressed, .inconclusive].contains(exitCode) }
  public var casesMade: Int { isWhole ? design.scenarios.count : 0 }
}

extension ComparisonOutcome {
  public init(base: ComparedArm, head: ComparedArm, machine: ComparedMachine, design: ComparisonDesign) {
    (self.base, self.head, self.machine, self.design) = (base, head, machine, design)
  }
}

/// A workload's percentile curve in both arms.
public struct ComparedCurve: Codable, Sendable, Equatable {
  /// The quartiles of the values that one percentile has in the runs of one arm, in nanoseconds.
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
  /// One for each of `PercentileCurve.percents` up to the last that all runs of the base have. `head` likewise.
  public var base: [Spread]
  public var head: [Spread]

  public init(workload: String, base: [Spread], head: [Spread]) {
    self.workload = workload
    self.base = base
    self.head = head
  }
}

/// The change of the duration of a fixed piece of work, which is timed before each run. It shows whether the machine
/// was equally fast for both arms.
public struct MachineChange: Codable, Sendable, Equatable {
  /// The change in percent, positive if the work took longer before runs of the head than before runs of the base.
  public var changePercent: Double
  public var interval95Percent: PercentInterval?
  /// Whether the duration changed by at least 3 %, with a p-value of at most 0.001. If so, differences between the arms
  /// prove nothing.
  public var isTooLarge: Bool

  public init(changePercent: Double, interval95Percent: PercentInterval?, isTooLarge: Bool) {
    self.changePercent = changePercent
    self.interval95Percent = interval95Percent
    self.isTooLarge = isTooLarge
  }
}

/// The number of a scenario's runs in which an expectation failed. Their figures count, because their data are right.
public struct FailedExpectations: Codable, Sendable, Equatable {
  public var scenario: String
  /// The number of the scenario's pairs in which both runs count, without the pairs that count instructions.
  public var pairs = 0
  /// Runs of the base with a failed expectation.
  public var base = 0
  /// Runs of the head with a failed expectation.
  public var head = 0
}

extension FailedExpectations {
  public init(scenario: String) { self.scenario = scenario }
}

extension ComparisonOutcome {
  /// Whether both sides are the same executable with the same settings.
  public var comparesEqualSides: Bool { base.isEqual(to: head) }

  /// Decodes a `compare.json`.
  /// - Throws: `DocumentError`, also for another schema.
  public static func decode(_ data: Data) throws -> ComparisonOutcome {
    do {
      let result = try JSONDecoder().decode(ComparisonOutcome.self, from: data)
      guard result.schema == currentSchema else {
        throw DocumentError(problem: "its schema is \(result.schema); this program reads \(currentSchema)")
      }
      return result
    } catch let error as DecodingError {
      throw DocumentError(problem: "it is not the result of a comparison: \(error)")
    }
  }
}
