/// The result of a stress campaign: what was tested and how often, what failed, and what was not tested.
public struct StressResult: Codable, Sendable {
  public static let currentSchema = "yapbench-stress/1"

  public var schema = currentSchema
  public var kind: StressKind
  @PortableInteger public var seed: UInt64
  public var environment: StressEnvironment
  /// The command that repeats the campaign.
  public var command: String
  /// The command that continues the campaign; nil if only one case was to be run.
  public var resumeCommand: String?
  /// The time of the first case, as ISO 8601.
  public var startedAt: String
  /// The time that cases took, without the pauses before the campaign was resumed. In a merge, the sum over the shards.
  public var durationSeconds = 0.0
  /// The number of finished cases.
  public var cases = 0
  /// The number of cases that were planned; nil for a campaign that ends after a time.
  public var plannedCases: Int?
  /// The counts over all cases, in the order of the campaign.
  public var counts: [StressCount] = []
  public var failures: [StressFailure] = []
  /// The requirements that were not met: a campaign that has checked nothing fails.
  public var shortcomings: [String] = []
  /// The limits of the campaign: behaviour that it does not test.
  public var untested: [String] = []
  public var isInterrupted = false
  /// The part of the campaign that this is; nil for a whole campaign.
  public var shard: ShardRecord?
  /// The requirements of the whole campaign, which a shard alone need not meet; nil unless this is a shard.
  public var requirements: [StressRequirement]?
  /// The shards that this result joins; nil without a merge.
  public var merge: MergeResult?
  /// The machines that have run the cases of merged shards; nil without a merge.
  public var machines: [StressMachine]?

  /// The failures of each case, in the order of the cases.
  public var failedCases: [[StressFailure]] {
    Dictionary(grouping: failures, by: \.number).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The reasons why the merge is incomplete; none without a merge.
  public var mergeProblems: [String] { merge?.problems ?? [] }

  /// The exit status: wrong data, then an interruption, then a campaign that has checked too little, then a merge that
  /// lacks a shard or has left one out.
  public var status: ExitStatus {
    if !failures.isEmpty { return .invariantViolated }
    if isInterrupted { return .interrupted }
    if !shortcomings.isEmpty { return .measurementInvalid }
    return mergeProblems.isEmpty ? .passed : .incomparable
  }
}

extension StressResult {
  public init(kind: StressKind, seed: UInt64, environment: StressEnvironment, command: String, startedAt: String) {
    (self.kind, self.seed, self.environment) = (kind, seed, environment)
    (self.command, self.startedAt) = (command, startedAt)
  }
}

extension StressResult: ShardResult {
  public var isWhole: Bool { !isInterrupted }
  public var casesMade: Int { cases }
}

/// A number that a campaign has counted over all of its cases.
public struct StressCount: Codable, Sendable, Equatable {
  public var name: String
  public var value: Int

  public init(name: String, value: Int) {
    self.name = name
    self.value = value
  }
}

/// A failure that a campaign has found.
public struct StressFailure: Codable, Sendable, Equatable {
  /// The number of the case.
  public var number: Int
  public var text: String
  /// The path of the folder with the case's files, relative to the campaign's folder; nil if the case has none.
  public var folder: String?
  /// The command that repeats the case.
  public var command: String

  public init(number: Int, text: String, folder: String?, command: String) {
    self.number = number
    self.text = text
    self.folder = folder
    self.command = command
  }
}

/// The build, the libraries and the file system of a campaign.
public struct StressEnvironment: Codable, Sendable, Equatable {
  public var commit: String?
  /// The SHA-256 of the program.
  public var program: String
  public var hasTestPoints = false
  public var sqliteVersion = ""
  public var sqliteSourceID = ""
  /// Whether a checkpoint that runs beside a commit without a guard can lose commits.
  public var sqliteHasWALResetDefect = false
  /// The values of `PRAGMA synchronous` that the campaign's databases use, such as "full".
  public var synchronous = ""
  public var fileSystem = ""
}

extension StressEnvironment {
  public init(program: String) { self.program = program }
}
