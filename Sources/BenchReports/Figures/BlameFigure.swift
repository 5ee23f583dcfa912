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
      description: "What kept the WAL over time, part on part",
      scale: timeline.scale,
      axis: RunTimeline.axis,
      bands: timeline.bands,
      panels: [
        // The whole behind, and each smaller sum before it.
        Chart.Panel(title: "What kept the WAL", content: .series(series.reversed(), .linear(to: highest, .bytes)))
      ]
    )
    let caption: ReportText =
      "Each area lies on those below it; a reading is the height of an area's edge, so its part and all below. The "
      + "edge of the highest is the size of the WAL as its parts add up to it."
    return ReportFigure(charts: [chart], caption: caption)
  }
}
