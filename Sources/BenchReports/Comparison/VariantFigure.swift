internal import BenchResults
internal import LatencyMetrics

/// One phase of one repetition of a variant.
struct RepeatedPhase {
  let run: RunResult
  /// nil for a run that has not begun the phase.
  let figures: PhaseFigures?

  init(_ run: RunResult, _ phase: String) {
    self.run = run
    figures = run.figures(in: phase)
  }
}

/// A figure over the repetitions of one variant.
struct VariantFigure {
  /// The median over the repetitions; for a percentile, the percentile of the repetitions' durations together.
  var value: Double
  /// The lowest and the highest value of a repetition.
  var lowest: Double
  var highest: Double
  /// The values of the repetitions that have one, in the order of the repetitions.
  var ofRepetitions: [Double]
  private let values: [(repetition: Int, value: Double?)]

  /// - Parameters:
  ///   - values: The values of the repetitions, with the numbers of these.
  ///   - merged: The figure of the repetitions together; nil for the median of `values`.
  /// - Returns: nil if no repetition has a value.
  init?(_ values: [(repetition: Int, value: Double?)], merged: Double? = nil) {
    let known = values.compactMap(\.value)
    guard let lowest = known.min(), let highest = known.max() else { return nil }
    value = merged ?? known.median
    self.lowest = lowest
    self.highest = highest
    self.values = values
    ofRepetitions = known
  }

  init?(_ repetitions: [RepeatedPhase], value: (RepeatedPhase) -> Double?) {
    self.init(repetitions.map { ($0.run.repetition, value($0)) })
  }

  /// Percentiles are computed from the durations of all repetitions that have enough of them, and never averaged.
  init?(_ id: FigureID, of repetitions: [RepeatedPhase]) {
    let merged = id.aggregate?.percentile.flatMap { percentile in
      repetitions.compactMap { $0.figures?.histogram(of: id) }.filter { percentile.isValid(of: $0.count) }.sum()?
        .value(of: id.aggregate)
    }
    self.init(repetitions.map { ($0.run.repetition, $0.figures?.value(of: id)) }, merged: merged)
  }

  /// Returns the values of two variants in their pairs of repetitions that both have one.
  func pairs(with other: VariantFigure) -> [(Double, Double)] {
    ScenarioResult.pairs(values.map(\.repetition), other.values.map(\.repetition)).compactMap { index, otherIndex in
      values[index].value.flatMap { value in other.values[otherIndex].value.map { (value, $0) } }
    }
  }
}
