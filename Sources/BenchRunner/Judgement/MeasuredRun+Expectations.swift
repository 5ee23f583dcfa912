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
      measured: MeasuredValue(measured, text: MeasuredText.make(measured, unit)),
      limit: MeasuredValue(limit, text: MeasuredText.make(limit, unit))
    )
    if case .figure = expectation.bound { result.isLimitMeasured = true }
    return result
  }

  /// - Parameter overhead: nanoseconds that the harness itself takes in each operation.
  func value(of figure: ExpectedFigure, overhead: Double) -> Double? {
    if figure.metric == .harnessOverhead { return overhead }
    return phases.first { $0.name == figure.scope.phase }?.value(of: figure)
  }
}
