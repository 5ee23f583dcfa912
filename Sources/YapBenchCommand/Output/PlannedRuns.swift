internal import BenchModel
internal import BenchReports
internal import BenchRunner

/// What is going to run, in words.
enum PlannedRuns {
  /// Such as `2 phases, at most 12 s`, or `3 variants, 3 runs of each, 2 phases in a run, at most 1 min 48 s`.
  static func text(of loaded: LoadedScenario) -> String {
    let phases = Quantity.count(loaded.scenario.phases.count, of: "phase")
    let time = "at most \(PlannedTime.text(of: loaded))"
    guard loaded.runCount > 1 else { return "\(phases), \(time)" }
    let variants = loaded.variants.count
    let runs = Quantity.count(loaded.repetitions, of: "run")
    let what = variants == 1 ? runs : Quantity.count(variants, of: "variant") + ", \(runs) of each"
    return "\(what), \(phases) in a run, \(time)"
  }

  /// Such as `1`, or `3 x 3`: variants and repetitions.
  static func count(of loaded: LoadedScenario) -> String {
    loaded.runCount == 1 ? "1" : "\(loaded.variants.count) x \(loaded.repetitions)"
  }

  /// Such as `run 4/9: variant 2/3 share, repetition 2/3`.
  static func text(of run: PlannedRun) -> String {
    let variant = run.label.isEmpty ? nil : "variant \(run.variant + 1)/\(run.variantCount) \(run.label)"
    let repetition = run.repetitions > 1 ? "repetition \(run.repetition)/\(run.repetitions)" : nil
    return "run \(run.number)/\(run.runCount): " + [variant, repetition].compactMap { $0 }.joined(separator: ", ")
  }
}
