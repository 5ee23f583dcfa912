internal import ArgumentParser
internal import BenchComparison
internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario

/// The option of all commands whose cases can be divided.
struct ShardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Makes only one of N equal parts of the command; I is 1 to N. auto/N takes I from SLURM_ARRAY_TASK_ID (1 to N) "
        + "or JOB_COMPLETION_INDEX (0 to N-1), auto takes both from Slurm. All parts need the same seed. yapbench "
        + "merge joins them.",
      valueName: "i/n"
    ),
    transform: ShardArgument.init(text:)
  )
  var shard: ShardArgument?

  /// - Parameter unseeded: The name of a part of the command that would draw a seed; nil if all have one.
  /// - Throws: `Failure` for a part without a seed, or if the environment does not state the shard of `auto`.
  func shard(unseeded: String?, in context: CommandContext) throws(Failure) -> Shard? {
    guard let shard else { return nil }
    if let unseeded {
      let remedy = "each shard would draw another one; give the same --seed to all shards"
      throw Failure("\(unseeded) has no seed, and \(remedy)", .usage)
    }
    return try shard.shard(in: context.environment())
  }
}

/// The value of `--shard`: `I/N`, `auto/N`, or `auto`.
struct ShardArgument {
  /// nil if the environment states it.
  private let number: Int?
  private let count: Int?

  /// - Throws: `ValidationError` for a text that is no shard.
  init(text: String) throws {
    let match = text.wholeMatch(of: /auto|(?:auto|([0-9]{1,7}))\/([0-9]{1,7})/)
    (number, count) = (match?.1.flatMap { Int($0) }, match?.2.flatMap { Int($0) })
    guard match != nil, count.map({ Shard(number ?? 1, of: $0).isPossible }) ?? true else {
      throw ValidationError("expected I/N with I from 1 to N, auto, or auto/N, found \"\(text)\"")
    }
  }

  private static let task = "SLURM_ARRAY_TASK_ID"
  private static let array = ["MIN", "COUNT", "STEP"].map { "SLURM_ARRAY_TASK_\($0)" }
  private static let index = "JOB_COMPLETION_INDEX"

  /// Returns the shard, which variables of a Slurm array or of an indexed Kubernetes job state for `auto`.
  ///
  /// With a given count, the number of a Slurm task is that of the shard, so that an array of some of the tasks repeats
  /// their shards. Otherwise the array is `MIN-MAX:STEP`, and its tasks are the shards. An indexed job counts from 0,
  /// and does not state its number of completions.
  /// - Throws: `Failure` if `auto` is given and the environment does not state both numbers, or states wrong ones.
  func shard(in environment: [String: String]) throws(Failure) -> Shard {
    if let number, let count { return Shard(number, of: count) }
    func value(_ name: String) -> Int? { environment[name].flatMap { UInt32($0) }.map(Int.init) }
    let array = Self.array.map(value)
    let step = environment[Self.array[2]] == nil ? 1 : array[2]
    var shard: Shard?
    if environment[Self.task] != nil, environment[Self.index] != nil {
      // The environment states two shards.
    } else if let count {
      let task = array[0] == 0 ? nil : value(Self.task)
      shard = (task ?? value(Self.index).map { $0 + 1 }).map { Shard($0, of: count) }
    } else if let task = value(Self.task), let first = array[0], let total = array[1], let step {
      // An array of one task would make all cases.
      let isTask = total > 1 && step > 0 && (task - first) % step == 0
      shard = isTask ? Shard((task - first) / step + 1, of: total) : nil
    }
    if let shard, shard.isPossible { return shard }
    let found = ([Self.task] + Self.array + [Self.index]).compactMap { name in environment[name].map { "\(name)=\($0)" }
    }
    let expected =
      count.map { "\(Self.task) from 1 to \($0) in an array from 1 on, or \(Self.index) from 0 to \($0 - 1)" }
      ?? "\(Self.task) of an array of at least 2 tasks, with its \(Self.array.joined(separator: ", "))"
    throw Failure(
      "--shard auto\(count.map { "/\($0)" } ?? ""): expected \(expected), found "
        + "\(found.isEmpty ? "none of them" : found.joined(separator: ", ")); give the number of shards, such as "
        + "--shard auto/4, or also the number of this one, such as --shard 1/4",
      .usage
    )
  }
}

extension ShardRecord {
  /// Describes a shard of a command of this program.
  /// - Parameters:
  ///   - name: The words of the command before its options.
  ///   - determining: The options that determine the cases, and are in no text of a scenario.
  ///   - options: All options that repeat the command, beside `--shard` and the folder of its report.
  /// - Throws: `CleanExit` if the shard has no cases.
  init(
    _ shard: Shard,
    of name: String,
    unit: ShardedCommand.Unit,
    determining: [String],
    groups: [ShardedCommand.Group],
    options: [String],
    files: [String] = []
  ) throws {
    let command = ShardedCommand(
      name: name,
      unit: unit,
      shards: shard.count,
      program: try ComparisonPreparation.thisProgram().sha256,
      sqlite: "\(DriverBuild.sqliteVersion) (\(DriverBuild.sqliteSourceID))",
      options: determining,
      groups: groups
    )
    let machine = RunEnvironment.probe(dataFolder: ".").machineText
    self.init(number: shard.number, command: command, machine: machine, options: options, files: files)
    guard command.caseCount(of: number) == 0 else { return }
    let total = groups.reduce(0) { $0 + ($1.cases ?? 0) }
    let count = Quantity.count(total, of: "planned \(unit.rawValue)")
    throw CleanExit.message("\(shard.text) has nothing to do: there \(total == 1 ? "is" : "are") only \(count)")
  }

  /// Returns the scenarios with cases of this shard. Each scenario is a group.
  func own(_ entries: [ScenarioFiles.Entry]) -> [ScenarioFiles.Entry] {
    entries.enumerated().compactMap { group, entry in
      var entry = entry
      entry.loaded.shard = self
      entry.loaded.shard?.group = group
      return command.cases(of: number, inGroup: group).isEmpty ? nil : entry
    }
  }
}
