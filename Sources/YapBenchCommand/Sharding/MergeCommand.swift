internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import Foundation
internal import SystemFiles

struct MergeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Joins the reports of all shards of a run into one report.",
    discussion: """
      DIR is the folder of a shard's run, or a folder that is searched for them. The \
      report has the runs of all shards, in the order of a run without shards. \
      Figures of different machines are not pooled: each machine has its own tables.

      Missing, failed and repeated shards are named, each missing or failed one with \
      the command that repeats it. Shards with another text of the scenario, another \
      seed or another build are left out. The exit code is then 3, or that of a more \
      severe verdict, and the report has the runs that there are. Nothing is \
      overwritten.

      Examples:
        yapbench merge Reports/JOB
        yapbench merge Reports/shard-1 Reports/shard-2 --out Reports/merged
      """
  )

  @Argument(
    help: ArgumentHelp("Folders of shards' runs, or folders that contain them.", valueName: "dir"),
    completion: .directory
  )
  var folders: [String]

  @Option(name: .customLong("out"), help: ArgumentHelp("The parent folder of the new report.", valueName: "dir"))
  var reportFolder = "Reports"

  func perform(in context: CommandContext) throws -> Int32 {
    try MergeAction(folders: folders, reportFolder: reportFolder).perform(in: context)
  }
}

struct MergeAction {
  let folders: [String]
  let reportFolder: String

  func perform(in context: CommandContext) throws -> Int32 {
    let (records, unreadable) = try read()
    guard !records.isEmpty else {
      for problem in unreadable { context.errors.error(problem.text) }
      throw Failure(
        "\(folders.joined(separator: ", ")): there is no report of a shard; expected folders that yapbench run --shard "
          + "has written",
        .missingInput
      )
    }
    try context.endOnSignals()
    try RunDirectory.checkWritable(reportFolder)
    let merge = ShardMerge(records) { command(for: $0, textsFrom: $1) }
    var codes = unreadable.map(\.status.rawValue)
    for merged in merge.scenarios {
      codes += [merged.result.verdict.exitCode.rawValue, try write(merged, in: context)]
    }
    if !merge.scenarios.isEmpty { try ReportIndex.rewrite(in: reportFolder) }
    for problem in unreadable { context.errors.error(problem.text) }
    let problems = merge.foreign + merge.absent.map { "\($0): all shards with runs of this scenario are missing" }
    for problem in problems { context.output.line(InertText.line(problem)) }
    for (number, command) in merge.repetitions {
      context.output.line(InertText.line("repeat shard \(number): \(command)"))
    }
    if !problems.isEmpty { codes.append(ExitStatus.incomparable.rawValue) }
    return ExitStatus.mostSevere(codes)
  }

  // MARK: Reading

  /// Reads the reports of shards.
  /// - Throws: `Failure` if an argument is no folder, or the folder of a run that is no shard.
  private func read() throws(Failure) -> (records: [ShardRecord], unreadable: [Failure]) {
    var records: [ShardRecord] = []
    var unreadable: [Failure] = []
    var known: Set<String> = []
    for folder in folders {
      guard let entries = FolderTree.entries(below: folder, suffixes: ["run.json"]) else {
        throw Failure("\(folder): there is no such folder", .missingInput)
      }
      for entry in entries {
        guard case .file(let path) = entry else {
          if case .problem(let path, let text) = entry {
            unreadable.append(Failure("\(folder)/\(path): \(text)", .incomparable))
          }
          continue
        }
        let run = ("\(folder)/\(path)" as NSString).deletingLastPathComponent
        let isRun = (path as NSString).lastPathComponent == "run.json"
        guard isRun, known.insert(URL(fileURLWithPath: run).resolvingSymlinksInPath().path).inserted else { continue }
        let result: ScenarioResult
        do throws(Failure) { result = try RunRecord(run).read() } catch {
          unreadable.append(Failure(error.text + "; it was left out", .incomparable))
          continue
        }
        if result.shard != nil {
          records.append(ShardRecord(path: run, result: result))
        } else if path == "run.json" {
          throw Failure("\(run): this run is no shard; expected one of yapbench run --shard", .usage)
        }
      }
    }
    return (records, unreadable)
  }

  // MARK: Writing

  /// Writes the report of a scenario and prints its verdict.
  /// - Returns: The exit code of writing.
  private func write(_ merged: ShardMerge.Merged, in context: CommandContext) throws -> Int32 {
    var status = ExitStatus.passed
    let logs = merged.records.map { "\($0.path)/\(LatencyLogFile.name)" }
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
    let folder = try RunDirectory.write(merged.result, under: reportFolder, repeatedBy: command, latencyLog: log)
    let summary = ConsoleSummary.lines(merged.result)
    let shown =
      context.outputTerminal.map { SummaryText(terminal: $0).lines(summary, of: merged.result.verdict) } ?? summary
    for line in shown { context.output.line(line) }
    context.output.line(shards(of: merged.result))
    for problem in merged.result.merge?.problems ?? [] { context.output.line(InertText.line("  - \(problem)")) }
    context.output.line(InertText.line("report: \(folder)/report.md"))
    return status.rawValue
  }

  private func shards(of result: ScenarioResult) -> String {
    let parts = result.merge?.parts ?? []
    let complete = parts.count { $0.state == .complete }
    return "shards: \(complete) of \(parts.count) complete, \(Quantity.count(result.runs.count, of: "run")) on "
      + Quantity.count(result.machines.count, of: "machine")
  }

  /// Returns the command that makes one shard. Its report gets a folder beside those of the other shards, and its
  /// scenarios are those of accepted reports, as far as there are some.
  private func command(for shard: Shard, textsFrom records: [ShardRecord]) -> String {
    let first = folders[0]
    let isRun = FileManager.default.fileExists(atPath: "\(first)/run.json")
    let parent = folders.count > 1 || isRun ? "\(first)/.." : first
    let scenarios = shard.scenarios.enumerated().map { index, scenario in
      records.first { $0.result.shard?.scenario == index }.map { "\($0.path)/scenario.yaml" } ?? scenario.file
    }
    let command = RepeatCommand(reportFolder: "\(parent)/shard-\(shard.number)")
    return command.text(for: shard, scenarios: scenarios)
  }
}
