internal import BenchModel

/// The parts of the WAL over time, stacked, by what keeps them.
enum BlameFigure {
  static func figure(_ result: RunResult) -> ReportFigure? {
    let timeline = RunTimeline(result)
    var series: [ChartSeries] = []
    for (index, part) in timeline.walParts.enumerated() {
      let below = series.last?.points
      let points = part.points.indices.map { place in
        ChartSeries.Point(x: part.points[place].x, y: part.points[place].y + (below?[place].y ?? 0))
      }
      series.append(ChartSeries(name: part.name, style: index, shape: .area, points: points))
    }
    guard let sums = series.last?.points, sums.count > 1, let highest = sums.map(\.y).max() else { return nil }
    let chart = Chart(
      description: "The WAL over time, by what kept its frames",
      scale: timeline.scale,
      axis: RunTimeline.axis,
      bands: timeline.bands,
      panels: [
        // The whole is drawn first, then each smaller sum on top of it.
        Chart.Panel(
          title: "WAL by what kept its frames",
          content: .series(series.reversed(), .linear(to: highest, .bytes))
        )
      ]
    )
    let caption: ReportText =
      "The areas are stacked; a reading is the height of an area's upper edge. The top edge is the size of the WAL as "
      + "the sum of its parts."
    return ReportFigure(charts: [chart], caption: caption)
  }
}
