internal import BenchModel

/// The strip between the panels: when who held the WAL, and every checkpoint attempt as a tick in its outcome's row.
struct EventStrip {
  private struct Row {
    var name: String
    /// Begin and end in seconds; equal for a tick.
    var spans: [(start: Double, end: Double)]
    var color: String
    var isTicks: Bool
  }

  private static let maximumHolders = 3
  private let rows: [Row]

  init(_ result: RunResult) {
    rows = Self.holders(result) + Self.outcomes(result)
  }

  var rowCount: Int { rows.count }

  /// Who had pinned the oldest snapshot while frames were held, those first that did so for longest.
  private static func holders(_ result: RunResult) -> [Row] {
    var spans: [String: [(start: Double, end: Double)]] = [:]
    var previousHolder: String?
    for (position, sample) in result.samples.enumerated() {
      let holder = sample.wal.flatMap { $0.heldFrames > 0 ? $0.pinnedBy : nil }
      if let holder {
        let start = Double(sample.elapsedNanoseconds) / 1e9
        let next = position + 1 < result.samples.count ? result.samples[position + 1] : sample
        let end = Double(next.elapsedNanoseconds) / 1e9
        if holder == previousHolder, let last = spans[holder]?.indices.last {
          spans[holder]?[last].end = end
        } else {
          spans[holder, default: []].append((start, end))
        }
      }
      previousHolder = holder
    }
    func total(_ spans: [(start: Double, end: Double)]) -> Double { spans.reduce(0) { $0 + $1.end - $1.start } }
    let longestFirst = spans.sorted { (total($0.value), $1.key) > (total($1.value), $0.key) }
    return longestFirst.prefix(maximumHolders).map { name, spans in
      Row(name: "held by " + InertText.shortened(name, to: 15), spans: spans, color: PlotText.colors[1], isTicks: false)
    }
  }

  private static func outcomes(_ result: RunResult) -> [Row] {
    let byOutcome = Dictionary(grouping: result.checkpoints, by: \.outcome)
    let order = ["complete", "reset", "partialPinned", "gaveUp", "busy", "failed"]
    let names = order.filter { byOutcome[$0] != nil } + byOutcome.keys.filter { !order.contains($0) }.sorted()
    return names.prefix(order.count).map { name in
      let checkpoints = byOutcome[name] ?? []
      let moments = PlotSeries(points: checkpoints.map { .init(x: Double($0.elapsedNanoseconds) / 1e9, y: 0) })
      return Row(
        name: "\(InertText.shortened(name, to: 15)) × \(Quantity.count(checkpoints.count))",
        spans: moments.downsampled().points.map { ($0.x, $0.x) },
        color: name == "complete" || name == "reset" ? PlotText.colors[2] : PlotText.gray,
        isTicks: true
      )
    }
  }

  var data: [String: String] {
    var data: [String: String] = [:]
    for (index, row) in rows.enumerated() {
      let y = Double(rows.count - index) - 0.5
      data["strip-\(index).dat"] = row.spans.map { span in
        row.isTicks
          ? "\(PlotSeries.written(span.start)) \(y - 0.32) 0 0.64\n"
          : "\(PlotSeries.written(span.start)) \(y) \(PlotSeries.written(span.end - span.start)) 0\n"
      }.joined()
    }
    return data
  }

  var commands: [String] {
    var commands = ["unset ytics", "set yrange [0:\(rows.count)]", "unset grid", "unset key"]
    for (index, row) in rows.enumerated() {
      let y = Double(rows.count - index) - 0.5
      commands.append(
        "set label \(PlotText.quoted(row.name)) at graph \(PlotLayout.besideGraph), first \(y) left "
          + "font ',\(PlotText.labelSize)' textcolor rgb '\(PlotText.ink)'"
      )
    }
    if rows.contains(where: \.isTicks) {
      let ticks = rows.filter(\.isTicks).count
      commands.append(
        "set label 'checkpoints' at graph -0.012, first \(Double(ticks) / 2) right font ',\(PlotText.labelSize)' "
          + "textcolor rgb '\(PlotText.ink)'"
      )
    }
    let plots = rows.enumerated().map { index, row in
      let width = row.isTicks ? "1.4" : "7"
      return "'strip-\(index).dat' with vectors nohead linewidth \(width) linecolor rgb '\(row.color)' notitle"
    }
    commands.append("plot " + plots.joined(separator: ", \\\n  "))
    return commands
  }
}
