internal import BenchResults
internal import Foundation

/// A forest plot: a row for each figure that has an interval, with its change, its interval, and its margin as a band.
/// The axis is logarithmic, so that a ratio and its inverse are equally far from the middle.
enum ChangesChart {
  private static let width = 880.0
  private static let left = 330.0
  private static let right = 90.0
  private static let rowHeight = 22.0
  private static let top = 8.0
  private static let mostRows = 60
  /// The end of the shortest axis, as the logarithm of a ratio: a change of 1 %.
  private static let leastReach = 0.01

  static func drawings(_ figures: [FigureResult]) -> ReportDrawings? {
    let shown = Array(figures.filter { $0.interval95Percent != nil && $0.changePercent != nil }.prefix(mostRows))
    guard !shown.isEmpty else { return nil }
    let reaches = shown.flatMap { figure -> [Double] in
      let interval = figure.interval95Percent ?? PercentInterval(low: 0, high: 0)
      return [interval.low, interval.high, figure.marginPercent].map { logarithm(ofPercent: $0).magnitude }
    }
    let reach = 1.1 * max(leastReach, reaches.max() ?? 0)
    let bottom = top + Double(shown.count) * rowHeight
    var parts = shown.enumerated().map { row($0.element, at: top + Double($0.offset) * rowHeight, reach) }
    parts.append(SVG.path([(x(0, reach), top), (x(0, reach), bottom)], "tick"))
    for share in [-1, -0.5, 0, 0.5, 1] {
      let percent = 100 * expm1(share * reach)
      parts.append(SVG.text(Quantity.change(percent: percent), at: (x(percent, reach), bottom + 16), "soft mid"))
    }
    let drawing = Drawing(
      width: width,
      height: bottom + 24,
      description: "The change of each figure with its 95 % interval",
      content: parts.joined(separator: "\n")
    )
    let caption: ReportText =
      "The mark is the change of the head against the base, the line its 95 % interval, the shade the margin. Circles: "
      + "unchanged or inconclusive; squares: regressed; triangles: improved; diamonds: suspect, or changed less than "
      + "the margin. For throughput, less is worse."
    return ReportDrawings(drawings: [drawing], caption: caption + .more(figures.count - shown.count, "are not drawn"))
  }

  private static func row(_ figure: FigureResult, at y: Double, _ reach: Double) -> String {
    let middle = y + rowHeight / 2
    guard let interval = figure.interval95Percent, let change = figure.changePercent else { return "" }
    let margin = figure.marginPercent
    let (mark, style) = shape(of: figure.verdict)
    let description = "\(figure.name.text): \(figure.changeText), \(figure.verdict.rawValue)"
    let (low, high) = (x(-margin, reach), x(margin, reach))
    return SVG.group(
      titled: description,
      [
        SVG.path([(low, y + 2), (high, y + 2), (high, y + rowHeight - 2), (low, y + rowHeight - 2)], "band even"),
        SVG.text(InertText.shortened(figure.name.text, to: 48), at: (0, middle + 4)),
        SVG.path([(x(interval.low, reach), middle), (x(interval.high, reach), middle)], "line c\(style)"),
        SVG.mark(mark, at: (x(change, reach), middle), "c\(style)"),
        SVG.text(figure.changeText, at: (width - 4, middle + 4), "end"),
      ]
    )
  }

  private static func shape(of verdict: EffectVerdict) -> (mark: Int, style: Int) {
    switch verdict {
    case .regressed: (1, 7)
    case .improved: (2, 2)
    case .suspect, .changedSmall: (3, 1)
    case .inconclusive, .unchanged: (0, 5)
    }
  }

  private static func x(_ percent: Double, _ reach: Double) -> Double {
    left + (logarithm(ofPercent: percent) + reach) / (2 * reach) * (width - left - right)
  }

  private static func logarithm(ofPercent percent: Double) -> Double { log1p(percent / 100) }
}

/// Small multiples: the change in each pair, in the order in which the pairs ran, so that a drift is visible.
enum PairsChart {
  private static let mostCharts = 24

  static func drawings(_ figures: [FigureResult]) -> ReportDrawings? {
    let shown = figures.filter { $0.values.count > 1 }.prefix(mostCharts)
    guard !shown.isEmpty else { return nil }
    let caption: ReportText =
      "The change from the base to the head in each pair, in the order of the pairs. A slope suggests a drift."
    return ReportDrawings(charts: shown.map(chart), caption: caption)
  }

  private static func chart(_ figure: FigureResult) -> Chart {
    let changes = figure.values.map { $0[0] > 0 ? 100 * ($0[1] / $0[0] - 1) : 0 }
    let points = changes.enumerated().map { ChartSeries.Point(x: Double($0.offset + 1), y: $0.element) }
    return Chart(
      description: "The change of \(figure.name.text) in each pair",
      scale: ChartScale.linear(to: Double(changes.count), .number, room: 1.05),
      axis: "pair",
      title: InertText.shortened(figure.name.text, to: 44),
      series: [ChartSeries(name: "change", style: 0, shape: .dots, points: points)],
      vertical: .percent(from: changes.min() ?? 0, to: changes.max() ?? 0),
      isSmall: true
    )
  }
}

/// Percentile curves of both sides: the median over the runs, and an outline of the middle half of the runs.
enum ComparedCurvesChart {
  private static let mostCharts = 16

  static func drawings(_ curves: [ComparedCurve]) -> ReportDrawings? {
    let shown = curves.filter { !$0.base.isEmpty && !$0.head.isEmpty }.prefix(mostCharts)
    let charts = LatencyCurvesChart.charts(
      of: shown.map { curve in
        let series = series("base", style: 0, of: curve.base) + series("head", style: 1, of: curve.head)
        return (InertText.shortened(curve.workload, to: 40), "Percentiles of both sides of \(curve.workload)", series)
      }
    )
    guard !charts.isEmpty else { return nil }
    let caption: ReportText =
      "Percentiles of both sides. The curve is the median over the runs, the dotted outline contains the middle half "
      + "of the runs. Each further nine of a percentile takes the same width; all charts have the same axes."
    return ReportDrawings(charts: charts, caption: caption + .more(curves.count - shown.count, "are not drawn"))
  }

  private static func series(_ name: String, style: Int, of spreads: [ComparedCurve.Spread]) -> [ChartSeries] {
    func points(_ value: KeyPath<ComparedCurve.Spread, Double>) -> [ChartSeries.Point] {
      spreads.enumerated().map { .init(x: position(ofPercentile: $0.offset), y: max(1, $0.element[keyPath: value])) }
    }
    let outline = points(\.lowerQuartile) + points(\.upperQuartile).reversed()
    return [
      ChartSeries(name: "\(name), half of the runs", style: style, dash: .dotted, points: outline),
      ChartSeries(name: name, style: style, dash: style == 0 ? .solid : .dashed, points: points(\.median)),
    ]
  }

  /// Returns the position, in `FigureUnit.tail`, of the percentile with this index in `PercentileCurve.percents`.
  private static func position(ofPercentile index: Int) -> Double { -log10(1 - PercentileCurve.percents[index] / 100) }
}
