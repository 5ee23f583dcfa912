internal import BenchResults
internal import Foundation

/// Small multiples: the change of each figure against the pinned build, night by night, with the figure's alarms.
enum TrendFigure {
  private static let mostCharts = 40

  static func figure(_ courses: [HistoryReport.Course], of nights: [Night], alarms: [TrendAlarm]) -> ReportFigure? {
    let courses = courses.filter { $0.nights.count > 1 }
    guard !courses.isEmpty else { return nil }
    let shown = courses.prefix(mostCharts)
    var caption: ReportText =
      "The change of each figure against the pinned build, a dot for each night; upwards is worse. A shade begins "
      + "where the level changed. A faint shade marks the nights of earlier series."
    if courses.count > shown.count {
      caption += " \(Quantity.count(courses.count - shown.count)) more are in the table."
    }
    return ReportFigure(charts: shown.map { chart($0, of: nights, alarms: alarms) }, caption: caption)
  }

  private static func chart(_ course: HistoryReport.Course, of nights: [Night], alarms: [TrendAlarm]) -> Chart {
    let percents = course.nights.map { 100 * (exp($0.effect) - 1) }
    let points = zip(course.nights, percents).map { ChartSeries.Point(x: Double($0.index + 1), y: $1) }
    return Chart(
      description: "The change of \(course.figure.name.text) against the pinned build, night by night",
      scale: .linear(to: Double(nights.count), .number, room: 1.03),
      axis: "night",
      bands: bands(course, of: nights, alarms: alarms),
      panels: [
        Chart.Panel(
          title: InertText.shortened(course.figure.name.text, to: 44),
          content: .series(
            [ChartSeries(name: "change", style: 0, shape: .dots, points: points)],
            .percent(from: percents.min() ?? 0, to: percents.max() ?? 0)
          )
        )
      ],
      isSmall: true
    )
  }

  private static func bands(_ course: HistoryReport.Course, of nights: [Night], alarms: [TrendAlarm]) -> [Chart.Band] {
    guard let last = nights.last else { return [] }
    var bands: [Chart.Band] = []
    if let other = nights.lastIndex(where: { !$0.isComparable(with: last) }) {
      bands.append(Chart.Band(name: "another series", start: 0.5, end: Double(other) + 1.5, isFaint: true))
    }
    for alarm in alarms where alarm.figure == course.figure.name {
      guard let index = nights.firstIndex(where: { $0.time == alarm.firstTime }) else { continue }
      bands.append(
        Chart.Band(
          name: HistoryReport.percent(alarm.magnitude),
          start: Double(index) + 0.5,
          end: Double(nights.count) + 0.5,
          isFaint: false
        )
      )
    }
    return bands
  }
}
