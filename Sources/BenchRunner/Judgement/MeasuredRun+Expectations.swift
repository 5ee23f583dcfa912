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
      }
    let measured = value(of: expectation.figure, overhead: overhead)
    var result = ExpectationResult(
      source: expectation.source,
      phase: expectation.figure.scope.phase,
      actor: expectation.figure.scope.actor,
      comparison: expectation.comparison,
      measured: MeasuredValue(measured, text: text(of: expectation.figure, measured)),
      limit: MeasuredValue(limit, text: MeasuredText.make(limit, unit))
    )
    if case .figure(let other, _) = expectation.bound {
      result.isLimitMeasured = true
      if limit == nil { result.limit = text(of: other, nil) }
    }
    return result
  }

  /// Returns the text of a measured figure; the reason for a percentile of too few values.
  private func text(of figure: ExpectedFigure, _ value: Double?) -> String {
    guard value == nil, let percentile = figure.aggregate?.percentile else {
      return MeasuredText.make(value, figure.unit)
    }
    var maximum = figure
    maximum.aggregate = .max
    return self.value(of: maximum, overhead: 0) == nil
      ? MeasuredText.make(nil, figure.unit)
      : "too few values: \(percentile.name) needs \(percentile.fewestValues)"
  }

  /// - Parameter overhead: nanoseconds that the harness itself takes in each operation.
  func value(of figure: ExpectedFigure, overhead: Double) -> Double? {
    if figure.metric == .harnessOverhead { return overhead }
    return phases.first { $0.name == figure.scope.phase }?.figures.value(of: figure.id)
  }
}
