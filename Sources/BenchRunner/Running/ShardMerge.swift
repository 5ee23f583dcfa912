public import BenchResults
internal import BenchScenario

/// Joins the shards of one command. The runs keep their figures, and the verdict covers all runs together.
public struct ShardMerge: Sendable {
  /// A scenario with at least one accepted shard.
  public struct Merged: Sendable {
    public var result: ScenarioResult
    /// The records that were joined, in the order of their shards.
    public var records: [ShardRecord<ScenarioResult>]
  }

  /// In the order of the command.
  public private(set) var scenarios: [Merged] = []
  /// The scenarios of the command of which no shard was found.
  public private(set) var absent: [String] = []
  /// The records that were left out of every scenario, with the reasons.
  public private(set) var foreign: [String] = []
  /// The commands that repeat missing and failed shards, in the order of the shards.
  public private(set) var repetitions: [(number: Int, command: String)] = []

  /// - Parameters:
  ///   - records: At least one, each of a shard.
  ///   - command: Returns the command that repeats one shard of the same command, given the shard and the records that
  ///     have the texts of the scenarios.
  public init(
    _ records: [ShardRecord<ScenarioResult>],
    command: (Shard, [ShardRecord<ScenarioResult>]) -> String
  ) {
    var own = records.filter { $0.result.shard != nil }
    foreign = own.keepLargestGroup(Self.differenceOfCommands)
    guard let reference = own.first?.result.shard else { return }
    var groups = reference.scenarios.indices.map { index in own.filter { $0.result.shard?.scenario == index } }
    // Before a command is formed, because it names the accepted files.
    let rejected = groups.indices.map { index in
      groups[index].keepLargestGroup(Self.differenceOfRuns) + groups[index].keepOneOfEachShard()
    }
    let accepted = groups.compactMap(\.first)
    for (index, group) in groups.enumerated() {
      guard !group.isEmpty else {
        absent.append(reference.scenarios[index].name)
        foreign += rejected[index]
        continue
      }
      merge(group, rejected[index]) { command(reference.with(number: $0), accepted) }
    }
    let repeated = Set(repetitions.map(\.number))
    for number in 1...reference.count where !repeated.contains(number) {
      let isNeeded = groups.indices.contains { index in
        groups[index].isEmpty && !reference.with(number: number).runs(ofScenario: index).isEmpty
      }
      if isNeeded { repetitions.append((number, command(reference.with(number: number), accepted))) }
    }
    repetitions.sort { $0.number < $1.number }
  }

  // MARK: Which records belong together

  /// Returns the reason why two shards are not of one command; nil if they may be.
  private static func differenceOfCommands(_ result: ScenarioResult, _ other: ScenarioResult) -> String? {
    guard let shard = result.shard, let expected = other.shard else { return "it is no shard" }
    if let difference = ShardDifference.ofCounts(shard.count, expected.count) { return difference }
    if let difference = ShardDifference.ofPrograms(shard.program, expected.program) { return difference }
    let plans = [shard, expected].map { $0.scenarios.map { "\($0.name) (\($0.runs) runs)" }.joined(separator: ", ") }
    return plans[0] == plans[1] ? nil : "its command ran \(plans[0]); expected \(plans[1])"
  }

  /// Returns the reason why two results are not of the same runs; nil if they are.
  private static func differenceOfRuns(_ result: ScenarioResult, _ other: ScenarioResult) -> String? {
    if let difference = ShardDifference.ofSeeds(result.first.seed, other.first.seed) { return difference }
    if result.scenarioYAML != other.scenarioYAML || result.files != other.files {
      return "it has another text of the scenario \(result.first.scenario)"
    }
    if result.variants != other.variants || result.repetitions != other.repetitions {
      return "it has other variants or repetitions"
    }
    if result.first.isSmoke != other.first.isSmoke {
      return result.first.isSmoke ? "it is a smoke run" : "it is no smoke run, unlike the others"
    }
    return ShardDifference.ofSQLite(result.first.environment.sqliteVersion, other.first.environment.sqliteVersion)
  }

  // MARK: One scenario

  private mutating func merge(
    _ records: [ShardRecord<ScenarioResult>],
    _ rejected: [String],
    command: (Int) -> String
  ) {
    let first = records[0].result
    let loaded: LoadedScenario
    do throws(ScenarioDiagnostics) {
      let drivers = first.engines?.drivers.compactMap(DriverKind.init) ?? []
      let whole = try ScenarioLoader.load(text: first.scenarioYAML, files: first.files ?? [:], drivers: drivers)
      let chosen = try whole.choosing(first.choices)
      loaded = first.first.isSmoke ? chosen.smoke() : chosen
    } catch {
      foreign.append("\(records[0].path) was left out: its scenario cannot be read: \(error)")
      return
    }
    guard let shard = first.shard, loaded.variants.map(ScenarioResult.Variant.init) == first.variants,
      loaded.repetitions == first.repetitions
    else {
      foreign.append("\(records[0].path) was left out: its variants are not those of its scenario")
      return
    }
    let planned = ScenarioRun.planned(loaded, nil)
    var runs: [RunResult] = []
    var retries: [RunResult] = []
    var parts: [MergeResult.Part] = []
    for number in 1...shard.count {
      let range = shard.with(number: number).runs.clamped(to: planned.indices)
      guard !range.isEmpty else { continue }
      let record = records.first { $0.result.shard?.number == number }
      var found = record?.result.runs ?? []
      var made = 0
      for run in planned[range] {
        let name = loaded.variants[run.variant].name
        guard let index = found.firstIndex(where: { $0.variant == name && $0.repetition == run.repetition }) else {
          continue
        }
        let own = found.remove(at: index)
        made += own.isPartial ? 0 : 1
        runs.append(own)
      }
      retries += found.filter { $0.repetition > first.repetitions }
      let isComplete = made == range.count && record?.result.isWhole == true
      let state: MergeResult.State = record == nil ? .missing : isComplete ? .complete : .failed
      let command = isComplete ? nil : command(number)
      if let command, repetitions.allSatisfy({ $0.number != number }) { repetitions.append((number, command)) }
      parts.append(.init(number: number, state: state, planned: range.count, made: made, command: command))
    }
    guard !runs.isEmpty else {
      foreign.append("\(records[0].path) was left out: it has none of the planned runs of its shard")
      return
    }
    var result = first
    result.runs = runs + retries
    result.shard = nil
    result.merge = MergeResult(shardCount: shard.count, program: shard.program, parts: parts, rejected: rejected)
    result.variantExpectations = VariantJudge(loaded, result).results
    let isStrict = records.contains { $0.result.shard?.options.contains("--strict") == true }
    result.verdict = ScenarioVerdict(result, wasInterrupted: false, failure: nil, isStrict: isStrict).result
    scenarios.append(Merged(result: result, records: records))
  }
}
