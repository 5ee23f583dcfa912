/// The part of a calibration that one process makes: a contiguous part of the scenarios, each with all of its pairs.
///
/// A calibration measures the noise of one machine, so the pairs of a scenario are never divided between machines.
public struct CalibrationShard: Codable, Sendable, Equatable {
  /// A scenario of the calibration.
  public struct Scenario: Codable, Sendable, Equatable {
    public var name: String
    /// The digest of its text.
    public var digest: String

    public init(name: String, digest: String) { (self.name, self.digest) = (name, digest) }
  }

  public var position: ShardNumber
  /// The scenarios of all shards, in the order of the command.
  public var scenarios: [Scenario]
  /// The options that the commands of all shards have in common, beside the seed.
  public var options: [String]
  /// The machine's name, processor and number of cores.
  public var machine: String

  public init(_ position: ShardNumber, scenarios: [Scenario], options: [String], machine: String) {
    (self.position, self.scenarios) = (position, scenarios)
    (self.options, self.machine) = (options, machine)
  }

  /// The scenarios of this shard.
  public var own: [Scenario] { Array(scenarios[position.part(of: scenarios.count)]) }

  /// The reason why the values contradict each other; nil if they do not.
  public var problem: String? {
    position.problem ?? (scenarios.count > 1_000_000 ? "its calibration has over 1,000,000 scenarios" : nil)
  }
}
