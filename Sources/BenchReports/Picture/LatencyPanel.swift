internal import BenchModel

/// The lower panel: what each actor waited, second by second, on a logarithmic axis.
struct LatencyPanel {
  private struct Line {
    var title: String
    var style: String
    var series: PlotSeries
  }

  private let lines: [Line]
  private let axis: String
  private let range: (low: Double, high: Double)
  /// Actors that are only in the CSV.
  let actorsLeftOut: Int

  init?(_ result: RunResult) {
    guard let courses = LatencyCourses(result) else { return nil }
    lines = courses.courses.map(Self.line)
    axis = courses.axis
    range = courses.range
    actorsLeftOut = courses.actorsLeftOut
  }

  private static func line(_ course: LatencyCourses.Course) -> Line {
    let count = course.series.points.count
    // Circle, square, triangle, diamond: actors differ without colour, too.
    let filled = [7, 5, 9, 13][course.actorIndex % 4]
    let every = max(1, min(count, PlotSeries.maximumPoints) / 30)
    // Where lines stand so close that they fill an area, thinner ones let the next show through.
    let thinning = count > 600 ? 0.4 : 1
    let (width, dash, mark, size) =
      switch course.statistic {
      case .maximum: (1.0, "(1.5,3)", filled - 1, "0.5")
      case .p99: (1.8, "(7,3)", filled, "0.5")
      case .p50: (1.8, "solid", filled, "0.35")
      }
    return Line(
      title: InertText.shortened(course.actor, to: 14) + " " + course.statistic.rawValue,
      style: "with linespoints linewidth \(width * thinning) dashtype \(dash) pointtype \(mark) pointsize \(size) "
        + "pointinterval \(every) linecolor rgb '\(PlotText.color(course.actorIndex))'",
      series: course.series
    )
  }

  var data: [String: String] {
    var data: [String: String] = [:]
    for (index, line) in lines.enumerated() { data["latency-\(index).dat"] = line.series.downsampled().data }
    return data
  }

  var commands: [String] {
    let plots = lines.enumerated().map { index, line in
      "'latency-\(index).dat' \(line.style) title \(PlotText.quoted(line.title))"
    }
    return [
      PlotLayout.axisCommand(axis),
      "set logscale y",
      "set yrange [\(PlotSeries.written(range.low)):\(PlotSeries.written(range.high))]",
      "set ytics (\(tics))",
      "plot " + plots.joined(separator: ", \\\n  "),
    ]
  }

  /// Powers of ten with their unit, and small ones between them without.
  private var tics: String {
    var tics: [String] = []
    var decade = range.low
    while decade <= range.high * 1.001 {
      tics.append("'\(LatencyCourses.name(ofDecade: decade))' \(PlotSeries.written(decade))")
      if decade < range.high / 1.001 {
        tics += (2...9).map { "'' \(PlotSeries.written(decade * Double($0))) 1" }
      }
      decade *= 10
    }
    return tics.joined(separator: ", ")
  }
}
