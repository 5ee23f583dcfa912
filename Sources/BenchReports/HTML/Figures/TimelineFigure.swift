internal import BenchModel

/// What the WAL did and what the actors felt, over the same time.
enum TimelineFigure {
  static func figure(_ result: RunResult) -> DrawnFigure? {
    let end = max(Double(result.endNanoseconds) / 1e9, 0.001)
    var panels: [Chart.Panel] = []
    if let wal = wal(result) { panels.append(wal) }
    let rows = rows(result)
    if !rows.isEmpty { panels.append(Chart.Panel(title: "Events, pins and checkpoints", content: .rows(rows))) }
    let courses = LatencyCourses(result)
    if let courses { panels.append(latency(courses)) }
    guard !panels.isEmpty else { return nil }
    let chart = Chart(
      description: "WAL size, events, who held the WAL, checkpoint attempts and latencies over the time of the run",
      scale: Chart.time(to: end),
      axis: "since the first phase began",
      bands: bands(result),
      panels: panels
    )
    let left = courses?.actorsLeftOut ?? 0
    let caption: ReportText =
      "Shaded bands are phases; hatched ones were not recorded. Latency is by the second, on a logarithmic axis: what "
      + "each actor's transactions took, or with a schedule their response."
    return DrawnFigure(
      charts: [chart],
      caption: left > 0
        ? caption + " \(Quantity.count(left, of: "actor")) more in \(code: "timeseries.csv")." : caption
    )
  }

  static func bands(_ result: RunResult) -> [Chart.Band] {
    result.phases.map { phase in
      Chart.Band(
        name: InertText.shortened(phase.name, to: 24) + (phase.isRecorded ? "" : " (not recorded)"),
        start: Double(phase.startNanoseconds) / 1e9,
        end: Double(phase.endNanoseconds) / 1e9,
        isFaint: !phase.isRecorded
      )
    }
  }

  private static func wal(_ result: RunResult) -> Chart.Panel? {
    let samples = result.samples.compactMap { sample in
      sample.wal.map { (seconds: Double(sample.elapsedNanoseconds) / 1e9, wal: $0) }
    }
    guard !samples.isEmpty else { return nil }
    let size = samples.map { PlotSeries.Point(x: $0.seconds, y: Double($0.wal.bytes)) }
    let backlog = samples.map {
      PlotSeries.Point(x: $0.seconds, y: Double($0.wal.backlogFrames * result.frameBytes))
    }
    let highest = (size + backlog).map(\.y).max() ?? 0
    return Chart.Panel(
      title: "WAL",
      content: .series(
        [
          ChartSeries(name: "WAL file", style: 0, shape: .area, points: PlotSeries(points: size)),
          ChartSeries(name: "not yet copied", style: 1, dash: .dashed, points: PlotSeries(points: backlog)),
        ],
        .linear(to: highest, .bytes)
      )
    )
  }

  private static func rows(_ result: RunResult) -> [Chart.Row] {
    EventStrip(result).rows.map { row in
      let style =
        switch row.group {
        case .events: 3
        case .holders: 1
        case .checkpoints: 2
        }
      return Chart.Row(
        name: row.name,
        spans: row.spans,
        style: style,
        isFaint: row.isFaint,
        isTicks: row.group != .holders
      )
    }
  }

  private static func latency(_ courses: LatencyCourses) -> Chart.Panel {
    let series = courses.courses.map { course in
      let dash: ChartSeries.Dash =
        switch course.statistic {
        case .maximum: .dotted
        case .p99: .dashed
        case .p50: .solid
        }
      return ChartSeries(
        name: InertText.shortened(course.actor, to: 20) + " " + course.statistic.rawValue,
        style: course.actorIndex,
        dash: dash,
        points: course.series
      )
    }
    let title = courses.axis.prefix(1).uppercased() + courses.axis.dropFirst()
    let scale = ChartScale.logarithmic(from: courses.range.low * 1.001, to: courses.range.high * 0.88, .seconds)
    return Chart.Panel(title: title, content: .series(series, scale))
  }
}
