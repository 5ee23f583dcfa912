internal import ArgumentParser
internal import BenchDrivers
internal import BenchReports
internal import BenchResults
internal import BenchRunner

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

  /// - Throws: `Failure` if `auto` is given and the environment does not state the shard.
  func shard(in context: CommandContext) throws(Failure) -> Shard? { try shard?.shard(in: context.environment()) }

  /// The error of a command that would draw a seed.
  static let missingSeed = Failure(
    "--shard: each shard would draw another seed; give the same --seed to all shards",
    .usage
  )

  /// - Parameter path: The path of a scenario without a seed.
  static func missingSeed(in path: String) -> Failure {
    Failure(
      "\(path): the scenario has no seed, and each shard would draw another one; add \"seed: 1\" to the file, or give "
        + "the same --seed to all shards",
      .usage
    )
  }
}

/// The value of `--shard`: `I/N`, `auto/N`, or `auto`.
struct ShardArgument {
  /// nil if the environment states it.
  private let number: Int?
  private let count: Int?

  init(text: String) throws {
    guard let argument = Self(argument: text) else {
      throw ValidationError("expected I/N with I from 1 to N, auto, or auto/N, found \"\(text)\"")
    }
    self = argument
  }

  /// - Returns: nil for a text that is no shard.
  init?(argument: String) {
    guard let match = argument.wholeMatch(of: /(auto|[0-9]{1,7})(?:\/([0-9]{1,7}))?/) else { return nil }
    (number, count) = (Int(match.1), match.2.flatMap { Int($0) })
    guard let count else {
      if number == nil { return } else { return nil }
    }
    guard (1...Shard.mostShards).contains(count), (1...count).contains(number ?? 1) else { return nil }
  }

  /// Returns the shard, which variables of a Slurm array or of an indexed Kubernetes job state for `auto`.
  ///
  /// - Parameter environment: The variables of the process.
  /// - Throws: `Failure` if `auto` is given and the environment does not state both numbers, or states wrong ones.
  func shard(in environment: [String: String]) throws(Failure) -> Shard {
    if let number, let count { return Shard(number, of: count) }
    let variables = JobVariables(environment: environment, count: count)
    switch (try variables.number(JobVariables.task), try variables.number(JobVariables.index)) {
    case (nil, nil):
      throw variables.failure(
        "neither \(JobVariables.task) nor \(JobVariables.index) is set, so this is no task of a Slurm array and no pod "
          + "of an indexed job; give the number of the shard, such as --shard 1/4"
      )
    case (.some, .some):
      throw variables.failure(
        "both \(JobVariables.task) and \(JobVariables.index) are set; give the number of the shard, such as --shard 1/4"
      )
    case (let task?, nil): return try variables.shard(ofTask: task)
    case (nil, let index?): return try variables.shard(ofPod: index)
    }
  }
}

/// The variables of a job's environment that state a shard.
private struct JobVariables {
  static let task = "SLURM_ARRAY_TASK_ID"
  static let index = "JOB_COMPLETION_INDEX"

  let environment: [String: String]
  /// The given number of shards.
  let count: Int?

  func failure(_ text: String) -> Failure {
    Failure("--shard auto\(count.map { "/\($0)" } ?? ""): \(text)", .usage)
  }

  /// - Returns: nil if the variable is not set.
  /// - Throws: `Failure` if it is anything but a whole number from 0 on.
  func number(_ name: String) throws(Failure) -> Int? {
    guard let text = environment[name] else { return nil }
    guard let number = Int(text), number >= 0 else { throw failure("\(name) is \"\(text)\"; expected a whole number") }
    return number
  }

  private func require(_ name: String) throws(Failure) -> Int {
    guard let number = try number(name) else {
      throw failure("\(name) is not set; give the number of shards, such as --shard auto/4")
    }
    return number
  }

  /// With a given count, the task's number is the number of the shard, so that an array of some of the tasks repeats
  /// their shards. Otherwise the array is `MIN-MAX:STEP`, and its tasks are the shards.
  func shard(ofTask task: Int) throws(Failure) -> Shard {
    if let count {
      if try number("SLURM_ARRAY_TASK_MIN") == 0 || !(1...count).contains(task) {
        throw failure(
          "\(Self.task) is \(task); expected an array of tasks from 1 to \(count), such as sbatch --array=1-\(count)"
        )
      }
      return Shard(task, of: count)
    }
    let (first, total) = (try require("SLURM_ARRAY_TASK_MIN"), try require("SLURM_ARRAY_TASK_COUNT"))
    guard total > 1 else {
      throw failure(
        "the array has 1 task, which would make all cases; to repeat one shard of several, give the number of shards, "
          + "such as --shard auto/4"
      )
    }
    let step = max(1, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
    let (index, rest) = (task - first).quotientAndRemainder(dividingBy: step)
    guard task >= first, rest == 0, index < total, total <= Shard.mostShards else {
      throw failure(
        "\(Self.task) is \(task), which is not one of the \(total) tasks from \(first) in steps of \(step); give the "
          + "number of shards, such as --shard auto/4, and an array from 1 to that number"
      )
    }
    return Shard(index + 1, of: total)
  }

  /// The index counts from 0. No variable states the number of completions.
  func shard(ofPod index: Int) throws(Failure) -> Shard {
    guard let count else {
      throw failure("an indexed job does not state its number of completions; give it, such as --shard auto/4")
    }
    guard index < count else {
      throw failure(
        "\(Self.index) is \(index); expected 0 to \(count - 1), so that the job's completions are the number of shards"
      )
    }
    return Shard(index + 1, of: count)
  }
}

extension ShardRecord {
  /// Describes a shard of a command of this program.
  /// - Parameters:
  ///   - name: The words of the command before its options.
  ///   - determining: The options that determine the cases, and are in no text of a scenario.
  ///   - options: All options that repeat the command, beside `--shard` and the folder of its report.
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
      program: try ThisProgram().sha256,
      sqlite: "\(DriverBuild.sqliteVersion) (\(DriverBuild.sqliteSourceID))",
      options: determining,
      groups: groups
    )
    let machine = RunEnvironment.probe(dataFolder: ".").machineText
    self.init(number: shard.number, command: command, machine: machine, options: options, files: files)
  }
  /// The message of a shard without cases; nil if it has some.
  var emptyText: String? {
    guard command.caseCount(of: number, inGroup: nil) == 0 else { return nil }
    let total = command.groups.reduce(0) { $0 + ($1.cases ?? 0) }
    let count = Quantity.count(total, of: "planned \(command.unit.rawValue)")
    return "\(text) has nothing to do: there \(total == 1 ? "is" : "are") only \(count)"
  }
}
