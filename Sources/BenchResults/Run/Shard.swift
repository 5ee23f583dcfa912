/// The part of a command's planned runs that one process makes. All processes together make each planned run once.
///
/// The planned runs are the runs of the first scenario, in their order, then the runs of the second one, and so on.
/// Each shard is a contiguous part of this list, and the sizes of two shards differ by at most 1. The runs of one
/// repetition are therefore in as few shards as possible: expectations compare variants within a repetition on one
/// machine.
public struct Shard: Codable, Sendable, Equatable {
  /// A scenario of the command.
  public struct PlannedScenario: Codable, Sendable, Equatable {
    public var name: String
    /// The absolute path of its file, as the command named it.
    public var file: String
    /// The number of its planned runs.
    public var runs: Int

    public init(name: String, file: String, runs: Int) {
      (self.name, self.file, self.runs) = (name, file, runs)
    }
  }

  /// From 1.
  public var number: Int
  public var count: Int
  /// The scenarios of the command, in its order.
  public var scenarios: [PlannedScenario]
  /// The index in `scenarios` of the scenario that this result is about.
  public var scenario: Int
  /// The SHA-256 digest of the program.
  public var program: String
  /// The options that the commands of all shards have in common, such as `--strict`.
  public var options: [String]

  public init(
    number: Int,
    count: Int,
    scenarios: [PlannedScenario],
    scenario: Int,
    program: String,
    options: [String]
  ) {
    (self.number, self.count, self.scenarios, self.scenario) = (number, count, scenarios, scenario)
    (self.program, self.options) = (program, options)
  }

  /// The indices, in the planned order of the scenario's runs, of those that belong to this shard.
  public var runs: Range<Int> { runs(ofScenario: scenario) }

  /// The shard's indices in the planned order of the runs of another scenario of the command.
  public func runs(ofScenario index: Int) -> Range<Int> {
    let total = scenarios.reduce(0) { $0 + $1.runs }
    let first = scenarios[..<index].reduce(0) { $0 + $1.runs }
    let all = position.part(of: total)
    let own = all.clamped(to: first..<first + scenarios[index].runs)
    return own.lowerBound - first..<own.upperBound - first
  }

  /// The same command's shard with another number.
  public func with(number: Int) -> Shard {
    var shard = self
    shard.number = number
    return shard
  }

  /// The number of the shard, and the number of shards.
  public var position: ShardNumber { ShardNumber(number, of: count) }

  /// Such as `shard 2 of 4`.
  public var text: String { position.text }

  /// The reason why the values contradict each other; nil if they do not.
  var problem: String? {
    if let problem = position.problem { return problem }
    guard scenarios.indices.contains(scenario), scenarios.count <= ShardNumber.mostShards,
      scenarios.allSatisfy({ (1...1_000_000).contains($0.runs) })
    else {
      return "its shard has no scenario \(scenario), or a scenario without 1 to 1,000,000 planned runs"
    }
    return nil
  }
}

/// The record of a merge of shards.
public struct MergeResult: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable {
    case complete
    /// It did not make all of its runs, or was interrupted.
    case failed
    case missing
  }

  public struct Part: Codable, Sendable, Equatable {
    /// The number of the shard, from 1.
    public var number: Int
    public var state: State
    /// The number of its planned runs of the scenario, or of its planned cases; nil if only a time ends the campaign.
    public var planned: Int?
    /// The number of the planned runs that it made and did not break off, or of its finished cases.
    public var made: Int
    /// The command that repeats this shard alone; nil for a complete one.
    public var command: String?

    public init(number: Int, state: State, planned: Int?, made: Int, command: String?) {
      (self.number, self.state, self.planned, self.made) = (number, state, planned, made)
      self.command = command
    }
  }

  /// The number of shards of the command.
  public var shardCount: Int
  /// The SHA-256 digest of the program that made the runs.
  public var program: String
  /// The shards that have planned runs of the scenario.
  public var parts: [Part]
  /// The reports that were left out, with the reasons: duplicates, and shards of another command.
  public var rejected: [String]

  public init(shardCount: Int, program: String, parts: [Part], rejected: [String]) {
    (self.shardCount, self.program) = (shardCount, program)
    (self.parts, self.rejected) = (parts, rejected)
  }

  /// Whether all shards are complete, also if reports were left out.
  public var isComplete: Bool { parts.allSatisfy { $0.state == .complete } }

  /// The reasons why the merge is incomplete, in the order of the shards; empty if it is complete.
  public var problems: [String] { problems(countedIn: "run") }

  /// - Parameter unit: The word for one planned run, case or scenario.
  public func problems(countedIn unit: String) -> [String] {
    parts.compactMap { part in
      let shard = ShardNumber(part.number, of: shardCount).text
      let planned = part.planned.map { "\($0) planned \($0 == 1 ? unit : unit + "s")" }
      switch part.state {
      case .complete: return nil
      case .missing: return shard + " is missing" + (planned.map { ", with " + $0 } ?? "")
      case .failed: return shard + " failed: it made \(part.made)" + (planned.map { " of " + $0 } ?? " \(unit)s")
      }
    } + rejected
  }
}

extension RunEnvironment {
  /// The machine's name, processor and number of cores, and the limits of the process.
  public var machineText: String {
    let cores = coreCount == 1 ? "1 core" : "\(coreCount) cores"
    let limits = processorLimits.map { ", \($0.text)" } ?? ""
    return "\(machine ?? "a machine without a name"): \(cpu), \(cores)\(limits)"
  }
}

extension RunResult {
  /// The machine, by name, processor, cores and limits. Runs are pooled only if it is equal.
  public var machine: String { environment.machineText }
}

extension ScenarioResult: ShardResult {
  public var shardNumber: ShardNumber? { shard?.position }
  public var isWhole: Bool { !isPartial && ![.internalError, .interrupted].contains(verdict.exitCode) }
}

extension ScenarioResult {
  /// The machines of the runs, in the order of their first runs.
  public var machines: [String] {
    var machines: [String] = []
    for run in runs where !machines.contains(run.machine) { machines.append(run.machine) }
    return machines
  }

  /// The results of each machine, with the variants that ran on it; only this result if all runs are from one machine.
  /// Figures of different machines are never pooled.
  public var byMachine: [ScenarioResult] {
    let machines = machines
    guard machines.count > 1 else { return [self] }
    return machines.map { machine in
      var part = self
      part.runs = runs.filter { $0.machine == machine }
      let own = variants.filter { variant in part.runs.contains { $0.variant == variant.name } }
      if !own.isEmpty { part.variants = own }
      return part
    }
  }
}
