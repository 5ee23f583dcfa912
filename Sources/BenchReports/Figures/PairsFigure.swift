internal import BenchModel

/// Small multiples: the change in each pair, in the order in which the pairs ran, so that a drift shows.
enum PairsFigure {
  private static let mostCharts = 24

  static func figure(_ figures: [FigureResult]) -> ReportFigure? {
    let shown = figures.filter { $0.values.count > 1 }.prefix(mostCharts)
    guard !shown.isEmpty else { return nil }
    let caption: ReportText =
      "The change from the base to the head in each pair, in the order of the pairs. A slope is a drift of the machine."
    return ReportFigure(charts: shown.map(chart), caption: caption)
  }

  private static func chart(_ figure: FigureResult) -> Chart {
    let changes = figure.values.map { $0[0] > 0 ? 100 * ($0[1] / $0[0] - 1) : 0 }
    let points = changes.enumerated().map { ChartSeries.Point(x: Double($0.offset + 1), y: $0.element) }
    return Chart(
      description: "The change of \(figure.name.text) in each pair",
      scale: ChartScale.linear(to: Double(changes.count), .number, room: 1.05),
      axis: "pair",
      panels: [
        Chart.Panel(
          title: InertText.shortened(figure.name.text, to: 44),
          content: .series(
            [ChartSeries(name: "change", style: 0, shape: .dots, points: points)],
            .percent(from: changes.min() ?? 0, to: changes.max() ?? 0)
          )
        )
      ],
      isSmall: true
    )
  }
}
