internal import BenchResults

/// The WAL area in parts: kept by each connection alone, by several connections, and by none.
enum WALSection {
  private static let shownConnections = 12

  static func section(of result: RunResult) -> ReportSection {
    let isHarmless = result.walExcess == nil && result.blame.addsUp
    return ReportSection(
      anchor: "blame",
      title: "WAL area by cause",
      blocks: blocks(of: result),
      folded: isHarmless ? .text(Quantity.byteSeconds(result.blame.walByteSeconds)) : nil
    )
  }

  private static func blocks(of result: RunResult) -> [ReportBlock] {
    let blame = result.blame
    guard blame.walByteSeconds > 0 else { return [.paragraph(["No WAL was sampled in a recorded phase."])] }
    var table = ReportTable(names: ["kept by"], numbers: ["WAL area", "share", "peak held", "longest pin", "max lag"])
    let connections = blame.connections.sorted { ($0.aloneByteSeconds, $1.name) > ($1.aloneByteSeconds, $0.name) }
    for connection in connections.prefix(shownConnections) {
      table.append([
        "only \(code: connection.name)", .text(Quantity.byteSeconds(connection.aloneByteSeconds)),
        .text(Quantity.percent(connection.aloneByteSeconds, of: blame.walByteSeconds)),
        .bytes(connection.aloneMaximumBytes), .duration(connection.longestPinNanoseconds),
        .text(Quantity.count(connection.maximumAgeCommits, of: "commit")),
      ])
    }
    func append(_ title: ReportText, area: Double) {
      let share = Quantity.percent(area, of: blame.walByteSeconds)
      table.append([title, .text(Quantity.byteSeconds(area)), .text(share), "", "", ""])
    }
    let others = connections.dropFirst(shownConnections)
    if !others.isEmpty {
      append("only one of \(Quantity.count(others.count)) other connections", area: others.aloneByteSeconds)
    }
    append("several connections", area: blame.togetherByteSeconds)
    append("no connection: waiting for a checkpoint", area: blame.notCopiedByteSeconds)
    append("no connection: reusable (already checkpointed)", area: blame.freeByteSeconds)
    append("\(strong: "sum")", area: blame.sumByteSeconds)
    append("\(strong: "area under \(code: Metric.walBytes.rawValue)")", area: blame.walByteSeconds)
    return [.table(table), .paragraph([comparison(of: blame)]), .drawings(drawings(of: result))]
  }

  private static func comparison(of blame: BlameResult) -> ReportText {
    let share = blame.sumByteSeconds / blame.walByteSeconds
    let text: ReportText =
      "The parts are computed independently; their sum is \(Quantity.percent(share)) of the area."
    return blame.addsUp ? text : text + " \(strong: "They do not add up: the shares are inaccurate.")"
  }

  /// Returns a chart of the parts of the WAL over time, stacked; nil with fewer than two samples.
  private static func drawings(of result: RunResult) -> ReportDrawings? {
    let timeline = RunTimeline(result)
    var series: [ChartSeries] = []
    for (style, part) in timeline.walParts.enumerated() {
      let below = series.last?.points
      let points = part.points.enumerated().map { index, point in
        ChartSeries.Point(x: point.x, y: point.y + (below?[index].y ?? 0))
      }
      series.append(ChartSeries(name: part.name, style: style, shape: .area, points: points))
    }
    guard let sums = series.last?.points, sums.count > 1, let highest = sums.map(\.y).max() else { return nil }
    let chart = Chart(
      description: "WAL size over time, by cause",
      scale: timeline.scale,
      axis: RunTimeline.axis,
      bands: timeline.bands,
      title: "WAL size by cause",
      // The sum of all parts is drawn first, then each smaller sum on top of it.
      series: series.reversed(),
      vertical: .linear(to: highest, .bytes)
    )
    let caption: ReportText =
      "The areas are stacked; a value is the height of an area's upper edge. The top edge is the size of the WAL as "
      + "the sum of its parts."
    return ReportDrawings(charts: [chart], caption: caption)
  }
}

/// The bytes that the actors stored, and the bytes that were written to the files, in the recorded phases.
enum WritesSection {
  private static let metrics = [
    Metric.ioLogicalBytes, .ioWALBytesWritten, .ioDatabaseBytesWritten, .ioWriteAmplification, .ioWALSyncs,
    .ioDatabaseSyncs, .ioSyncTime,
  ]

  /// - Returns: nil if writes were not counted.
  static func section(of result: RunResult) -> ReportSection? {
    var table = ReportTable(
      names: ["phase"],
      numbers: ["logical", "WAL", "database", "amplification", "WAL syncs", "database syncs", "time in syncs"]
    )
    for phase in result.phases where phase.isRecorded {
      let figures = result.figures(of: phase)
      guard !figures.values(of: .ioWALBytesWritten, in: FigureScope(phase.name)).isEmpty else { continue }
      let cells = metrics.map { metric -> ReportText in
        let id = FigureID(metric, metric.aggregation.suggested, of: FigureScope(phase.name))
        return .text(figures.value(of: id).map(id.unit.text) ?? Quantity.missing)
      }
      table.append([.code(phase.name)] + cells)
    }
    guard !table.isEmpty else { return nil }
    let gist: ReportText = table.rows.count == 1 ? table.rows[0][2] + " to the WAL" : ""
    let remark: ReportText =
      "From the first to the last sample of a phase. Logical: keys, objects and metadata that transactions stored. "
      + "Amplification: bytes written to the WAL and the database file per logical byte. Checkpoints write to the "
      + "database file, including the frames that earlier phases left in the WAL."
    return ReportSection(
      anchor: "writes",
      title: "Writes",
      blocks: [.table(table), .explanation([remark])],
      folded: gist
    )
  }
}

extension Sequence<BlameResult.Connection> {
  var aloneByteSeconds: Double { reduce(0) { $0 + $1.aloneByteSeconds } }
}

extension BlameResult {
  /// Whether the parts, which are computed independently, add up to the area.
  var addsUp: Bool { walByteSeconds <= 0 || (sumByteSeconds / walByteSeconds - 1).magnitude <= 0.05 }

  var sumByteSeconds: Double {
    connections.aloneByteSeconds + togetherByteSeconds + notCopiedByteSeconds + freeByteSeconds
  }
}
