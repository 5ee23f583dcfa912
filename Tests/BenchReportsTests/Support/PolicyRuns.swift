import LatencyMetrics

@testable import BenchResults

/// Two runs of each of two policies: the stalled reader's figures with other latencies and with counted caches.
enum PolicyRuns {
  static let result = result(labels: ["containment", "share"])

  static func result(labels: [String]) -> ScenarioResult {
    let variants = labels.map { label in
      let setting = VariantSetting(path: "engine.policy", key: "policy", value: label)
      return ScenarioResult.Variant(name: "policy=\(label)", label: label, settings: [setting])
    }
    // In the order of the runs, which is not the file's.
    let runs = [run(variants, 1, 1), run(variants, 0, 1), run(variants, 0, 2), run(variants, 1, 2)]
    return ScenarioResult(
      scenarioYAML: "format: 1\nname: stalled-reader\nseed: 42",
      variants: variants,
      repetitions: 2,
      runs: runs,
      verdict: VerdictResult(exitCode: .passed, headline: "3 of 3 expectations in each of 4 runs", reasons: [])
    )
  }

  private static func run(_ variants: [ScenarioResult.Variant], _ variant: Int, _ repetition: Int) -> RunResult {
    var run = StalledReaderRun.result
    run.variant = variants[variant].name
    run.repetition = repetition
    run.runID += "-\(variant)-\(repetition)"
    var histogram = LatencyHistogram(digits: 2)
    // One in ten durations of the second repetition is ten times as long.
    for step in 0..<1_000 {
      let isSlow = repetition == 2 && step % 10 == 0
      histogram.record(UInt64((variant + 1) * 100_000 * (isSlow ? 10 : 1)))
    }
    run.changeTimes(of: "import") { $0 = histogram }
    run.changeActors { $0.connection = $0.name == "scroll" ? "ui" : "sync" }
    for index in run.samples.indices {
      let none = EngineSample.CacheCounts()
      var counts = none
      counts.dropped = variant == 0 ? run.samples[index].commit / 2 : 0
      counts.readAgain = variant == 0 ? run.samples[index].commit / 4 : 0
      counts.updatedByPolicy = variant == 1 ? run.samples[index].commit / 2 : 0
      run.samples[index].connections[0].caches = EngineSample.Caches(object: counts, metadata: none)
      run.samples[index].connections[1].caches = EngineSample.Caches(object: none, metadata: none)
    }
    return run
  }
}
