internal import BenchReports
internal import BenchResults
internal import EngineStress
internal import Foundation

/// Joins the shards of a campaign and writes its report.
struct StressMergeAction {
  let reports: ShardReports
  let place: MergePlace

  /// - Returns: The exit code of the campaign, or of a report that cannot be read.
  func perform(in context: CommandContext) throws -> Int32 {
    let merged = StressMerge.result(
      of: reports.campaigns,
      command: { Self.commandLine(of: $0).text([]) },
      shardCommand: { command(for: $0, continuing: $1, of: $2) }
    )
    guard let merged else { return ExitStatus.passed.rawValue }
    let folder = try StressFolder.create(
      in: place.reportFolder,
      kind: merged.kind,
      commit: merged.environment.commit,
      at: merged.startedAt
    )
    try StressFolder.write(merged, in: folder)
    for line in StressText.lines(of: merged, folder: folder) { context.output.line(line) }
    return merged.status.rawValue
  }

  private static func commandLine(of result: StressResult) -> StressCommandLine {
    StressCommandLine(
      kind: result.kind,
      seed: result.seed,
      arguments: result.shard?.options ?? [],
      dataFolder: result.shard?.dataFolder
    )
  }

  /// Returns the command that makes one shard, or continues it if it was interrupted or killed.
  /// - Parameters:
  ///   - record: The record of the interrupted shard; nil without one.
  ///   - result: The result of any shard.
  private func command(
    for shard: ShardNumber,
    continuing record: ShardRecord<StressResult>?,
    of result: StressResult
  ) -> String {
    let killed = reports.killed.first { killed in
      killed.header.shard == shard && killed.header.kind == result.kind && killed.header.seed == result.seed
        && killed.header.environment.program == result.environment.program
    }
    let line = Self.commandLine(of: result)
    if let begun = record?.path ?? killed?.path {
      return line.text(["--shard", shard.argument, "--resume", ShardPlan.absolute(begun)])
    }
    return line.text(["--shard", shard.argument, "--out", ShardPlan.absolute(place.shardFolder(shard.number))])
  }
}

/// The folders of a merge.
struct MergePlace {
  /// The folders that were searched for shards.
  let folders: [String]
  /// The parent folder of the merged report.
  let reportFolder: String

  /// Returns the folder of the reports of a shard that is made again, beside the other shards' folders.
  func shardFolder(_ number: Int) -> String {
    let first = folders[0]
    let records = ["run.json", StressFolder.recordName, "compare.json"]
    let isReport = records.contains { FileManager.default.fileExists(atPath: "\(first)/\($0)") }
    let parent = folders.count > 1 || isReport ? "\(first)/.." : first
    return "\(parent)/shard-\(number)"
  }
}
