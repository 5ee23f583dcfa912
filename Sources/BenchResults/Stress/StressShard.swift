/// The part of a campaign's cases that one process runs. The number of a case determines its shard, so all processes
/// together run each case of the campaign once, also if only a time ends it.
public struct StressShard: Codable, Sendable, Equatable {
  public var position: ShardNumber
  /// The number of cases of the whole campaign; nil if only a time ends it.
  public var plannedCases: Int?
  /// The options that determine and limit the cases, beside the seed. All shards have the same.
  public var options: [String]
  /// The digest of the files that the options name, if they determine the cases.
  public var inputDigest: String?
  /// The absolute path of the folder of the databases; nil without the option.
  public var dataFolder: String?
  /// The requirements of the whole campaign. A shard alone need not meet them.
  public var requirements: [StressRequirement]

  public init(
    _ position: ShardNumber,
    plannedCases: Int?,
    options: [String],
    inputDigest: String?,
    dataFolder: String?,
    requirements: [StressRequirement]
  ) {
    (self.position, self.plannedCases) = (position, plannedCases)
    (self.options, self.inputDigest, self.dataFolder) = (options, inputDigest, dataFolder)
    self.requirements = requirements
  }

  /// The reason why the values contradict each other; nil if they do not.
  public var problem: String? {
    if let problem = position.problem { return problem }
    guard let plannedCases, !(0...1_000_000_000_000).contains(plannedCases) else { return nil }
    return "its campaign has \(plannedCases) cases; expected 0 to 10¹²"
  }
}

/// A count that must reach a minimum.
public struct StressRequirement: Codable, Sendable, Equatable {
  public let count: String
  public let minimum: Int
  /// The meaning of a count below the minimum, as a sentence without a period, such as "no commit was acknowledged".
  public let explanation: String

  public init(_ count: String, atLeast minimum: Int = 1, else explanation: String) {
    self.count = count
    self.minimum = minimum
    self.explanation = explanation
  }

  /// Returns the requirement as a shortcoming; nil if it is met.
  /// - Parameter found: The value of the count.
  public func shortcoming(found: Int) -> String? {
    found < minimum ? "\(explanation): \(found) \(count), expected at least \(minimum)" : nil
  }
}

/// The cases of a campaign that one machine has run. Durations of different machines are not added.
public struct StressMachine: Codable, Sendable, Equatable {
  /// The machine's name, processor and number of cores.
  public var name: String
  public var fileSystem: String
  public var cases: Int
  /// The number of failed cases.
  public var failedCases: Int
  /// The time that each of the machine's shards took, in their order.
  public var seconds: [Double]

  public init(_ name: String, of result: StressResult) {
    self.name = name
    fileSystem = result.environment.fileSystem
    (cases, failedCases) = (result.cases, result.failedCases.count)
    seconds = [result.durationSeconds]
  }
}

extension StressResult: ShardResult {
  public var shardNumber: ShardNumber? { shard?.position }
  public var isWhole: Bool { !isInterrupted }
}
