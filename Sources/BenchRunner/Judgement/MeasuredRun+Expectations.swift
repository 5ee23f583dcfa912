internal import BenchResults
internal import BenchScenario

extension MeasuredRun {
  /// - Parameter overhead: nanoseconds that the harness itself takes in each operation.
  func judge(_ expectation: Expectation, overhead: Double) -> ExpectationResult {
    let unit = expectation.figure.unit
    let limit: Double? =
      switch expectation.bound {
      case .value(let value): value
      case .figure(let other, let factor): value(of: other, overhead: overhead).map { $0 * factor }
      case .machine(let cost, let factor): machineCosts?[cost].map { $0 * factor }
      }
    let measured = value(of: expectation.figure, overhead: overhead)
    var result = ExpectationResult(
      source: expectation.source,
      phase: expectation.figure.scope.phase,
      actor: expectation.figure.scope.actor,
      comparison: expectation.comparison,
      measured: MeasuredValue(measured, text: text(of: expectation.figure, measured)),
      limit: MeasuredValue(limit, text: unit.measuredText(limit))
    )
    result.figure = expectation.figure.id
    if measured != nil, limit != nil { result.doubt = doubt(about: expectation) }
    switch expectation.bound {
    case .value: break
    case .figure(let other, _):
      result.isLimitMeasured = true
      if limit == nil { result.limit = text(of: other, nil) }
    case .machine: result.isLimitMeasured = true
    }
    return result
  }

  /// Returns the range of the figures without the workers' waits, if these may have decided whether the expectation
  /// holds; nil if they have not.
  private func doubt(about expectation: Expectation) -> String? {
    guard let measured = undisturbedRange(of: expectation.figure) else { return nil }
    let limit: ClosedRange<Double>
    switch expectation.bound {
    case .value(let value): limit = value...value
    case .figure(let other, let factor):
      guard let range = undisturbedRange(of: other) else { return nil }
      limit = range.lowerBound * factor...range.upperBound * factor
    case .machine(let cost, let factor):
      guard let value = machineCosts?[cost] else { return nil }
      limit = value * factor...value * factor
    }
    guard expectation.comparison.holds(in: measured, limit) == nil else { return nil }
    let text = expectation.figure.unit.text(of: measured)
    guard limit.lowerBound < limit.upperBound else { return text }
    return "\(text) with a limit of \(expectation.figure.unit.text(of: limit))"
  }

  /// Marks the phases whose times the harness or the host disturbed.
  mutating func markDisturbances(_ distrust: [Distrust.Reason]) {
    for index in phases.indices {
      let name = phases[index].name
      let effects = distrust.filter { $0.phase == nil || $0.phase == name }.map(\.effect)
      let ofWaits: Disturbance? = effects.contains(.diskWaits) ? .disk : effects.contains(.waits) ? .waits : nil
      phases[index].disturbance = effects.contains(.times) ? .stop : ofWaits
    }
  }

  private func undisturbedRange(of figure: ExpectedFigure) -> ClosedRange<Double>? {
    if figure.metric == .harnessOverhead { return nil }
    return phases.first { $0.name == figure.scope.phase }?.figures.undisturbedRange(of: figure.id)
  }

  /// Returns those of some figures that the workers' waits may have changed.
  /// - Parameter figures: nil for the throughput and the response times of all actors in recorded phases.
  func disturbed(_ figures: [FigureID]?) -> [FigureID] {
    let asked =
      figures
      ?? phases.filter(\.result.isRecorded).flatMap { phase in
        phase.actors.flatMap { actor in
          let scope = FigureScope(phase.name, actor: actor.name)
          return [FigureID(.throughput, .mean, of: scope)]
            + [Aggregate.p50, .p99].map { FigureID(.response, $0, of: scope) }
        }
      }
    // Several expectations may ask for one figure.
    var seen: Set<FigureID> = []
    return asked.filter { figure in
      let phase = phases.first { $0.name == figure.scope.phase }
      return phase?.figures.isDisturbed(figure) == true && seen.insert(figure).inserted
    }
  }

  /// Returns the text of a measured figure; the reason for a percentile of too few values.
  private func text(of figure: ExpectedFigure, _ value: Double?) -> String {
    guard value == nil, let percentile = figure.aggregate?.percentile else {
      return figure.unit.measuredText(value)
    }
    var maximum = figure
    maximum.aggregate = .max
    return self.value(of: maximum, overhead: 0) == nil
      ? figure.unit.measuredText(nil)
      : "too few values: \(percentile.name) needs \(percentile.fewestValues)"
  }

  /// - Parameter overhead: nanoseconds that the harness itself takes in each operation.
  func value(of figure: ExpectedFigure, overhead: Double) -> Double? {
    if figure.metric == .harnessOverhead { return overhead }
    return phases.first { $0.name == figure.scope.phase }?.figures.value(of: figure.id)
  }
}
