internal import ArgumentParser
internal import BenchRegression
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import Foundation

struct MergeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the reports of all shards of a run, a stress campaign or a calibration.",
    discussion: """
      DIR is the folder of a shard's report, or a folder that is searched for them. \
      The report has the runs of all shards, in the order of a run without shards. \
      Figures of different machines are not pooled: each machine has its own tables.

      Of a stress campaign, the counts of all shards are added, its requirements are \
      judged, and the cases of each machine are listed. Of a calibration, the noise \
      of each machine is printed, and nothing is written.

      Missing, failed and repeated shards are named, each missing or failed one with \
      the command that repeats it, or continues a campaign. Shards with another text \
      of the scenario, another seed, other options or another build are left out. \
      The exit code is then 3, or that of a more severe verdict, and the report has \
      the runs or cases that there are. Nothing is overwritten.

      Examples:
        yapbench merge Reports/JOB
        yapbench merge Reports/shard-1 Reports/shard-2 --out Reports/merged
      """
  )

  @Argument(
    help: ArgumentHelp("Folders of shards' reports, or folders that contain them.", valueName: "dir"),
    completion: .directory
  )
  var folders: [PathArgument]

  @Option(name: .customLong("out"), help: ArgumentHelp("The parent folder of the new report.", valueName: "dir"))
  var reportFolder = PathArgument("Reports")

  func perform(in context: CommandContext) throws -> Int32 {
    let found = try FoundShards(below: folders.texts)
    for problem in found.unreadable { context.errors.error(problem.text) }
    return ExitStatus.mostSevere([try merge(found, in: context)] + found.unreadable.map(\.status)).rawValue
  }

  private func merge(_ found: FoundShards, in context: CommandContext) throws -> ExitStatus {
    let names = folders.texts.joined(separator: ", ")
    let kinds = [
      found.runs.first.map { "\($0.path) of runs" }, found.campaigns.first.map { "\($0.path) of a campaign" },
      found.calibrations.first.map { "\($0.path) of a calibration" },
    ].compactMap { $0 }
    guard kinds.count <= 1 else {
      throw Failure("\(names): shards of one command are expected, found \(kinds.joined(separator: ", "))", .usage)
    }
    if let set = ShardSet(found.calibrations) { return merge(set, found.record(of: set), in: context) }
    try context.endOnSignals()
    if kinds.count == 1 { try RunDirectory.checkWritable(reportFolder.text) }
    if let set = ShardSet(found.campaigns) { return try merge(set, found.record(of: set), in: context) }
    if let set = ShardSet(found.runs, problem: RunMerge.problem) { return try merge(set, found, in: context) }
    throw Failure(
      "\(names): there is no report of a shard; expected folders that yapbench run, stress or calibrate has written "
        + "with --shard",
      .missingInput
    )
  }

  /// Prints the noise of each machine that has made a part of a calibration. Nothing is written: each part has its
  /// report, and has appended its result to the calibration file.
  private func merge(
    _ set: ShardSet<ComparisonOutcome>,
    _ merge: MergeResult,
    in context: CommandContext
  ) -> ExitStatus {
    let machines = set.byMachine(\.machine.fileSystem)
    let noise = machines.flatMap { reports in
      let results = reports.map(\.result)
      let calibration = Calibration(results.map(CalibrationRecord.init), machine: results[0].machine)
      let noise = CalibrationText(calibration: calibration, figures: results.flatMap(\.figures)).lines
      return ["\(reports[0].record.machine), \(results[0].machine.fileSystem):"] + noise.map { "  " + $0 }
    }
    for line in merge.lines(onMachines: machines.count) + noise + merge.repetitions {
      context.output.line(InertText.line(line))
    }
    // A false alarm is a result of the calibration and not a failure.
    let codes = set.reports.map(\.result.exitCode).filter { $0 != .regressed }
    return ExitStatus.mostSevere(codes + (merge.problems.isEmpty ? [] : [.incomparable]))
  }

  /// Joins the parts of a campaign and writes its report.
  private func merge(
    _ set: ShardSet<StressResult>,
    _ merge: MergeResult,
    in context: CommandContext
  ) throws -> ExitStatus {
    let merged = StressMerge.result(of: set, merge, command: RepeatCommand.line(set.record.wholeCommand))
    let folder = try StressFolder.create(
      in: reportFolder.text,
      kind: merged.kind,
      commit: merged.environment.commit,
      at: merged.startedAt
    )
    try StressFolder.write(merged, in: folder)
    for line in StressText.lines(of: merged, folder: folder) { context.output.line(line) }
    return merged.status
  }

  /// Joins the shards of runs and writes the reports of their scenarios.
  private func merge(
    _ set: ShardSet<ScenarioResult>,
    _ found: FoundShards,
    in context: CommandContext
  ) throws -> ExitStatus {
    var codes: [ExitStatus] = []
    var problems: [String] = []
    var repetitions: [String] = []
    for (group, scenario) in set.command.groups.enumerated() {
      let record = found.record(of: set, group: group)
      repetitions += record.repetitions.filter { !repetitions.contains($0) }
      if let result = try RunMerge.result(ofGroup: group, in: set, record) {
        let folders = set.reports.filter { $0.record.group == group }.map(\.path)
        codes += [result.verdict.exitCode, try write(result, record, from: folders, in: context)]
      } else {
        problems += record.rejected + ["\(scenario.name): all shards with runs of this scenario are missing"]
      }
    }
    if !codes.isEmpty { try ReportIndex.rewrite(in: reportFolder.text) }
    for line in problems + repetitions { context.output.line(InertText.line(line)) }
    return ExitStatus.mostSevere(codes + (problems.isEmpty ? [] : [.incomparable]))
  }

  /// Writes the report of a scenario and prints its verdict.
  /// - Returns: The exit code of writing.
  private func write(
    _ result: ScenarioResult,
    _ merge: MergeResult,
    from folders: [String],
    in context: CommandContext
  ) throws -> ExitStatus {
    let reportFolder = reportFolder.text
    var status = ExitStatus.passed
    let logs = folders.map { "\($0)/\(LatencyLogFile.name)" }
    var log: LatencyLogFile?
    if logs.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) {
      do { log = try LatencyLogFile(joining: logs, in: reportFolder) } catch {
        let failure = Failure(error)
        context.errors.error(failure.text)
        status = failure.status
      }
    }
    defer { log?.discard() }
    let command = RepeatCommand(reportFolder: reportFolder)
    let folder = try RunDirectory.write(result, under: reportFolder, repeatedBy: command, latencyLog: log)
    context.showSummary(of: result)
    for line in merge.lines(onMachines: result.machines.count) + ["report: \(folder)/report.md"] {
      context.output.line(InertText.line(line))
    }
    return status
  }
}

extension MergeResult {
  /// The lines that merges of all kinds print: the number of shards, and the reasons why the merge is incomplete.
  func lines(onMachines machines: Int) -> [String] {
    let made = Quantity.count(parts.reduce(0) { $0 + $1.made }, of: unit.rawValue)
    let complete = "shards: \(parts.count { $0.state == .complete }) of \(parts.count) complete"
    return ["\(complete), \(made) on \(Quantity.count(machines, of: "machine"))"] + problems.map { "  - \($0)" }
  }

  /// The commands that repeat shards.
  var repetitions: [String] { parts.compactMap { part in part.command.map { "repeat shard \(part.number): \($0)" } } }
}
