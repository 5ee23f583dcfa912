internal import BenchResults

extension FigureID {
  /// Returns the figures of the recorded phases by which engines are compared and that any run has, in the order of
  /// their table.
  static func comparingEngines(_ runs: [RunResult]) -> [FigureID] {
    runs.flatMap { $0.phases.filter(\.isRecorded).map(\.name) }.withoutDuplicates.flatMap { phase in
      let figures = runs.compactMap { $0.figures(in: phase) }
      let names = runs.flatMap { $0.actors(in: phase) }.withoutDuplicates
      let ids = names.flatMap { times(of: $0, in: phase, figures) } + state(of: phase, figures)
      return ids.filter { id in figures.contains { $0.value(of: id).map { $0 > 0 } ?? false } }
    }
  }

  /// The throughput and times of an actor's transactions, and the times of the operations inside them, if there are
  /// several.
  private static func times(of name: String, in phase: String, _ figures: [PhaseFigures]) -> [FigureID] {
    let actors = figures.compactMap { $0.phase.actor(name) }
    let isOpen = actors.contains { $0.load != .closed }
    let scope = FigureScope(phase, actor: name)
    let operations = actors.timedOperations
    return [FigureID(.throughput, .mean, of: scope)] + percentiles(isOpen ? .response : .service, scope)
      + (operations.count > 1 ? operations : []).flatMap { operation in
        percentiles(.service, FigureScope(phase, actor: name, operation: operation))
      }
  }

  private static func percentiles(_ metric: Metric, _ scope: FigureScope) -> [FigureID] {
    Percentile.compared.map { FigureID(metric, $0.aggregate, of: scope) }
  }

  /// A phase in which no actor writes has the storage of the phase before, which is left out.
  private static func state(of phase: String, _ figures: [PhaseFigures]) -> [FigureID] {
    let scope = FigureScope(phase)
    let stored = FigureID(.ioLogicalBytes, .sum, of: scope)
    let writes = figures.contains { ($0.value(of: stored) ?? 0) > 0 }
    return (writes ? [FigureID(.storageBytes, .max, of: scope)] : []) + [FigureID(.snapshotAgeCommits, .max, of: scope)]
  }
}
