/// Joins the shards of one campaign.
public enum StressMerge {
  /// Returns the result of the campaign. Its counts are the sums over the shards.
  ///
  /// The requirements hold for the whole campaign, so they are judged only if all shards are complete.
  /// - Parameters:
  ///   - set: The shards, at least one.
  ///   - command: The command that runs the campaign without shards.
  public static func result(
    of set: ShardSet<StressResult>,
    _ merge: MergeResult,
    command: String
  ) -> StressResult {
    let results = set.reports.map(\.result)
    var merged = results[0]
    (merged.shard, merged.requirements, merged.merge) = (nil, nil, merge)
    (merged.command, merged.resumeCommand) = (command, nil)
    merged.startedAt = results.map(\.startedAt).min() ?? merged.startedAt
    merged.durationSeconds = results.reduce(0) { $0 + $1.durationSeconds }
    merged.environment.fileSystem = results.map(\.environment.fileSystem).withoutDuplicates.joined(separator: ", ")
    (merged.cases, merged.plannedCases) = (results.reduce(0) { $0 + $1.cases }, set.command.groups[0].cases)
    merged.counts = counts(of: results)
    merged.failures = set.reports.flatMap(failures).sorted { $0.number < $1.number }
    merged.shortcomings = merge.isComplete ? shortcomings(of: merged.counts, results[0].requirements ?? []) : []
    merged.untested = untested(in: results)
    merged.isInterrupted = false
    merged.machines = set.byMachine(\.environment.fileSystem).map(StressMachine.init)
    return merged
  }

  /// Returns the sums, in the order of the first shard.
  private static func counts(of results: [StressResult]) -> [StressCount] {
    let all = results.flatMap(\.counts)
    let sums = Dictionary(all.map { ($0.name, $0.value) }, uniquingKeysWith: +)
    return all.map(\.name).withoutDuplicates.map { StressCount(name: $0, value: sums[$0] ?? 0) }
  }

  /// Returns the failures of a shard. The paths of their folders begin with the path of the shard's report.
  private static func failures(_ report: ShardReport<StressResult>) -> [StressFailure] {
    report.result.failures.map { failure in
      var failure = failure
      failure.folder = failure.folder.map { "\(report.path)/\($0)" }
      return failure
    }
  }

  private static func shortcomings(of counts: [StressCount], _ requirements: [StressRequirement]) -> [String] {
    requirements.compactMap { requirement in
      requirement.shortcoming(found: counts.first { $0.name == requirement.count }?.value ?? 0)
    }
  }

  /// Returns the limits that all shards share, and the limits of single shards with their numbers.
  private static func untested(in results: [StressResult]) -> [String] {
    let common = results[0].untested.filter { line in results.allSatisfy { $0.untested.contains(line) } }
    let own = results.flatMap { result in
      result.untested.filter { !common.contains($0) }.map { "Of \(result.shard?.shard.text ?? "a shard"): \($0)" }
    }
    return common + own
  }
}
