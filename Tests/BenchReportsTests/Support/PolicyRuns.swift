import LatencyMetrics

@testable import BenchResults

/// Several runs of each of several policies: the stalled reader's figures with other latencies and with counted caches.
/// The first variant updates no cached value in place, the others drop none.
enum PolicyRuns {
  static let result = result(labels: ["containment", "share"])

  static func result(labels: [String], repetitions: Int = 2) -> ScenarioResult {
    let variants = labels.map { label in
      let setting = VariantSetting(path: "engine.policy", key: "policy", value: label)
      return ScenarioResult.Variant(name: "policy=\(label)", label: label, settings: [setting])
    }
    return result(of: variants, repetitions: repetitions)
  }

  /// Six runs of each of two policies with each of two limits.
  static let grid: ScenarioResult = {
    let variants = ["containment", "share"].flatMap { policy in
      ["1k", "10k"].map { limit in
        ScenarioResult.Variant(
          name: "policy=\(policy),limit=\(limit)",
          label: "\(policy), \(limit)",
          settings: [
            VariantSetting(path: "engine.policy", key: "policy", value: policy),
            VariantSetting(path: "engine.limit", key: "limit", value: limit),
          ]
        )
      }
    }
    return result(of: variants, repetitions: 6)
  }()

  private static func result(of variants: [ScenarioResult.Variant], repetitions: Int) -> ScenarioResult {
    // In the order of the runs, which is not the file's.
    let runs = (1...repetitions).flatMap { repetition in
      let order = repetition.isMultiple(of: 2) ? Array(variants.indices) : variants.indices.reversed()
      return order.map { run(variants, $0, repetition) }
    }
    return ScenarioResult(
      scenarioYAML: "format: 1\nname: stalled-reader\nseed: 42",
      variants: variants,
      repetitions: repetitions,
      runs: runs,
      verdict: VerdictResult(
        exitCode: .passed,
        headline: "3 of 3 expectations in each of \(runs.count) runs",
        reasons: []
      )
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
      counts.updatedByPolicy = variant > 0 ? run.samples[index].commit / 2 : 0
      run.samples[index].connections[0].caches = EngineSample.Caches(object: counts, metadata: none)
      run.samples[index].connections[1].caches = EngineSample.Caches(object: none, metadata: none)
    }
    return run
  }
}
