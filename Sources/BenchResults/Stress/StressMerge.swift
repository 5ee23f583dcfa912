/// Joins the shards of one campaign.
public enum StressMerge {
  /// Returns the result of the campaign. Its counts are the sums over the shards.
  ///
  /// The requirements hold for the whole campaign, so they are judged only if all shards are complete.
  /// - Parameters:
  ///   - records: The records of shards.
  ///   - command: The command that runs the campaign without shards, given the result of any shard.
  ///   - shardCommand: The command that makes a shard, or continues it, given its record if it was interrupted, and the
  ///     result of any shard.
  /// - Returns: nil if no record belongs to a shard.
  public static func result(
    of records: [ShardRecord<StressResult>],
    command: (StressResult) -> String,
    shardCommand: (ShardNumber, ShardRecord<StressResult>?, StressResult) -> String
  ) -> StressResult? {
    var records = records.filter { $0.result.shard != nil }
    let rejected = records.keepLargestGroup(difference) + records.keepOneOfEachShard()
    let results = records.map(\.result)
    guard let first = results.first, let shard = first.shard else { return nil }
    let merge = MergeResult(
      of: records,
      shardCount: shard.position.count,
      program: first.environment.program,
      rejected: rejected,
      planned: { number in shard.plannedCases.map(number.cases(of:)) },
      made: \.cases,
      command: { shardCommand($0, $1, first) }
    )
    var merged = first
    (merged.shard, merged.merge) = (nil, merge)
    (merged.command, merged.resumeCommand) = (command(first), nil)
    merged.startedAt = results.map(\.startedAt).min() ?? first.startedAt
    merged.durationSeconds = results.reduce(0) { $0 + $1.durationSeconds }
    merged.environment.fileSystem = distinct(results.map(\.environment.fileSystem)).joined(separator: ", ")
    (merged.cases, merged.plannedCases) = (results.reduce(0) { $0 + $1.cases }, shard.plannedCases)
    merged.counts = counts(of: results)
    merged.failures = records.flatMap(failures).sorted { $0.number < $1.number }
    merged.shortcomings = merge.isComplete ? shortcomings(of: merged.counts, results) : []
    merged.untested = untested(in: results)
    merged.isInterrupted = false
    merged.machines = machines(of: results)
    return merged
  }

  /// Returns the reason why two results are not of one campaign; nil if they may be.
  private static func difference(_ result: StressResult, _ other: StressResult) -> String? {
    guard let shard = result.shard, let expected = other.shard else { return "it is no shard" }
    if result.kind != other.kind {
      return "it is of stress \(result.kind.rawValue); expected stress \(other.kind.rawValue)"
    }
    if let difference = ShardDifference.ofCounts(shard.position.count, expected.position.count) { return difference }
    let (program, expectedProgram) = (result.environment.program, other.environment.program)
    if let difference = ShardDifference.ofPrograms(program, expectedProgram) { return difference }
    if let difference = ShardDifference.ofSeeds(result.seed, other.seed) { return difference }
    if shard.options != expected.options || shard.plannedCases != expected.plannedCases {
      return "it was made with \(text(of: shard.options)); expected \(text(of: expected.options))"
    }
    if shard.inputDigest != expected.inputDigest { return "its scenarios have another text" }
    let (source, expectedSource) = (result.environment.sqliteSourceID, other.environment.sqliteSourceID)
    if source == expectedSource { return nil }
    return ShardDifference.ofSQLite(result.environment.sqliteVersion, other.environment.sqliteVersion)
      ?? "it ran on another build of SQLite (\(source), expected \(expectedSource))"
  }

  private static func text(of options: [String]) -> String {
    options.isEmpty ? "no options" : options.joined(separator: " ")
  }

  private static func distinct(_ texts: [String]) -> [String] {
    texts.indices.filter { texts.firstIndex(of: texts[$0]) == $0 }.map { texts[$0] }
  }

  /// Returns the sums, in the order of the first shard.
  private static func counts(of results: [StressResult]) -> [StressCount] {
    let all = results.flatMap(\.counts)
    let sums = Dictionary(all.map { ($0.name, $0.value) }, uniquingKeysWith: +)
    return distinct(all.map(\.name)).map { StressCount(name: $0, value: sums[$0] ?? 0) }
  }

  /// Returns the failures of a shard. The paths of their folders begin with the path of the shard's report.
  private static func failures(_ record: ShardRecord<StressResult>) -> [StressFailure] {
    record.result.failures.map { failure in
      var failure = failure
      failure.folder = failure.folder.map { "\(record.path)/\($0)" }
      return failure
    }
  }

  private static func shortcomings(of counts: [StressCount], _ results: [StressResult]) -> [String] {
    var requirements: [StressRequirement] = []
    for requirement in results.flatMap({ $0.shard?.requirements ?? [] }) where !requirements.contains(requirement) {
      requirements.append(requirement)
    }
    return requirements.compactMap { requirement in
      requirement.shortcoming(found: counts.first { $0.name == requirement.count }?.value ?? 0)
    }
  }

  /// Returns the limits that all shards share, and the limits of single shards with their numbers.
  private static func untested(in results: [StressResult]) -> [String] {
    let common = results[0].untested.filter { line in results.allSatisfy { $0.untested.contains(line) } }
    let own = results.flatMap { result in
      result.untested.filter { !common.contains($0) }.map { "Of \(result.shardNumber?.text ?? "a shard"): \($0)" }
    }
    return common + own
  }

  private static func machines(of results: [StressResult]) -> [StressMachine] {
    var machines: [StressMachine] = []
    for machine in results.flatMap({ $0.machines ?? [] }) {
      let index = machines.firstIndex { $0.name == machine.name && $0.fileSystem == machine.fileSystem }
      guard let index else {
        machines.append(machine)
        continue
      }
      machines[index].cases += machine.cases
      machines[index].failedCases += machine.failedCases
      machines[index].seconds += machine.seconds
    }
    return machines
  }
}
