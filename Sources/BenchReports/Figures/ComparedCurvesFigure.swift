internal import BenchModel
internal import Foundation

/// Percentile curves of both arms: the median over the runs, and around it the middle half of them.
enum ComparedCurvesFigure {
  private static let mostCharts = 16

  static func figure(_ curves: [ComparedCurve]) -> ReportFigure? {
    let shown = curves.filter { !$0.base.isEmpty && !$0.head.isEmpty }.prefix(mostCharts)
    let all = shown.flatMap { $0.base + $0.head }
    guard let lowest = all.map(\.lowerQuartile).min(), let highest = all.map(\.upperQuartile).max(),
      let longest = shown.map({ max($0.base.count, $0.head.count) }).max()
    else { return nil }
    let charts = shown.map { curve in
      Chart(
        description: "Percentiles of both arms of \(curve.workload)",
        scale: .tail(to: place(longest - 1)),
        axis: "percentile",
        panels: [
          Chart.Panel(
            title: InertText.shortened(curve.workload, to: 40),
            content: .series(
              series("base", 0, curve.base) + series("head", 1, curve.head),
              .logarithmic(from: max(1, lowest), to: max(1, highest), .nanoseconds)
            )
          )
        ],
        isSmall: true
      )
    }
    var caption: ReportText =
      "Percentiles of both arms. The curve is the median over the runs, the dotted outline contains the middle half "
      + "of them. Each further nine of a percentile takes the same width; all charts have the same axes."
    if curves.count > shown.count { caption += " \(Quantity.count(curves.count - shown.count)) more are not drawn." }
    return ReportFigure(charts: charts, caption: caption)
  }

  private static func series(_ name: String, _ style: Int, _ spreads: [ComparedCurve.Spread]) -> [ChartSeries] {
    func points(_ value: KeyPath<ComparedCurve.Spread, Double>) -> [ChartSeries.Point] {
      spreads.enumerated().map { .init(x: place($0.offset), y: max(1, $0.element[keyPath: value])) }
    }
    let outline = points(\.lowerQuartile) + points(\.upperQuartile).reversed()
    return [
      ChartSeries(
        name: "\(name), half of the runs",
        style: style,
        dash: .dotted,
        points: outline
      ),
      ChartSeries(
        name: name,
        style: style,
        dash: style == 0 ? .solid : .dashed,
        points: points(\.median)
      ),
    ]
  }

  /// The position of a percentile on the axis that stretches the tail.
  private static func place(_ index: Int) -> Double { -log10(1 - PercentileCurve.percents[index] / 100) }
}
