import BenchScenario
import Testing

@testable import BenchResults
@testable import BenchRunner

@Suite("Shards of a scenario") struct ShardMergeTests {
  private static func scenario(_ more: String = "") throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: shards
        summary: Runs that end after a number of operations.
        seed: 5
        engine: {driver: "null"}
        dataset: {rows: {rows: 50, value: {size: 64B}}}
        connections: {only: {}}
        actors: {loop: {connection: only, operations: {get: 3, set: 1}, collection: rows, keys: uniform}}
        phases: [{name: run, operations: 200, actors: [loop]}]
        matrix: {dataset.rows.rows: [50, 60]}
        repeat: 2
        \(more)
        """
    )
  }

  private static func shard(
    _ number: Int,
    of count: Int,
    in loaded: LoadedScenario
  ) -> ShardRecord {
    let command = ShardedCommand(
      name: "run",
      unit: .run,
      shards: count,
      program: "1f",
      sqlite: "3.1",
      options: [],
      groups: [.init(name: "shards", seed: 5, digest: loaded.digest, cases: loaded.runCount)]
    )
    return ShardRecord(
      number: number,
      command: command,
      machine: "node",
      options: [],
      files: ["/shards.yaml"],
      group: 0
    )
  }

  /// The record of a shard whose runs measured nothing.
  private static func record(
    _ number: Int,
    of count: Int,
    in loaded: LoadedScenario,
    _ change: (inout RunResult) -> Void = { _ in }
  ) throws -> ShardReport<ScenarioResult> {
    var part = loaded
    part.shard = shard(number, of: count, in: loaded)
    let runs = ScenarioRun.planned(part).map { planned in
      var run = RunResult()
      run.scenario = "shards"
      run.seed = 5
      run.variant = loaded.variants[planned.variant].name
      run.repetition = planned.repetition
      run.environment.machine = "node-1"
      run.verdict = VerdictResult(exitCode: .passed, headline: "made up", reasons: [])
      change(&run)
      return run
    }
    var result = ScenarioResult(
      scenarioYAML: loaded.expandedYAML,
      variants: loaded.variants.map(ScenarioResult.Variant.init),
      repetitions: loaded.repetitions,
      runs: runs
    )
    result.shard = part.shard
    return try #require(ShardReport(path: "shard-\(number)", result: result))
  }

  /// Merges the only scenario of a command.
  private static func merge(
    _ reports: [ShardReport<ScenarioResult>]
  ) throws -> (merge: MergeResult, result: ScenarioResult?) {
    let set = try #require(ShardSet(reports, problem: RunMerge.problem))
    let record = set.merge(ofGroup: 0) { number, _ in "repeat \(number)/\(set.command.shards)" }
    return (record, try RunMerge.result(ofGroup: 0, in: set, record))
  }

  @Test(arguments: [1, 2, 3, 4])
  func `have the digests of the run without shards, in the same order`(count: Int) throws {
    let loaded = try Self.scenario()
    func digests(_ result: ScenarioResult) -> [[[WorkerDigest]]] {
      result.runs.map { $0.phases.flatMap { $0.actors.map(\.digests) } }
    }
    let whole = try RunningScenarios.runAll(loaded)
    var reports: [ShardReport<ScenarioResult>] = []
    for number in 1...count {
      var part = loaded
      part.shard = Self.shard(number, of: count, in: loaded)
      let result = try RunningScenarios.runAll(part)
      #expect(!result.isPartial && result.runs.count == result.plannedRunCount)
      reports.append(try #require(ShardReport(path: "\(number)", result: result)))
    }
    let merged = try #require(Self.merge(reports.reversed()).result)
    #expect(merged.runs.map(\.variant) == whole.runs.map(\.variant))
    #expect(merged.runs.map(\.repetition) == whole.runs.map(\.repetition))
    #expect(digests(merged) == digests(whole) && !digests(whole).joined().joined().isEmpty)
    #expect(merged.merge?.problems == [] && merged.first.environment.machine?.isEmpty == false)
  }

  @Test func `give other numbers to retries than the other shards`() throws {
    let planned = RunOrder.runs(of: ["a", "b"], repetitions: 3, seed: 1)
    var numbers: [[Int]: Int] = [:]
    for range in [0..<2, 2..<4, 4..<6] {
      let own = planned[range].map { ($0, true) }
      let retries = RunOrder.retries(after: own)
      // Each of its runs is invalid, so each variant needs as many more as the shard has.
      #expect(retries.count == 2)
      let again = RunOrder.retries(after: own + retries.map { ($0, true) })
      for run in retries + again { numbers[[run.variant, run.repetition], default: 0] += 1 }
    }
    #expect(numbers.values.allSatisfy { $0 == 1 } && numbers.keys.allSatisfy { $0[1] > 3 })
  }

  @Test func `leave invalid runs out only if enough of their own are valid`() throws {
    let loaded = try Self.scenario()
    var result = try Self.record(1, of: 4, in: loaded).result
    #expect(result.runs.count == 1 && result.hasEnoughValidRuns)
    result.runs[0].verdict.exitCode = .measurementInvalid
    #expect(!result.hasEnoughValidRuns)
  }

  @Test func `are merged in any order, and each problem is named`() throws {
    let loaded = try Self.scenario()
    let reports = try (1...4).map { try Self.record($0, of: 4, in: loaded) }
    let whole = try #require(Self.merge(reports.reversed()).result)
    let expected = ScenarioRun.planned(loaded).map { "\(loaded.variants[$0.variant].name ?? "") \($0.repetition)" }
    #expect(whole.runs.map { "\($0.variant ?? "") \($0.repetition)" } == expected)
    #expect(whole.verdict.exitCode == .passed)

    var broken = reports[2]
    broken.result.runs[0].isPartial = true
    broken.path = "broken"
    let merge = try Self.merge([reports[0], broken, reports[0]])
    let result = try #require(merge.result)
    #expect(result.verdict.exitCode == .incomparable)
    #expect(
      result.verdict.reasons == [
        "shard 2 of 4 is missing, with 1 planned run", "shard 3 of 4 failed: it made 0 of 1 planned run",
        "shard 4 of 4 is missing, with 1 planned run",
        "shard-1 was left out: shard 1 of 4 is also in shard-1",
      ]
    )
    #expect(result.verdict.headline == "shard 2 of 4 is missing, with 1 planned run (and 3 more)")
    #expect(merge.merge.parts.compactMap(\.command) == ["repeat 2/4", "repeat 3/4", "repeat 4/4"])
    #expect(result.runs.count == 2 && result.isPartial)
    // The repetition of the broken shard replaces it, in whichever order they are found.
    for pair in [[broken, reports[2]], [reports[2], broken]] {
      let repeated = try Self.merge([reports[0], reports[1], reports[3]] + pair)
      #expect(repeated.result?.verdict.exitCode == .passed && repeated.merge.problems == [])
    }
  }

  @Test func `of a smoke run are merged, which has no repetitions`() throws {
    let loaded = try Self.scenario().smoke()
    let merged = try Self.merge([1, 2].map { try Self.record($0, of: 2, in: loaded) { $0.isSmoke = true } })
    #expect(merged.merge.problems == [] && merged.result?.runs.count == 2)
  }

  @Test func `of another command are left out`() throws {
    let loaded = try Self.scenario()
    func reasons(_ change: (inout ShardedCommand) -> Void) throws -> [String] {
      let own = try [1, 2].map { try Self.record($0, of: 3, in: loaded) }
      var other = try Self.record(3, of: 3, in: loaded)
      change(&other.record.command)
      let merged = try Self.merge([other] + own)
      #expect(merged.result?.verdict.exitCode == .incomparable)
      #expect(merged.merge.parts.filter { $0.command != nil }.map(\.number) == [3])
      return merged.merge.rejected
    }
    #expect(try reasons { $0.groups[0].seed = 6 } == ["shard-3 was left out: another seed of shards: 6; expected 5"])
    #expect(
      try reasons { $0.options = ["--smoke"] }
        == ["shard-3 was left out: another list of options: --smoke; expected none"]
    )
    #expect(try reasons { $0.sqlite = "3.0" } == ["shard-3 was left out: another SQLite: 3.0; expected 3.1"])
    #expect(try reasons { $0.program = "2e" }.first?.contains("another build of the program") == true)
    #expect(
      try reasons { $0.groups[0].cases = 8 }
        == ["shard-3 was left out: another set of cases: shards (8); expected shards (4)"]
    )
  }

  @Test func `whose results contradict their records are left out`() throws {
    let loaded = try Self.scenario()
    func reason(_ change: (inout ScenarioResult) -> Void) throws -> String? {
      let own = try Self.record(1, of: 2, in: loaded)
      var other = try Self.record(2, of: 2, in: loaded)
      change(&other.result)
      let merged = try Self.merge([own, other])
      #expect(merged.merge.parts.map(\.state) == [.complete, .missing] && merged.result?.runs.count == 2)
      return merged.merge.rejected.first
    }
    let foreign = "shard-2 was left out: its variants or its text are not those of its scenario"
    #expect(try reason { $0.repetitions = 3 } == foreign)
    #expect(try reason { $0.variants.removeLast() } == foreign)
    #expect(try reason { $0.scenarioYAML += "\n" } == foreign)
    let runs = "shard-2 was left out: its runs are not those of shard 2 of 2"
    #expect(try reason { $0.runs.reverse() } == runs)
    #expect(try reason { $0.runs[0].repetition = 1 } == runs)
    #expect(try reason { $0.runs.append($0.runs[1]) } == runs)
    #expect(try reason { result in for index in 0...1 { result.runs[index].repetition = 9 } } == runs)
    var unreadable = try Self.record(1, of: 2, in: loaded)
    unreadable.result.scenarioYAML = "name: ["
    let merged = try Self.merge([unreadable, try Self.record(2, of: 2, in: loaded)])
    #expect(merged.merge.rejected.first?.hasPrefix("shard-1 was left out: its scenario cannot be read: ") == true)
    #expect(merged.result?.runs.count == 2)
    let alone = try Self.merge([unreadable])
    #expect(alone.result == nil && alone.merge.parts.map(\.state) == [.missing, .missing])
  }

  @Test func `are compared only with runs on the same machine`() throws {
    let comparison = "expect: [\"[rows=50] run throughput.mean < [rows=60] run throughput.mean\"]"
    let loaded = try Self.scenario(comparison)
    let figure = "run throughput.mean"
    func result(_ machine: (RunResult) -> String) throws -> ScenarioResult {
      let reports = try [1, 2].map { number in
        try Self.record(number, of: 2, in: loaded) { run in
          let isSmall = run.variant == loaded.variants[0].name
          run.comparedFigures = [figure: isSmall ? 1 : 2]
          run.environment.machine = machine(run)
        }
      }
      let judge = VariantJudge(loaded: loaded, scenario: reports[0].result)
      #expect(judge.results.first?.reason.hasPrefix("yapbench merge") == true)
      return try #require(Self.merge(reports).result)
    }
    let together = try result { _ in "one" }
    #expect(together.variantExpectations.map(\.pairs) == [2])
    // Two pairs are too few.
    #expect(together.variantExpectations.map(\.outcome) == [.undecided])
    let byRound = try result { "node-\($0.repetition)" }
    #expect(byRound.variantExpectations.map(\.pairs) == [2] && byRound.byMachine.count == 2)
    let byVariant = try result { $0.variant ?? "" }
    #expect(byVariant.variantExpectations.map(\.outcome) == [.open])
    #expect(byVariant.variantExpectations.map(\.reason) == ["no machine has measured both variants"])
  }
}
