public import BenchModel

/// A scenario whose instructions can be counted: one thread makes a fixed number of operations, and one phase is
/// recorded.
public struct CountedScenario: Sendable, Equatable {
  /// Valgrind slows a program down 50 times, and few operations are enough for counts that repeat.
  private static let operationShare = 10

  /// The name of the figure's workload: scenario, phase and actor.
  public let workload: String
  /// The changes to the scenario, as `--set` takes them: fewer operations, and nothing that depends on time, which
  /// would make counts differ between runs of one build. The number of answers that are checked depends on time, and so
  /// do the engine's own checkpoints: a commit takes fewer instructions after one.
  public let settings: [String]

  /// Returns nil for a scenario with variants, threads, a rate or phases that end by time.
  public init?(_ loaded: LoadedScenario) {
    guard loaded.variants.count == 1 else { return nil }
    let scenario = loaded.scenario
    let recorded = scenario.phases.filter(\.records)
    guard recorded.count == 1, let phase = recorded.first, phase.events.isEmpty, phase.actors.count == 1,
      let actor = phase.actors.first?.settings, actor.threads == 1, actor.snapshot == .latest,
      actor.load == .closed(thinkNanoseconds: 0), case .operations = phase.end
    else { return nil }
    workload = "\(scenario.name)/\(phase.name)/\(actor.name)"
    let checkpointsByTime = scenario.engine.driver == .yap && scenario.engine.checkpoint == nil
    settings =
      ["invariants=[]"] + (checkpointsByTime ? ["engine.checkpoint={mode: passive, every: 1h}"] : [])
      + scenario.phases.compactMap { phase in
        guard case .operations(let count) = phase.end else { return nil }
        return "phases.\(phase.name).operations=\(max(1, count / Self.operationShare))"
      }
  }
}
