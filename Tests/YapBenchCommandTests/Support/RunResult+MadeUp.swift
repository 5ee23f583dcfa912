import BenchRunner

@testable import BenchResults
@testable import BenchScenario

extension RunResult {
  /// A run in which nothing was measured.
  static func madeUp(of loaded: LoadedScenario, verdict: ExitStatus) -> RunResult {
    var run = RunResult()
    run.runID = "5f3c9a72"
    run.scenario = loaded.scenario.name
    run.summary = loaded.scenario.summary
    run.tags = loaded.scenario.tags
    run.seed = loaded.scenario.seed ?? 0
    run.driver = "null"
    run.startedAt = "2026-02-03T04:05:06Z"
    run.isPartial = verdict == .interrupted
    run.environment = madeUpEnvironment
    run.pageSizeBytes = 4_096
    run.samplingNanoseconds = 100_000_000
    run.harness.nullOperationNanoseconds = 40
    run.harness.clockNanoseconds = 20
    run.verdict = VerdictResult(exitCode: verdict, headline: "made up", reasons: [])
    return run
  }

  private static let madeUpEnvironment: RunEnvironment = {
    var environment = RunEnvironment()
    environment.cpu = "made up"
    environment.coreCount = 2
    environment.memoryBytes = 1 << 33
    environment.kernel = "Linux"
    environment.fileSystem = "ext4"
    environment.sqliteVersion = "3.40.1"
    environment.sqliteHasWALResetDefect = true
    environment.swiftVersion = "6.3.1"
    environment.buildMode = "release"
    environment.allocator = "glibc"
    environment.loadAverage = 0
    return environment
  }()
}

extension ScenarioResult {
  /// The same run for every variant and repetition, or for those of a shard, in the planned order.
  static func madeUp(of loaded: LoadedScenario, verdict: ExitStatus) -> ScenarioResult {
    let runs = ScenarioRun.planned(loaded).map { planned in
      var run = RunResult.madeUp(of: loaded, verdict: verdict)
      run.variant = loaded.variants[planned.variant].name
      run.repetition = planned.repetition
      run.runID += "-\(run.variant ?? "")-\(run.repetition)"
      return run
    }
    var result = ScenarioResult(
      scenarioYAML: loaded.expandedYAML,
      choices: loaded.choices,
      engines: loaded.engines,
      variants: loaded.variants.map(Variant.init),
      repetitions: loaded.repetitions,
      runs: runs,
      verdict: runs[0].verdict
    )
    result.shard = loaded.shard
    return result
  }
}
