internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The latencies of each second as a heat map, one for each actor, over the same axes.
enum LatencyHeatChart {
  /// The most columns of all maps together. With more, several seconds share a column, so that pages stay small.
  private static let mostColumns = 1_200
  private static let mostColumnsOfMap = 200

  /// - Returns: nil if no duration was read.
  static func drawings(_ latencies: LatencyIntervals, of result: RunResult) -> ReportDrawings? {
    let actors = latencies.actors.filter { !$0.intervals.isEmpty }
    guard let (lowest, highest) = shownSteps(of: actors) else { return nil }
    let scale = ChartScale.logarithmic(
      from: LatencyIntervals.seconds(atStep: Double(lowest)),
      to: LatencyIntervals.seconds(atStep: Double(highest + 1)),
      .seconds
    )
    let most = min(mostColumnsOfMap, mostColumns / actors.count)
    let timeline = RunTimeline(result)
    let chart = Chart(
      description: "Numbers of transactions by duration, second by second",
      scale: timeline.scale,
      axis: RunTimeline.axis,
      bands: timeline.bands,
      panels: actors.map { actor in
        Chart.Panel(
          title: "\(InertText.shortened(actor.name, to: 24)): \(actor.kind.title.lowercased())",
          content: .series(lines(of: actor), scale, over: map(of: actor, scale, mostColumns: most))
        )
      }
    )
    var caption: ReportText =
      "Heat maps of the latencies: a cell is a second, or a few seconds of a long run, and a range of durations. Its "
      + "shade stands for the number of transactions, as the legend of the map says; without a shade there were none. "
      + "The lowest row contains shorter durations, too."
    if latencies.actorsLeftOut > 0 {
      caption += " \(Quantity.count(latencies.actorsLeftOut, of: "actor")) more in \(code: LatencyLogFile.name)."
    }
    return ReportDrawings(charts: [chart], caption: caption)
  }

  /// Returns the lowest step that maps show, and the step of the longest duration. At most one duration in
  /// a thousand is below the lowest step: a few durations of nanoseconds would otherwise take half of the map.
  private static func shownSteps(of actors: [LatencyIntervals.Actor]) -> (lowest: Int, highest: Int)? {
    var counts: [Int: Int] = [:]
    for (step, count) in actors.lazy.flatMap(\.intervals).flatMap(\.counts) {
      counts[step] = [counts[step, default: 0], count].saturatingSum()
    }
    let sorted = counts.sorted { $0.key < $1.key }
    var rest = sorted.map(\.value).saturatingSum() / 1_000
    let lowest = sorted.first { (_, count) in
      rest -= min(rest, count)
      return rest == 0
    }
    guard let lowest, let highest = sorted.last else { return nil }
    return (lowest.key, highest.key)
  }

  private static func map(of actor: LatencyIntervals.Actor, _ scale: ChartScale, mostColumns: Int) -> HeatMap {
    let decades = max(1, Int(saturating: log10(scale.high / scale.low).rounded()))
    // Divisors of the steps per decade, so that every row has the same number of steps.
    let stepsPerRow = decades <= 3 ? 2 : decades <= 5 ? 3 : 5
    let rows = decades * LatencyIntervals.stepsPerDecade / stepsPerRow
    let firstStep = Int(saturating: (log10(scale.low * 1e9) * Double(LatencyIntervals.stepsPerDecade)).rounded())
    return HeatMap(
      columns(of: actor, mostColumns: mostColumns).map { intervals in
        var column = HeatMap.Column(
          start: intervals[0].start,
          end: intervals.map(\.end).max() ?? 0,
          counts: Array(repeating: 0, count: rows)
        )
        for (step, count) in intervals.flatMap(\.counts) {
          let row = min(max((step - firstStep) / stepsPerRow, 0), rows - 1)
          column.counts[row] = [column.counts[row], count].saturatingSum()
        }
        return column
      }
    )
  }

  /// Returns the intervals of each column. A gap, such as a phase without the actor, begins another column.
  private static func columns(
    of actor: LatencyIntervals.Actor,
    mostColumns: Int
  ) -> [[LatencyIntervals.Interval]] {
    let intervals = actor.intervals.sorted { $0.start < $1.start }
    let seconds = (Double(intervals.count) / Double(mostColumns)).rounded(.up)
    var columns: [[LatencyIntervals.Interval]] = []
    for interval in intervals {
      let fits = columns.last.map { column in
        interval.end - column[0].start < seconds + 0.1 && interval.start - column[column.count - 1].end < 0.1
      }
      if fits ?? false { columns[columns.count - 1].append(interval) } else { columns.append([interval]) }
    }
    return columns
  }

  private static func lines(of actor: LatencyIntervals.Actor) -> [ChartSeries] {
    let intervals = actor.intervals.sorted { $0.start < $1.start }
    func line(
      _ name: String,
      dash: ChartSeries.Dash,
      of value: (LatencyIntervals.Interval) -> UInt64
    ) -> ChartSeries {
      ChartSeries(
        name: "\(InertText.shortened(actor.name, to: 16)) \(name)",
        style: 1,
        dash: dash,
        points: intervals.map { .init(x: ($0.start + $0.end) / 2, y: Double(value($0)) / 1e9) },
        breaksAfter: 2.5,
        hasMarks: false
      )
    }
    return [line("p99", dash: .dashed, of: \.p99Nanoseconds), line("p50", dash: .solid, of: \.p50Nanoseconds)]
  }
}
