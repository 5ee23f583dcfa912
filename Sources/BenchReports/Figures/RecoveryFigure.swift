internal import BenchModel

/// How long it took until the database could be read again, over what was in its WAL.
enum RecoveryFigure {
  static func figure(_ result: RunResult) -> ReportFigure? {
    let recoveries = result.phases.flatMap(\.events).compactMap(\.recovery)
    guard !recoveries.isEmpty else { return nil }
    let points = recoveries.map { recovery in
      ChartSeries.Point(
        x: Double(recovery.frames) * Double(result.frameBytes),
        y: Double(recovery.durationNanoseconds)
      )
    }.sorted { $0.x < $1.x }
    let chart = Chart(
      description: "Time until the first read after a crash, over the size of the WAL",
      scale: .linear(to: points.map(\.x).max() ?? 0, .bytes),
      axis: "size of the WAL before it was opened",
      panels: [
        Chart.Panel(
          title: "Time until the first read",
          content: .series(
            [ChartSeries(name: "recovery", style: 0, shape: .dots, points: points)],
            .linear(to: points.map(\.y).max() ?? 0, .nanoseconds)
          )
        )
      ]
    )
    return ReportFigure(
      charts: [chart],
      caption: "One dot for each time the database was reopened."
    )
  }
}
