internal import Foundation
internal import NumericConversion

/// Draws a chart in SVG. Colours, patterns and marks are those of `ChartStyle`.
///
/// The content of groups of class `z` moves when the script of a page zooms; it consists of paths with `x,y` pairs,
/// marks and text only.
struct ChartDrawing {
  /// The largest distance, in pixels, at which two bars or two ticks are drawn as one.
  private static let finest = 0.3

  private let chart: Chart
  private let width: Double
  private let left: Double
  private let right: Double
  private var y = 4.0
  private var parts: [String] = []

  static func drawing(_ chart: Chart) -> Drawing {
    var drawing = ChartDrawing(chart)
    return drawing.draw()
  }

  private init(_ chart: Chart) {
    self.chart = chart
    width = chart.isSmall ? 320 : 880
    left = chart.isSmall ? 54 : 66
    let hasRows = chart.panels.contains { if case .rows = $0.content { true } else { false } }
    right = hasRows ? 176 : 14
  }

  private var plotWidth: Double { width - left - right }

  private func x(_ value: Double) -> Double { left + chart.scale.share(of: value) * plotWidth }

  private mutating func draw() -> Drawing {
    drawBandNames()
    for panel in chart.panels {
      parts.append(SVG.text(panel.title, at: (0, y + 11), "title"))
      y += 18
      switch panel.content {
      case .series(let series, let scale): draw(series, scale, note: panel.note)
      case .rows(let rows): draw(rows)
      }
    }
    drawAxis()
    return Drawing(
      width: width,
      height: y,
      description: chart.description,
      content: parts.joined(separator: "\n"),
      isSmall: chart.isSmall,
      scriptAttributes: [
        ("tabindex", "0"), ("data-plot", "\(SVG.pixels(left)) \(SVG.pixels(width - right))"),
        ("data-range", "\(Self.short(chart.scale.low)) \(String(format: "%.9g", chart.scale.high))"),
        ("data-unit", chart.scale.unit.rawValue), ("data-foot", SVG.pixels(y - 34)),
      ]
    )
  }

  // MARK: Around the panels

  /// Draws each name above the middle of its band, in the first of three rows with space for it, if there is one.
  private mutating func drawBandNames() {
    var rowEnds: [Double] = []
    var names = ""
    for band in chart.bands {
      let wanted = SVG.width(of: band.name)
      let middle = (x(band.start) + x(band.end)) / 2
      let start = max(left, min(middle - wanted / 2, width - right - wanted))
      let row = rowEnds.firstIndex { $0 + 8 <= start } ?? rowEnds.count
      guard row < 3 else { continue }
      if row == rowEnds.count { rowEnds.append(0) }
      rowEnds[row] = start + wanted
      let point = (start + wanted / 2, 12 + Double(row) * 15)
      names += SVG.text(band.name, at: point, band.isFaint ? "mid faint" : "mid")
    }
    if !names.isEmpty {
      parts.append("<g class=\"z\">\(names)</g>")
      y += Double(rowEnds.count) * 15 + 4
    }
  }

  private mutating func drawAxis() {
    // Labels that would overlap the previous one are omitted.
    var end = -Double.infinity
    var ticks = ""
    for tick in chart.scale.ticks.sorted(by: { $0.value < $1.value }) {
      let x = x(tick.value)
      ticks += SVG.path([(x, y), (x, y + 4)], "tick")
      guard let name = tick.name, x - SVG.width(of: name) / 2 > end else { continue }
      ticks += SVG.text(name, at: (x, y + 17), "mid")
      end = x + SVG.width(of: name) / 2 + 4
    }
    parts.append("<g class=\"z axis\">\(ticks)</g>")
    parts.append(SVG.text(chart.axis, at: (left + plotWidth / 2, y + 31), "mid soft"))
    y += 36
  }

  /// Draws the names of several series: in the right margin if that is wide, otherwise in rows above the panel.
  private mutating func drawLegend(_ series: [ChartSeries]) {
    let isBeside = right > 100
    // Space between the panel's title and the highest label.
    if isBeside { y += 8 }
    guard series.count > 1 else { return }
    var point = (x: isBeside ? width - right + 8 : left, y: y)
    for one in series {
      let wanted = 30 + SVG.width(of: one.name) + 16
      if !isBeside, point.x + wanted > width, point.x > left { point = (left, point.y + 16) }
      let (x, middle) = (point.x, point.y + 7)
      switch one.shape {
      case .line: parts.append(SVG.path([(x, middle), (x + 24, middle)], kind(of: one)) + mark(one, (x + 12, middle)))
      case .area: parts.append(SVG.rectangle(at: (x, middle - 5), width: 24, height: 10, kind(of: one)))
      case .dots: parts.append(mark(one, (x + 12, middle)))
      }
      parts.append(SVG.text(one.name, at: (x + 30, middle + 4)))
      if isBeside { point.y += 18 } else { point.x += wanted }
    }
    if !isBeside { y = point.y + 20 }
  }

  // MARK: Panels

  private mutating func draw(_ series: [ChartSeries], _ scale: ChartScale, note: Chart.Note?) {
    drawLegend(series)
    let height = chart.isSmall ? 130.0 : 190
    let (top, bottom) = (y, y + height)
    var grid = ""
    for tick in scale.ticks {
      let y = bottom - scale.share(of: tick.value) * height
      guard y >= top - 0.5 else { continue }
      grid += SVG.path([(left, y), (width - right, y)], tick.name == nil ? "grid soft" : "grid")
      if let name = tick.name { parts.append(SVG.text(name, at: (left - 6, y + 4), "end")) }
    }
    // Areas are drawn first, in the given order, so that lines stay visible.
    let order = series.filter { $0.shape == .area } + series.filter { $0.shape != .area }
    var drawn = order.map { curve($0, scale, from: top, to: bottom) }
    if let note {
      // The note is on that side of its point which has more space.
      let isLeft = chart.scale.share(of: note.point.x) > 0.5
      let point = (x(note.point.x) + (isLeft ? -6 : 6), bottom - scale.share(of: note.point.y) * height - 5)
      drawn.append(SVG.text(note.text, at: point, isLeft ? "note end" : "note"))
    }
    appendPanel(drawn.joined(separator: "\n"), grid: grid, from: top, to: bottom)
    y = bottom + 8
  }

  private mutating func draw(_ rows: [Chart.Row]) {
    let (top, height) = (y, 18.0)
    var drawn = ""
    for row in rows {
      let middle = y + height / 2
      let color = row.isFaint ? "c\(ChartStyle.count)" : "c\(row.style % ChartStyle.count)"
      let (bars, ticks) = barsAndTicks(row)
      if !bars.isEmpty {
        let d = bars.map { SVG.commands([($0.start, middle), ($0.end, middle)]) }.joined()
        drawn += HTMLText.element("path", [("class", "bar \(color)"), ("d", d)])
      }
      if row.hasTicks {
        let d = ticks.map { SVG.commands([($0, middle - 6), ($0, middle + 6)]) }.joined()
        drawn += HTMLText.element("path", [("class", "mark \(color)"), ("d", d)])
      }
      parts.append(SVG.text(row.name, at: (width - right + 8, middle + 4)))
      y += height
    }
    appendPanel(drawn, from: top, to: y)
    y += 8
  }

  private func barsAndTicks(_ row: Chart.Row) -> (bars: [(start: Double, end: Double)], ticks: [Double]) {
    var bars: [(start: Double, end: Double)] = []
    var ticks: [Double] = []
    for span in row.spans.sorted(by: { $0.start < $1.start }) {
      let (start, end) = (x(span.start), x(span.end))
      if start - (ticks.last ?? -.infinity) > Self.finest { ticks.append(start) }
      guard end > start else { continue }
      if let last = bars.last, start - last.end <= Self.finest {
        bars[bars.count - 1].end = max(last.end, end)
      } else {
        bars.append((start, end))
      }
    }
    return (bars, ticks)
  }

  /// Appends bands, grid, content and frame of a panel. All but the frame is clipped at the panel's edges.
  private mutating func appendPanel(_ drawn: String, grid: String = "", from top: Double, to bottom: Double) {
    parts.append(
      SVG.window(
        at: (left, top),
        width: plotWidth + 1,
        height: bottom - top + 1,
        origin: (left, top),
        content: "<g class=\"z\">\(bands(from: top, to: bottom))</g>\(grid)\n<g class=\"z\">\(drawn)</g>"
      )
    )
    parts.append(SVG.path([(left, top), (left, bottom), (width - right, bottom)], "frame"))
  }

  private func bands(from top: Double, to bottom: Double) -> String {
    chart.bands.enumerated().map { index, band in
      let (start, end) = (x(band.start), x(band.end))
      let kind = band.isFaint ? "band out" : index.isMultiple(of: 2) ? "band even" : "band odd"
      return SVG.path([(start, bottom), (start, top), (end, top), (end, bottom), (start, bottom)], kind)
        + (index > 0 ? SVG.path([(start, top), (start, bottom)], "edge") : "")
    }.joined()
  }

  private func curve(_ series: ChartSeries, _ scale: ChartScale, from top: Double, to bottom: Double) -> String {
    let range = min(chart.scale.low, chart.scale.high)...max(chart.scale.low, chart.scale.high)
    let thinned = series.thinned(columns: Int(saturating: plotWidth), range: range)
    let pixels = thinned.points.map { point in
      (x: x(point.x), y: bottom - max(0, scale.share(of: point.y)) * (bottom - top))
    }
    var d = ""
    var previous: ChartSeries.Point?
    for (point, pixel) in zip(thinned.points, pixels) {
      let breaks = previous.map { point.x - $0.x > thinned.breaksAfter ?? .infinity } ?? true
      d += (breaks && series.shape != .area ? "M" : "L") + SVG.pair(pixel)
      previous = point
    }
    if series.shape == .area, let first = pixels.first, let last = pixels.last {
      d = "M" + SVG.pair((first.x, bottom)) + d + "L" + SVG.pair((last.x, bottom)) + "Z"
    }
    let line = HTMLText.element(
      "path",
      [
        ("class", series.shape == .dots ? "unseen" : kind(of: series)), ("d", d), ("data-name", series.name),
        ("data-unit", scale.unit.rawValue),
        ("data-y", thinned.points.map { Self.short($0.y) }.joined(separator: " ")),
      ]
    )
    guard series.shape != .area else { return line }
    // Dots mark every point. A line has a few marks, at points that depend on its style.
    let every = series.shape == .dots ? 1 : max(1, pixels.count / 7)
    let first = series.shape == .dots ? 0 : (every * (series.style % 5)) / 5
    return line + stride(from: first, to: pixels.count, by: every).map { mark(series, pixels[$0]) }.joined()
  }

  // MARK: Pieces

  private func kind(of series: ChartSeries) -> String {
    let style = series.style % ChartStyle.count
    return series.shape == .area ? "a p\(style) c\(style)" : "line \(series.dash.rawValue) c\(style)"
  }

  private func mark(_ series: ChartSeries, _ point: SVG.Point) -> String {
    SVG.mark(series.style, at: point, (series.dash == .dotted ? "hollow " : "") + "c\(series.style % ChartStyle.count)")
  }

  /// Returns a number with three significant digits, as in texts.
  private static func short(_ value: Double) -> String {
    String(format: "%.3g", value).replacing("e+0", with: "e").replacing("e+", with: "e").replacing("e-0", with: "e-")
  }
}
