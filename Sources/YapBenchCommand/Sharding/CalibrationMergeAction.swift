internal import BenchRegression
internal import BenchReports
internal import BenchResults

/// Prints the noise of each machine that has made shards of a calibration. Figures of different machines are not
/// pooled, and nothing is written: each shard has its report, and has appended its result to the calibration file.
struct CalibrationMergeAction {
  let records: [ShardRecord<ComparisonOutcome>]
  let place: MergePlace

  func perform(in context: CommandContext) -> Int32 {
    var own = records
    let rejected = own.keepLargestGroup(Self.difference) + own.keepOneOfEachShard()
    guard let first = own.first?.result, let shard = first.shard else { return ExitStatus.passed.rawValue }
    let merge = MergeResult(
      of: own,
      shardCount: shard.position.count,
      program: first.base.sha256,
      rejected: rejected,
      planned: { $0.part(of: shard.scenarios.count).count },
      made: { $0.isWhole ? $0.design.scenarios.count : 0 },
      command: { number, _ in command(for: number, of: first) }
    )
    let problems = merge.problems(countedIn: "scenario")
    // A false alarm is a result of the calibration and not a failure.
    let codes = own.map { $0.result.exitCode }.filter { $0 != ExitStatus.regressed.rawValue }
    let exitCode = ExitStatus.mostSevere(codes + (problems.isEmpty ? [] : [ExitStatus.incomparable.rawValue]))
    let machines = Self.machines(of: own.map(\.result))
    let scenarios = Quantity.count(own.reduce(0) { $0 + $1.result.design.scenarios.count }, of: "scenario")
    let total = "\(scenarios) on \(Quantity.count(machines.count, of: "machine"))"
    let lines =
      [ShardText.complete(merge, total)] + problems.map { "  - \($0)" }
      + machines.flatMap { [$0.name + ":"] + $0.lines.map { "  " + $0 } } + ShardText.repetitions(merge)
    for line in lines { context.output.line(InertText.line(line)) }
    return exitCode
  }

  /// Returns the reason why two results are not of one calibration; nil if they may be.
  private static func difference(_ result: ComparisonOutcome, _ other: ComparisonOutcome) -> String? {
    guard let shard = result.shard, let expected = other.shard else { return "it is no shard" }
    if let difference = ShardDifference.ofCounts(shard.position.count, expected.position.count) { return difference }
    if let difference = ShardDifference.ofPrograms(result.base.sha256, other.base.sha256) { return difference }
    if let difference = ShardDifference.ofSeeds(result.design.seed, other.design.seed) { return difference }
    let names = [shard, expected].map { $0.scenarios.map(\.name).joined(separator: ", ") }
    if names[0] != names[1] { return "its scenarios are \(names[0]); expected \(names[1])" }
    let changed = zip(shard.scenarios, expected.scenarios).first { $0 != $1 }
    if let (scenario, _) = changed { return "it has another text of the scenario \(scenario.name)" }
    let (design, expectedDesign) = (result.design, other.design)
    if design.pairs != expectedDesign.pairs || design.budgetSeconds != expectedDesign.budgetSeconds {
      return "it has another number of pairs or another budget"
    }
    return ShardDifference.ofSQLite(result.machine.sqliteVersion, other.machine.sqliteVersion)
  }

  private func command(for shard: ShardNumber, of result: ComparisonOutcome) -> String {
    let folder = ShardPlan.absolute(place.shardFolder(shard.number))
    let words =
      [CommandLine.arguments[0], "calibrate"] + (result.shard?.options ?? [])
      + ["--shard", shard.argument, "--seed", String(result.design.seed), "--out", folder]
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  /// The noise of each machine, in the order of their first shards.
  private static func machines(of results: [ComparisonOutcome]) -> [(name: String, lines: [String])] {
    func name(_ result: ComparisonOutcome) -> String {
      "\(result.shard?.machine ?? result.machine.cpu), \(result.machine.fileSystem)"
    }
    var names: [String] = []
    for result in results where !names.contains(name(result)) { names.append(name(result)) }
    return names.map { machine in
      let own = results.filter { name($0) == machine }
      let calibration = Calibration(own.map(CalibrationRecord.init), machine: own[0].machine)
      return (machine, CalibrationText(calibration: calibration, figures: own.flatMap(\.figures)).lines)
    }
  }
}
