internal import BenchResults
internal import BenchScenario

/// Judges a phase by its measurements so far, while it runs.
struct RunningJudgement {
  private let expectations: [Expectation]
  /// The expectations that the measurements break, by the last judgement.
  private(set) var broken: [Expectation] = []
  private var nextJudgement: UInt64 = 0

  /// - Parameter expectations: The scenario's expectations. The phase's own that compare with a value are judged.
  init(phase: String, _ expectations: [Expectation]) {
    self.expectations = expectations.filter { $0.figure.scope.phase == phase }
  }

  /// Returns the first abort expectation that does not hold by the measurements so far.
  func brokenAbort(by record: @autoclosure () -> PhaseRecord) -> Expectation? {
    judged(expectations.filter(\.isAbort), by: record()).first { !$0.expectation.comparison.holds($0.value, $0.limit) }?
      .expectation
  }

  /// Judges the expectations, at most once a second.
  mutating func judge(by record: @autoclosure () -> PhaseRecord, at now: UInt64) {
    guard now >= nextJudgement else { return }
    nextJudgement = now + 1_000_000_000
    broken = judged(expectations, by: record()).filter { $0.expectation.isBroken(by: $0.value, limit: $0.limit) }
      .map(\.expectation)
  }

  /// Returns the expectations whose figures are known, each with its figure by the measurements so far.
  private func judged(
    _ expectations: [Expectation],
    by record: @autoclosure () -> PhaseRecord
  ) -> [(expectation: Expectation, value: Double, limit: Double)] {
    guard !expectations.isEmpty else { return [] }
    var record = record()
    guard let last = record.samples.last else { return [] }
    record.result.endNanoseconds = last.elapsedNanoseconds
    let figures = record.figures
    return expectations.compactMap { expectation in
      guard case .value(let limit) = expectation.bound else { return nil }
      return figures.value(of: expectation.figure.id).map { (expectation, $0, limit) }
    }
  }
}

extension Expectation {
  /// Whether the figure of a phase that still runs breaks the expectation. A lower bound may still be reached, unless
  /// it is one of the least value.
  fileprivate func isBroken(by measured: Double, limit: Double) -> Bool {
    let aggregate = figure.aggregate
    return switch comparison {
    case .less, .lessOrEqual: aggregate != .last && !comparison.holds(measured, limit)
    case .greater, .greaterOrEqual: aggregate == .min && !comparison.holds(measured, limit)
    case .equal: [nil, .sum, .max].contains(aggregate) && measured > limit
    }
  }
}

extension PhaseCondition {
  /// Whether the condition holds by the samples of its phase so far.
  func holds(by samples: [EngineSample], frameBytes: Int) -> Bool {
    switch rule {
    case .compares(let comparison, let expected):
      let value = samples.last.flatMap { metric.value(in: $0, frameBytes: frameBytes) }
      return value.map { comparison.holds($0, expected) } ?? false
    case .steady(let tolerance, let window):
      let series = SteadyState.series(of: metric, in: samples, frameBytes)
      return SteadyState(tolerance: tolerance, windowNanoseconds: window).holds(series, isTotal: metric == .throughput)
    }
  }
}
