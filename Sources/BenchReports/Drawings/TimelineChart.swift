internal import BenchResults
internal import HarnessPrimitives

/// The storage, the events, the pins, the checkpoints and the actors' latencies, over the same axis of time.
enum TimelineChart {
  static let fileName = "wal-and-latency.svg"

  /// - Parameter fileName: the name of the drawing's file, relative to the report.
  /// - Returns: nil if there is nothing to draw.
  static func drawings(_ result: RunResult, fileName: String = fileName) -> ReportDrawings? {
    let timeline = RunTimeline(result)
    let latencies = timeline.latencies
    let arrivals = timeline.arrivals
    let panels = [
      storage(timeline), strip(timeline), latencies.flatMap(latency), arrivals.map(rates), arrivals.map(waiting),
    ].compactMap { $0 }
    guard !panels.isEmpty else { return nil }
    let drawing = ChartDrawing.drawing(
      Chart(
        description: "\(timeline.storageSubject) size, events, pins, checkpoint attempts, latencies and arrivals over "
          + "the time of the run",
        scale: timeline.scale,
        axis: RunTimeline.axis,
        bands: timeline.bands,
        panels: panels
      )
    )
    let caption: ReportText =
      "Shaded bands are phases; hatched ones were not recorded. Latencies are per second, on a logarithmic axis: "
      + "the response times of loads with a schedule, and the service times of closed loads. Of many points, each "
      + "column of pixels shows the lowest and the highest."
      + (arrivals == nil
        ? "" : " Arrivals are summed over all actors with a schedule; the queue includes arrivals in service.")
    let left = latencies?.actorsLeftOut ?? 0
    return ReportDrawings(
      drawings: [drawing],
      caption: left > 0
        ? caption + " \(Quantity.count(left, of: "actor")) more in \(code: "timeseries.csv")." : caption,
      file: SVGFile(
        name: fileName,
        alternative: "\(timeline.storageSubject) size and latency over time",
        heading: result.scenario,
        rows: [[drawing]]
      )
    )
  }

  /// The WAL, or all files for an engine without SQLite's WAL.
  private static func storage(_ timeline: RunTimeline) -> Chart.Panel? {
    let wal = [
      ChartSeries(name: "WAL file", style: 0, shape: .area, points: timeline.walSize),
      ChartSeries(name: "not yet checkpointed", style: 1, dash: .dashed, points: timeline.walBacklog),
    ]
    if let panel = sizes(wal, titled: "WAL") { return panel }
    let files = ChartSeries(name: "all files", style: 0, shape: .area, points: timeline.storageSize)
    return sizes([files], titled: "Database files")
  }

  /// Returns a panel with a note at the peak of the first series; nil if that series is empty.
  private static func sizes(_ series: [ChartSeries], titled title: String) -> Chart.Panel? {
    guard let peak = series[0].points.max(by: { $0.y < $1.y }) else { return nil }
    let highest = series.lazy.flatMap(\.points).map(\.y).max() ?? peak.y
    return Chart.Panel(
      title: title,
      content: .series(series, .linear(to: highest, .bytes, room: 1.14)),
      note: Chart.Note(text: "peak \(Quantity.bytes(Int(saturating: peak.y)))", point: peak)
    )
  }

  private static func strip(_ timeline: RunTimeline) -> Chart.Panel? {
    let groups = [("events", timeline.events), ("pins", timeline.pins), ("checkpoints", timeline.checkpoints)]
      .filter { !$0.1.isEmpty }
    guard !groups.isEmpty else { return nil }
    let names = groups.map { $0.0 }.joined(separator: ", ")
    return Chart.Panel(title: names.prefix(1).uppercased() + names.dropFirst(), content: .rows(groups.flatMap { $0.1 }))
  }

  private static func rates(_ arrivals: RunTimeline.Arrivals) -> Chart.Panel {
    var series = [
      ChartSeries(name: "due", style: 0, dash: .dashed, points: arrivals.due, breaksAfter: breakSeconds),
      ChartSeries(name: "done", style: 2, points: arrivals.done, breaksAfter: breakSeconds),
    ]
    if arrivals.dropped.contains(where: { $0.y > 0 }) {
      series.append(
        ChartSeries(name: "dropped", style: 1, dash: .dotted, points: arrivals.dropped, breaksAfter: breakSeconds)
      )
    }
    let highest = series.flatMap { $0.points.map(\.y) }.max() ?? 0
    return Chart.Panel(title: "Arrivals", content: .series(series, .linear(to: highest, .perSecond)))
  }

  private static func waiting(_ arrivals: RunTimeline.Arrivals) -> Chart.Panel {
    let series = ChartSeries(name: "due, not done", style: 3, shape: .area, points: arrivals.waiting)
    let highest = arrivals.waiting.map(\.y).max() ?? 0
    return Chart.Panel(title: "Queue", content: .series([series], .linear(to: max(highest, 1), .number)))
  }

  /// The rates of two phases without an open load between them are not connected.
  private static let breakSeconds = 2.5

  private static func latency(_ latencies: RunTimeline.Latencies) -> Chart.Panel? {
    let values = latencies.series.flatMap { $0.points.map(\.y) }
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    return Chart.Panel(
      title: latencies.title,
      content: .series(latencies.series, .logarithmic(from: lowest, to: highest, .seconds))
    )
  }
}
