internal import BenchResults

/// Small multiples: the change of each figure against the pinned build, night by night, with the figure's alarms.
enum TrendChart {
  private static let mostCharts = 40

  static func drawings(_ courses: [HistoryReport.Course], of report: HistoryReport) -> ReportDrawings? {
    let drawn = courses.filter { $0.changes.count > 1 }
    let names = Array(Set(drawn.map(\.figure.name))).sorted()
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(mostCharts)
    var caption: ReportText =
      "The change of each figure against the pinned build, a dot for each night. A shade begins at a new level."
    if report.series.count > 1 { caption += " Each series has its own mark." }
    let charts = shown.map { name in chart(drawn.filter { $0.figure.name == name }, name, of: report) }
    return ReportDrawings(charts: charts, caption: caption + .more(names.count - shown.count, "are in the table"))
  }

  private static func chart(_ courses: [HistoryReport.Course], _ name: FigureName, of report: HistoryReport) -> Chart {
    let percents = courses.flatMap { $0.changes.map(\.percent) }
    let series = courses.map { course in
      ChartSeries(
        name: courses.count > 1 ? "series \(course.seriesIndex + 1)" : "change",
        style: courses.count > 1 ? course.seriesIndex : 0,
        shape: .dots,
        points: course.changes.map { ChartSeries.Point(x: Double($0.index + 1), y: $0.percent) }
      )
    }
    return Chart(
      description: "The change of \(name.text) against the pinned build, night by night",
      scale: .linear(to: Double(report.nights.count), .number, room: 1.03),
      axis: "night",
      bands: bands(of: name, in: report),
      title: InertText.shortened(name.text, to: 44),
      series: series,
      vertical: .percent(from: percents.min() ?? 0, to: percents.max() ?? 0),
      isSmall: true
    )
  }

  private static func bands(of name: FigureName, in report: HistoryReport) -> [Chart.Band] {
    report.alarms.filter { $0.figure == name }.compactMap { alarm in
      report.nights.firstIndex(where: alarm.begins).map { index in
        Chart.Band(name: report.change(alarm), start: Double(index) + 0.5, end: Double(report.nights.count) + 0.5)
      }
    }
  }
}
