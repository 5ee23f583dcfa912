internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import Foundation

/// Joins the shards of runs and writes the reports of their scenarios.
struct RunMergeAction {
  let records: [ShardRecord<ScenarioResult>]
  let place: MergePlace

  func perform(in context: CommandContext) throws -> Int32 {
    let merge = ShardMerge(records) { command(for: $0, textsFrom: $1) }
    var codes: [Int32] = []
    for merged in merge.scenarios {
      codes += [merged.result.verdict.exitCode.rawValue, try write(merged, in: context)]
    }
    if !merge.scenarios.isEmpty { try ReportIndex.rewrite(in: place.reportFolder) }
    let problems = merge.foreign + merge.absent.map { "\($0): all shards with runs of this scenario are missing" }
    for problem in problems { context.output.line(InertText.line(problem)) }
    for (number, command) in merge.repetitions {
      context.output.line(InertText.line("repeat shard \(number): \(command)"))
    }
    if !problems.isEmpty { codes.append(ExitStatus.incomparable.rawValue) }
    return ExitStatus.mostSevere(codes)
  }

  /// Writes the report of a scenario and prints its verdict.
  /// - Returns: The exit code of writing.
  private func write(_ merged: ShardMerge.Merged, in context: CommandContext) throws -> Int32 {
    var status = ExitStatus.passed
    let logs = merged.records.map { "\($0.path)/\(LatencyLogFile.name)" }
    var log: LatencyLogFile?
    if logs.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) {
      do { log = try LatencyLogFile(joining: logs, in: place.reportFolder) } catch {
        let failure = Failure(error)
        context.errors.error(failure.text)
        status = failure.status
      }
    }
    defer { log?.discard() }
    let command = RepeatCommand(reportFolder: place.reportFolder)
    let folder = try RunDirectory.write(merged.result, under: place.reportFolder, repeatedBy: command, latencyLog: log)
    let summary = ConsoleSummary.lines(merged.result)
    let shown =
      context.outputTerminal.map { SummaryText(terminal: $0).lines(summary, of: merged.result.verdict) } ?? summary
    for line in shown { context.output.line(line) }
    if let merge = merged.result.merge {
      let machines = Quantity.count(merged.result.machines.count, of: "machine")
      let total = "\(Quantity.count(merged.result.runs.count, of: "run")) on \(machines)"
      context.output.line(ShardText.complete(merge, total))
      for problem in merge.problems { context.output.line(InertText.line("  - \(problem)")) }
    }
    context.output.line(InertText.line("report: \(folder)/report.md"))
    return status.rawValue
  }

  /// Returns the command that makes one shard. Its report gets a folder beside the other shards' folders, and its
  /// scenarios have the texts of accepted reports, as far as there are some.
  private func command(for shard: Shard, textsFrom records: [ShardRecord<ScenarioResult>]) -> String {
    let scenarios = shard.scenarios.enumerated().map { index, scenario in
      records.first { $0.result.shard?.scenario == index }.map { "\($0.path)/scenario.yaml" } ?? scenario.file
    }
    let command = RepeatCommand(reportFolder: place.shardFolder(shard.number))
    return command.text(for: shard, scenarios: scenarios)
  }
}
