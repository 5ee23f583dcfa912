internal import BenchModel
internal import Foundation

/// The lower panel: what each actor waited, second by second, on a logarithmic axis.
struct LatencyPanel {
  private struct Line {
    var title: String
    var style: String
    var series: PlotSeries
  }

  /// With more, only the p99 of each is drawn.
  private static let actorsInFull = 3
  private static let maximumActors = 8

  private let lines: [Line]
  private let axis: String
  private let range: (low: Double, high: Double)
  /// Actors that are only in the CSV.
  let actorsLeftOut: Int

  init?(_ result: RunResult) {
    let intervals = result.intervals.filter { $0.count > 0 }
    var actors: [String] = []
    for interval in intervals where !actors.contains(interval.actor) { actors.append(interval.actor) }
    guard !actors.isEmpty else { return nil }
    actorsLeftOut = max(0, actors.count - Self.maximumActors)
    let inFull = actors.count <= Self.actorsInFull
    var lines: [Line] = []
    var kinds: Set<TimeKind> = []
    for (index, actor) in actors.prefix(Self.maximumActors).enumerated() {
      let own = intervals.filter { $0.actor == actor }
      let hasResponse = own.contains { $0.kind == .response }
      let kind: TimeKind = hasResponse && !result.isClosedLoad(actor: actor) ? .response : .service
      let shown = own.filter { $0.kind == kind }.sorted { $0.startNanoseconds < $1.startNanoseconds }
      guard !shown.isEmpty else { continue }
      kinds.insert(kind)
      lines += Self.lines(actor, index, shown, inFull: inFull)
    }
    let values = lines.flatMap { $0.series.points.map(\.y) }
    guard let lowest = values.min(), let highest = values.max() else { return nil }
    self.lines = lines
    axis = kinds == [.response] ? "response time" : kinds == [.service] ? "service time" : "response (closed: service)"
    range = (pow(10, log10(lowest).rounded(.down)), pow(10, (log10(highest) + 0.05).rounded(.up)))
  }

  private static func lines(_ actor: String, _ index: Int, _ intervals: [IntervalResult], inFull: Bool) -> [Line] {
    func series(_ value: (IntervalResult) -> UInt64) -> PlotSeries {
      PlotSeries(
        points: intervals.map { interval in
          // An interval's value stands in its middle.
          let middle = (Double(interval.startNanoseconds) + Double(interval.endNanoseconds)) / 2e9
          return .init(x: middle, y: Double(max(1, value(interval))) / 1e9)
        },
        breaksAfterSeconds: 2.5
      )
    }
    let color = PlotText.color(index)
    // Circle, square, triangle, diamond: actors differ without colour, too.
    let mark = [7, 5, 9, 13][index % 4]
    let every = max(1, min(intervals.count, PlotSeries.maximumPoints) / 30)
    // Where lines stand so close that they fill an area, thinner ones let the next show through.
    let thinning = intervals.count > 600 ? 0.4 : 1
    func style(_ width: Double, _ dash: String, _ mark: Int, _ size: String) -> String {
      "with linespoints linewidth \(width * thinning) dashtype \(dash) pointtype \(mark) pointsize \(size) "
        + "pointinterval \(every) linecolor rgb '\(color)'"
    }
    let name = InertText.shortened(actor, to: 14)
    let p99 = Line(title: name + " p99", style: style(1.8, "(7,3)", mark, "0.5"), series: series(\.p99Nanoseconds))
    guard inFull else { return [p99] }
    return [
      Line(title: name + " max", style: style(1, "(1.5,3)", mark - 1, "0.5"), series: series(\.maximumNanoseconds)),
      p99,
      Line(title: name + " p50", style: style(1.8, "solid", mark, "0.35"), series: series(\.p50Nanoseconds)),
    ]
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
      tics.append("'\(Self.name(ofDecade: decade))' \(PlotSeries.written(decade))")
      if decade < range.high / 1.001 {
        tics += (2...9).map { "'' \(PlotSeries.written(decade * Double($0))) 1" }
      }
      decade *= 10
    }
    return tics.joined(separator: ", ")
  }

  /// Such as `10 µs`, without the decimals that a measured value has.
  private static func name(ofDecade seconds: Double) -> String {
    let exponent = Int((log10(seconds) + 9).rounded())
    let units = ["ns", "µs", "ms", "s"]
    let unit = min(max(exponent, 0) / 3, units.count - 1)
    return Quantity.count(Int(pow(10, Double(exponent - 3 * unit)).rounded())) + " \(units[unit])"
  }
}
