internal import BenchResults

enum EventsSection {
  /// - Returns: nil for a run without events.
  static func section(of result: RunResult) -> ReportSection? {
    guard result.phases.contains(where: { !$0.events.isEmpty }) else { return nil }
    var table = ReportTable([
      ("phase", .left), ("due", .right), ("event", .left), ("delay", .right), ("time", .right), ("outcome", .left),
      ("details", .left),
    ])
    for phase in result.phases {
      for event in phase.events {
        table.append([
          .code(phase.name), .text(event.condition ?? Quantity.duration(nanoseconds: event.dueNanoseconds)),
          .code(event.text), .duration(event.delayNanoseconds), .duration(event.durationNanoseconds),
          text(of: event.outcome), .text(InertText.shortened(event.detail, to: 200)),
        ])
      }
    }
    let remark: ReportText =
      "Due counts from the start of the first phase. An event is delayed while the previous one runs, unless that is a "
      + "stall. An event's \(code: "response") in the table of latencies includes the delay."
    return ReportSection(
      anchor: "events",
      title: "Events",
      blocks: [.table(table), .explanation([remark]), .drawings(recoveries(of: result))]
    )
  }

  private static func text(of outcome: EventResult.Outcome) -> ReportText {
    switch outcome {
    case .done: "done"
    case .failed: "\(strong: "failed")"
    case .notReached: "\(strong: "not reached")"
    case .unfinished: "\(strong: "unfinished")"
    }
  }

  /// Returns a chart of the time from reopening to the first read, over the size of the WAL; nil if no WAL was
  /// recovered.
  private static func recoveries(of result: RunResult) -> ReportDrawings? {
    let points = result.phases.flatMap(\.events).compactMap(\.recovery).compactMap { recovery in
      recovery.frames.map { frames in
        ChartSeries.Point(x: Double(frames) * Double(result.frameBytes), y: Double(recovery.durationNanoseconds))
      }
    }.sorted { $0.x < $1.x }
    guard !points.isEmpty else { return nil }
    let chart = Chart(
      description: "Time from reopening the database to its first read, over the size of the WAL",
      scale: .linear(to: points.map(\.x).max() ?? 0, .bytes),
      axis: "size of the WAL before reopening",
      title: "Time from reopening to the first read",
      series: [ChartSeries(name: "recovery", style: 0, shape: .dots, points: points)],
      vertical: .linear(to: points.map(\.y).max() ?? 0, .nanoseconds)
    )
    return ReportDrawings(charts: [chart], caption: "One dot for each time the database was reopened.")
  }
}

extension EventResult {
  /// The time from the due time to the start.
  fileprivate var delayNanoseconds: UInt64? { begunNanoseconds.map { $0 - min(dueNanoseconds, $0) } }

  fileprivate var durationNanoseconds: UInt64? {
    guard let begunNanoseconds, let endedNanoseconds else { return nil }
    return endedNanoseconds - min(begunNanoseconds, endedNanoseconds)
  }
}
