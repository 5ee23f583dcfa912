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

  private static func shard(_ number: Int, of count: Int, runs: Int = 4, options: [String] = []) -> Shard {
    Shard(
      number: number,
      count: count,
      scenarios: [.init(name: "shards", file: "/shards.yaml", runs: runs)],
      scenario: 0,
      program: "1f",
      options: options
    )
  }

  /// The record of a shard whose runs measured nothing.
  private static func record(
    _ number: Int,
    of count: Int,
    in loaded: LoadedScenario,
    _ change: (inout RunResult) -> Void = { _ in }
  ) -> ShardRecord<ScenarioResult> {
    let shard = shard(number, of: count, runs: loaded.runCount)
    let runs = ScenarioRun.planned(loaded, shard).map { planned in
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
    result.shard = shard
    return ShardRecord(path: "shard-\(number)", result: result)
  }

  private static func merge(_ records: [ShardRecord<ScenarioResult>]) -> ShardMerge {
    ShardMerge(records) { shard, _ in "repeat \(shard.number)/\(shard.count)" }
  }

  @Test(arguments: [1, 2, 3, 4])
  func `have the digests of the run without shards, in the same order`(count: Int) throws {
    let loaded = try Self.scenario()
    func digests(_ result: ScenarioResult) -> [[[WorkerDigest]]] {
      result.runs.map { $0.phases.flatMap { $0.actors.map(\.digests) } }
    }
    let whole = try RunningScenarios.runAll(loaded)
    var records: [ShardRecord<ScenarioResult>] = []
    for number in 1...count {
      let result = try RunningScenarios.runAll(loaded, shard: Self.shard(number, of: count))
      #expect(!result.isPartial && result.runs.count == result.plannedRunCount)
      records.append(ShardRecord(path: "\(number)", result: result))
    }
    let merged = try #require(Self.merge(records.reversed()).scenarios.first).result
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
      let retries = RunOrder.retries(after: own, isShard: true)
      // Each of its runs is invalid, so each variant needs as many more as the shard has.
      #expect(retries.count == 2)
      let again = RunOrder.retries(after: own + retries.map { ($0, true) }, isShard: true)
      for run in retries + again { numbers[[run.variant, run.repetition], default: 0] += 1 }
    }
    #expect(numbers.values.allSatisfy { $0 == 1 } && numbers.keys.allSatisfy { $0[1] > 3 })
  }

  @Test func `leave invalid runs out only if enough of their own are valid`() throws {
    let loaded = try Self.scenario()
    var result = Self.record(1, of: 4, in: loaded).result
    #expect(result.runs.count == 1 && result.hasEnoughValidRuns)
    result.runs[0].verdict.exitCode = .measurementInvalid
    #expect(!result.hasEnoughValidRuns)
  }

  @Test func `are merged in any order, and each problem is named`() throws {
    let loaded = try Self.scenario()
    let records = (1...4).map { Self.record($0, of: 4, in: loaded) }
    let whole = try #require(Self.merge(records.reversed()).scenarios.first)
    #expect(whole.records.map(\.path) == ["shard-1", "shard-2", "shard-3", "shard-4"])
    #expect(whole.result.verdict.exitCode == .passed)

    var broken = records[2]
    broken.result.runs[0].isPartial = true
    broken.path = "broken"
    let merge = Self.merge([records[0], broken, records[0]])
    let result = try #require(merge.scenarios.first).result
    #expect(result.verdict.exitCode == .incomparable)
    #expect(
      result.verdict.reasons == [
        "shard 2 of 4 is missing, with 1 planned run", "shard 3 of 4 failed: it made 0 of 1 planned run",
        "shard 4 of 4 is missing, with 1 planned run",
        "shard-1 was left out: shard 1 of 4 is also in shard-1",
      ]
    )
    #expect(result.verdict.headline == "shard 2 of 4 is missing, with 1 planned run (and 3 more)")
    #expect(merge.repetitions.map(\.command) == ["repeat 2/4", "repeat 3/4", "repeat 4/4"])
    #expect(result.runs.count == 2 && result.isPartial)
    // The repetition of the broken shard replaces it, in whichever order they are found.
    for pair in [[broken, records[2]], [records[2], broken]] {
      let repeated = Self.merge([records[0], records[1], records[3]] + pair)
      #expect(repeated.scenarios.first?.result.verdict.exitCode == .passed && repeated.repetitions.isEmpty)
    }
  }

  @Test func `of a smoke run are merged, which has no repetitions`() throws {
    let loaded = try Self.scenario().smoke()
    let records = [1, 2].map { Self.record($0, of: 2, in: loaded) { $0.isSmoke = true } }
    let merge = Self.merge(records)
    #expect(merge.foreign == [] && merge.scenarios.first?.result.merge?.problems == [])
    #expect(merge.scenarios.first?.result.runs.count == 2)
  }

  @Test func `of another kind are left out`() throws {
    let loaded = try Self.scenario()
    let own = [1, 2].map { Self.record($0, of: 3, in: loaded) }
    func reason(_ change: (inout RunResult) -> Void, shard: (inout Shard?) -> Void = { _ in }) -> String? {
      var other = Self.record(3, of: 3, in: loaded, change)
      shard(&other.result.shard)
      let merge = Self.merge([other] + own)
      #expect(merge.scenarios.first?.result.verdict.exitCode == .incomparable)
      #expect(merge.repetitions.map(\.number) == [3])
      return (merge.foreign + (merge.scenarios.first?.result.merge?.rejected ?? [])).first
    }
    #expect(reason { $0.seed = 6 } == "shard-3 was left out: it has the seed 6; expected 5")
    #expect(reason { $0.isSmoke = true } == "shard-3 was left out: it is a smoke run")
    #expect(
      reason { $0.environment.sqliteVersion = "3.0" } == "shard-3 was left out: it ran on SQLite 3.0; expected "
    )
    let program = reason { _ in
    } shard: {
      $0?.program = "2e"
    }
    #expect(program?.hasPrefix("shard-3 was left out: it was made by another build of the program") == true)
    let plan = reason { _ in
    } shard: {
      $0?.scenarios[0].runs = 8
    }
    #expect(plan == "shard-3 was left out: its command ran shards (8 runs); expected shards (4 runs)")
  }

  @Test func `are compared only with runs on the same machine`() throws {
    let comparison = "expect: [\"[rows=50] run throughput.mean < [rows=60] run throughput.mean\"]"
    let loaded = try Self.scenario(comparison)
    let figure = "run throughput.mean"
    func result(_ machine: (RunResult) -> String) throws -> ScenarioResult {
      let records = [1, 2].map { number in
        Self.record(number, of: 2, in: loaded) { run in
          let isSmall = run.variant == loaded.variants[0].name
          run.comparedFigures = [figure: isSmall ? 1 : 2]
          run.environment.machine = machine(run)
        }
      }
      #expect(VariantJudge(loaded, records[0].result).results.first?.reason.hasPrefix("yapbench merge") == true)
      return try #require(Self.merge(records).scenarios.first).result
    }
    let together = try result { _ in "one" }
    #expect(together.variantExpectations.map(\.pairs) == [2])
    #expect(together.variantExpectations.map(\.outcome) == [.passed])
    let byRound = try result { "node-\($0.repetition)" }
    #expect(byRound.variantExpectations.map(\.pairs) == [2] && byRound.byMachine.count == 2)
    let byVariant = try result { $0.variant ?? "" }
    #expect(byVariant.variantExpectations.map(\.outcome) == [.open])
    #expect(byVariant.variantExpectations.map(\.reason) == ["no machine has measured both variants"])
  }
}
