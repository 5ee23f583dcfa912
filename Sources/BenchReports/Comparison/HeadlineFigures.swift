internal import BenchResults

/// The figures that a report states first: figures of expectations, then figures of `show`; or else the figures of
/// the most important actor.
enum HeadlineFigures {
  /// Returns the figures that some run has, each once.
  static func ids(of result: ScenarioResult) -> [FigureID] {
    let expected =
      result.runs.flatMap { $0.expectations.compactMap(\.figure) } + result.variantExpectations.compactMap(\.figure)
    let asked = (expected + (result.shownFigures ?? [])).withoutDuplicates.filter { id in
      result.runs.contains { $0.figures(in: id.scope.phase)?.value(of: id) != nil }
    }
    return asked.isEmpty ? ofShownActor(in: result) : asked
  }

  /// Returns the figures that are asked for, and those of the most important actor.
  static func all(of result: ScenarioResult) -> [FigureID] {
    (ids(of: result) + ofShownActor(in: result)).withoutDuplicates
  }

  /// Returns the figure of the most important actor that a change of the engine can move: the rate of a closed load, or
  /// the p99 of an open one, whose rate is given.
  static func ofIndex(in result: ScenarioResult) -> FigureID? {
    result.runs.lazy.compactMap(FiguresSection.shownActor).first.flatMap { shown in
      let figures = figures(of: shown.actor, in: shown.phase)
      return shown.actor.load == .closed ? figures.first : figures.last
    }
  }

  private static func ofShownActor(in result: ScenarioResult) -> [FigureID] {
    let shown = result.runs.lazy.compactMap(FiguresSection.shownActor).first
    return shown.map { figures(of: $0.actor, in: $0.phase) } ?? []
  }

  /// The throughput and the times of an actor: response times, or service times if its load is closed.
  static func figures(of actor: ActorResult, in phase: PhaseResult) -> [FigureID] {
    let scope = FigureScope(phase.name, actor: actor.name)
    let times: Metric = actor.load == .closed ? .service : .response
    return [rate(of: actor, in: phase)]
      + Percentile.compared.map { FigureID(times, $0.aggregate, of: scope) }
  }

  /// The rate of an actor: of operations, if its transactions have several each.
  static func rate(of actor: ActorResult, in phase: PhaseResult) -> FigureID {
    let scope = FigureScope(phase.name, actor: actor.name)
    return actor.hasSeveralOperationsPerTransaction
      ? FigureID(.operations, of: scope) : FigureID(.throughput, .mean, of: scope)
  }
}

extension ActorResult {
  /// Whether more operations than transactions ended, so that their rates differ.
  var hasSeveralOperationsPerTransaction: Bool { operationCount > transactions?.endedCount ?? 0 }
}
