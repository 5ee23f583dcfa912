internal import BenchReports
internal import BenchResults

extension MergePlace {
  /// Joins the shards of a campaign and writes its report.
  /// - Parameter killed: The folders of campaigns that have no report.
  func merge(
    _ set: ShardSet<StressResult>,
    killed: [(path: String, record: ShardRecord)],
    in context: CommandContext
  ) throws -> ExitStatus {
    let merge = set.merge { number, report in
      let killed = killed.first { $0.record.number == number && $0.record.command == set.command }
      return command(of: number, in: set, continuing: report?.path ?? killed?.path)
    }
    let merged = StressMerge.result(of: set, merge, command: RepeatCommand.line(set.record.wholeCommand))
    let folder = try StressFolder.create(
      in: reportFolder,
      kind: merged.kind,
      commit: merged.environment.commit,
      at: merged.startedAt
    )
    try StressFolder.write(merged, in: folder)
    for line in StressText.lines(of: merged, folder: folder) { context.output.line(line) }
    return merged.status
  }
}
