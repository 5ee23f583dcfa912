import BenchModel

extension RunResult {
  /// A run in which nothing was measured.
  static func madeUp(of loaded: LoadedScenario, verdict: ExitStatus) -> RunResult {
    RunResult(
      runID: "5f3c9a72",
      scenario: loaded.scenario.name,
      summary: loaded.scenario.summary,
      tags: loaded.scenario.tags,
      seed: loaded.scenario.seed ?? 0,
      driver: "null",
      startedAt: "2026-02-03T04:05:06Z",
      isSmoke: false,
      isPartial: verdict == .interrupted,
      environment: environment,
      notes: [],
      pageSizeBytes: 4_096,
      samplingNanoseconds: 100_000_000,
      phases: [],
      latencies: [],
      intervals: [],
      samples: [],
      checkpoints: [],
      blame: BlameResult(
        connections: [],
        togetherByteSeconds: 0,
        notCopiedByteSeconds: 0,
        freeByteSeconds: 0,
        walByteSeconds: 0
      ),
      expectations: [],
      invariants: [],
      harness: HarnessResult(
        nullOperationNanoseconds: 40,
        clockNanoseconds: 20,
        generators: [],
        stealShare: 0,
        distrust: []
      ),
      rowsAtEnd: [:],
      verdict: VerdictResult(exitCode: verdict.rawValue, headline: "made up", reasons: [])
    )
  }

  private static let environment = RunEnvironment(
    cpu: "made up",
    coreCount: 2,
    memoryBytes: 1 << 33,
    kernel: "Linux",
    fileSystem: "ext4",
    sqliteVersion: "3.40.1",
    sqliteHasWALResetDefect: true,
    sqliteCompileOptions: [],
    swiftVersion: "6.3.1",
    buildMode: "release",
    commit: nil,
    hasUncommittedChanges: false,
    allocator: "glibc",
    loadAverage: 0
  )
}

extension ScenarioResult {
  /// The same run for every variant and repetition.
  static func madeUp(of loaded: LoadedScenario, verdict: ExitStatus) -> ScenarioResult {
    var runs: [RunResult] = []
    for repetition in 1...loaded.repetitions {
      for variant in loaded.variants {
        var run = RunResult.madeUp(of: loaded, verdict: verdict)
        run.variant = variant.name
        run.repetition = repetition
        run.runID += "-\(variant.name ?? "")-\(repetition)"
        runs.append(run)
      }
    }
    return ScenarioResult(
      scenarioYAML: loaded.expandedYAML,
      choices: loaded.choices,
      variants: loaded.variants.map(Variant.init),
      repetitions: loaded.repetitions,
      runs: runs,
      verdict: runs[0].verdict
    )
  }
}
