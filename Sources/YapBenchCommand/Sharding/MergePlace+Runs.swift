internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import Foundation

extension MergePlace {
  /// Joins the shards of runs and writes the reports of their scenarios.
  func merge(_ set: ShardSet<ScenarioResult>, in context: CommandContext) throws -> ExitStatus {
    var codes: [ExitStatus] = []
    var problems: [String] = []
    var repetitions: [String] = []
    for (group, scenario) in set.command.groups.enumerated() {
      let record = set.merge(ofGroup: group) { number, _ in command(of: number, in: set) }
      repetitions += record.repetitions.filter { !repetitions.contains($0) }
      if let result = try RunMerge.result(ofGroup: group, in: set, record) {
        let folders = set.reports.filter { $0.record.group == group }.map(\.path)
        codes += [result.verdict.exitCode, try write(result, record, from: folders, in: context)]
      } else {
        problems += record.rejected + ["\(scenario.name): all shards with runs of this scenario are missing"]
      }
    }
    if !codes.isEmpty { try ReportIndex.rewrite(in: reportFolder) }
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
    let summary = ConsoleSummary.lines(result)
    let shown = context.outputTerminal.map { SummaryText(terminal: $0).lines(summary, of: result.verdict) } ?? summary
    for line in shown { context.output.line(line) }
    for line in merge.lines(onMachines: result.machines.count) + ["report: \(folder)/report.md"] {
      context.output.line(InertText.line(line))
    }
    return status
  }
}
