public import Foundation

/// The steps of a nightly run and their results. Its JSON is `night.json`, from which a killed run resumes.
public struct NightSummary: Codable, Sendable, Equatable {
  public static let currentSchema = "yapbench-night/1"

  /// The parts of a night, in their order.
  public enum Part: String, Codable, Sendable, CaseIterable {
    /// A scenario of the suite.
    case suite
    /// The comparison with the pinned build.
    case pinned
    /// Adding the pinned comparison to the history.
    case history
    /// The history's open alarms.
    case trend
    /// The comparison with the build of the night before.
    case last
    /// The search for the commit of the worst regression.
    case bisection
    /// The comparison of the build with itself, in one scenario.
    case calibration

    /// Whether the night's exit code depends on the step's.
    public var decides: Bool { self != .calibration && self != .bisection }
  }

  public struct Step: Codable, Sendable, Equatable {
    public var part: Part
    /// The scenario of a step that has a single one: of the suite, a bisection or a calibration; otherwise empty.
    public var scenario: String
    /// The arguments of yapbench that run or resume the step; empty for a skipped step.
    public var arguments: [String]
    /// nil until the step is over, and for a skipped step.
    public var exitCode: ExitStatus?
    /// The first line of the step's output, or else its last error; the reason if it was ended or skipped.
    public var headline = ""
    public var seconds = 0.0
    public var isOver = false
    /// The path of its report, relative to the night's folder and without its extension; nil if it has none, or if the
    /// step determines it.
    public var page: String?

    public init(part: Part, scenario: String = "", arguments: [String]) {
      self.part = part
      self.scenario = scenario
      self.arguments = arguments
    }

    /// A skipped step.
    public init(part: Part, scenario: String = "", skippedBecause reason: String) {
      self.init(part: part, scenario: scenario, arguments: [])
      headline = reason
      isOver = true
    }

    public var isSkipped: Bool { isOver && exitCode == nil }

    /// Such as `suite stalled-reader` or `pinned`.
    public var name: String { scenario.isEmpty ? part.rawValue : "\(part.rawValue) \(scenario)" }
  }

  public var schema = currentSchema
  /// ISO 8601, UTC.
  public var startedAt: String
  public var budgetSeconds: Double
  /// The SHA-256 of the executable. Only the same executable can resume the night.
  public var sha256: String
  /// nil outside of a checkout.
  public var commit: String?
  public var steps: [Step] = []
  public var isComplete = false

  public init(startedAt: String, budgetSeconds: Double, sha256: String, commit: String?) {
    self.startedAt = startedAt
    self.budgetSeconds = budgetSeconds
    self.sha256 = sha256
    self.commit = commit
  }

  /// The time that all steps have taken, in seconds.
  public var usedSeconds: Double { steps.reduce(0) { $0 + $1.seconds } }

  public static func decode(_ data: Data) throws -> NightSummary {
    let summary = try JSONDecoder().decode(NightSummary.self, from: data)
    guard summary.schema == currentSchema else {
      throw DocumentError(problem: "its schema is \(summary.schema); this program reads \(currentSchema)")
    }
    return summary
  }
}
