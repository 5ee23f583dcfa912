public import Foundation

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
  public var figures: [FigureResult] = []
  /// In the order of the workloads' names.
  public var curves: [ComparedCurve] = []
  public var notCompared: [FigureNotCompared] = []
  public var summary = ComparisonSummary()
  /// The reasons for which runs failed, each once.
  public var failures: [String] = []
  /// The scenarios with expectations that failed, in the order of their names.
  public var failedExpectations: [FailedExpectations] = []
  /// The time at which the last run began: ISO 8601, UTC.
  public var lastRunAt = ""
  public var exitCode: Int32 = 0
}

extension ComparisonOutcome {
  public init(base: ComparedArm, head: ComparedArm, machine: ComparedMachine, design: ComparisonDesign) {
    (self.base, self.head, self.machine, self.design) = (base, head, machine, design)
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

/// The change of the time of a fixed piece of work before each run, which shows whether the machine served both alike.
public struct MachineChange: Codable, Sendable, Equatable {
  /// By how much longer the work took before runs of the head than before runs of the base.
  public var changePercent: Double
  public var interval95Percent: PercentInterval?
  /// Whether the time changed as much as a figure that regressed: then differences between the sides prove nothing.
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
  public var pairs = 0
  /// Runs of the base with a failed expectation.
  public var base = 0
  /// Runs of the head with a failed expectation.
  public var head = 0
}

extension FailedExpectations {
  public init(scenario: String) { self.scenario = scenario }
}

/// `compare.json`: the result of a comparison, with its keys in a stable order, so that equal results have equal bytes.
public enum ComparisonDocument {
  public static func encode(_ result: ComparisonOutcome) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return try encoder.encode(result) + Data("\n".utf8)
  }

  public static func text(of result: ComparisonOutcome) throws -> String {
    String(decoding: try encode(result), as: UTF8.self)
  }

  /// Reads what `encode` wrote.
  /// - Throws: `ComparisonDocumentError`.
  public static func decode(_ data: Data) throws -> ComparisonOutcome {
    do {
      let result = try JSONDecoder().decode(ComparisonOutcome.self, from: data)
      guard result.schema == ComparisonOutcome.currentSchema else {
        throw ComparisonDocumentError(
          problem: "its schema is \(result.schema); this program reads \(ComparisonOutcome.currentSchema)"
        )
      }
      return result
    } catch let error as DecodingError {
      throw ComparisonDocumentError(problem: "it is not the result of a comparison: \(error)")
    }
  }
}

/// The error for a `compare.json` that cannot be read.
public struct ComparisonDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  public var problem: String
  public var description: String { problem }
}
