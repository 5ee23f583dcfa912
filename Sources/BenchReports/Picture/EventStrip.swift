internal import BenchModel

/// The strip between the panels: the scenario's events, when who held the WAL, and every checkpoint attempt as a tick
/// in its outcome's row.
struct EventStrip {
  /// What stands left of a group's rows.
  enum Group: String {
    case events, holders = "", checkpoints
  }

  struct Row {
    var group: Group
    var name: String
    /// Begin and end in seconds; of checkpoints they are equal.
    var spans: [(start: Double, end: Double)]
    var color: String

    /// Events that did not do what they should, and checkpoints that did not copy everything.
    var isFaint: Bool { color == PlotText.gray }
    fileprivate var isTicks: Bool { group != .holders }
  }

  private static let maximumHolders = 3
  private static let maximumEvents = 6
  let rows: [Row]

  init(_ result: RunResult) {
    rows = Self.events(result) + Self.holders(result) + Self.outcomes(result)
  }

  /// A row for each event as it is written, the first to begin first, with a tick where it begins and a bar as long as
  /// it took; gray for those that did not do what they should. Of many different ones, a row for each word.
  private static func events(_ result: RunResult) -> [Row] {
    let begun = (result.events ?? []).filter { $0.begunNanoseconds != nil }
    let isShort = Set(begun.map(\.text)).count > maximumEvents
    var rows: [Row] = []
    for event in begun {
      let name = InertText.shortened(isShort ? event.word : event.text, to: 24)
      let start = Double(event.begunNanoseconds ?? 0) / 1e9
      let span = (start: start, end: max(Double(event.endedNanoseconds ?? 0) / 1e9, start))
      let color = event.outcome == .done ? PlotText.colors[3] : PlotText.gray
      if let index = rows.firstIndex(where: { $0.name == name && $0.color == color }) {
        rows[index].spans.append(span)
      } else {
        rows.append(Row(group: .events, name: name, spans: [span], color: color))
      }
    }
    return rows
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
      Row(
        group: .holders,
        name: "held by " + InertText.shortened(name, to: 15),
        spans: spans,
        color: PlotText.colors[1]
      )
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
        group: .checkpoints,
        name: "\(InertText.shortened(name, to: 15)) × \(Quantity.count(checkpoints.count))",
        spans: moments.downsampled().points.map { ($0.x, $0.x) },
        color: name == "complete" || name == "reset" ? PlotText.colors[2] : PlotText.gray
      )
    }
  }

  var data: [String: String] {
    var data: [String: String] = [:]
    for (index, row) in rows.enumerated() {
      let y = Double(rows.count - index) - 0.5
      func bar(_ span: (start: Double, end: Double)) -> String {
        "\(PlotSeries.written(span.start)) \(y) \(PlotSeries.written(span.end - span.start)) 0\n"
      }
      if row.isTicks {
        let ticks = row.spans.map { "\(PlotSeries.written($0.start)) \(y - 0.32) 0 0.64\n" }
        data["strip-\(index).dat"] = ticks.joined()
      }
      if row.group != .checkpoints { data["strip-\(index)-bars.dat"] = row.spans.map(bar).joined() }
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
    for group in [Group.events, .checkpoints] {
      let indices = rows.indices.filter { rows[$0].group == group }
      guard let first = indices.first, let last = indices.last else { continue }
      let middle = Double(rows.count) - Double(first + last + 1) / 2
      commands.append(
        "set label '\(group.rawValue)' at graph -0.012, first \(middle) right font ',\(PlotText.labelSize)' "
          + "textcolor rgb '\(PlotText.ink)'"
      )
    }
    let plots = rows.enumerated().flatMap { index, row in
      func plot(_ file: String, width: String) -> String {
        "'\(file)' with vectors nohead linewidth \(width) linecolor rgb '\(row.color)' notitle"
      }
      let bars = row.group == .checkpoints ? [] : [plot("strip-\(index)-bars.dat", width: "7")]
      return bars + (row.isTicks ? [plot("strip-\(index).dat", width: row.group == .events ? "2" : "1.4")] : [])
    }
    commands.append("plot " + plots.joined(separator: ", \\\n  "))
    return commands
  }
}
