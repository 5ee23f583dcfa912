internal import Foundation
internal import NumericConversion

/// A chart as SVG inside of a page. Colours, patterns and marks are the page's.
///
/// What stands in groups of class `z` moves when the page's script zooms; it is made of paths with `x,y` pairs, marks
/// and text only.
struct ChartDrawing {
  static let colors = 8

  private let chart: Chart
  private let number: Int
  private let width: Double
  private let left: Double
  private let right: Double
  private var y = 4.0
  private var parts: [String] = []

  /// - Parameter number: of the chart on its page.
  static func svg(_ chart: Chart, number: Int) -> String {
    var drawing = ChartDrawing(chart, number)
    return drawing.whole()
  }

  private init(_ chart: Chart, _ number: Int) {
    self.chart = chart
    self.number = number
    width = chart.isSmall ? 320 : 880
    left = chart.isSmall ? 54 : 66
    let hasRows = chart.panels.contains { if case .rows = $0.content { true } else { false } }
    right = hasRows ? 176 : 14
  }

  private var plotWidth: Double { width - left - right }

  private func x(_ value: Double) -> Double { left + chart.scale.share(of: value) * plotWidth }

  private mutating func whole() -> String {
    placeBandNames()
    for panel in chart.panels {
      switch panel.content {
      case .series(let series, let scale): draw(series, scale, panel.title)
      case .rows(let rows): draw(rows, panel.title)
      }
    }
    drawAxis()
    let attributes = [
      ("class", chart.isSmall ? "chart small" : "chart"),
      ("viewBox", "0 0 \(HTMLText.whole(width)) \(HTMLText.whole(y))"), ("role", "img"),
      ("aria-label", chart.description), ("tabindex", "0"),
      ("data-plot", "\(HTMLText.whole(left)) \(HTMLText.whole(width - right))"),
      ("data-range", "\(Self.short(chart.scale.low)) \(PlotSeries.written(chart.scale.high))"),
      ("data-unit", chart.scale.unit.rawValue), ("data-foot", "\(HTMLText.whole(y - 34))"),
    ]
    return HTMLText.element("svg", attributes, "\n" + parts.joined(separator: "\n") + "\n")
  }

  // MARK: Around the panels

  /// Each name stands where its band begins, in the first row that has room.
  private mutating func placeBandNames() {
    var rowEnds: [Double] = []
    var names = ""
    for band in chart.bands {
      let wanted = Self.textWidth(band.name)
      let start = max(left, min(x(band.start), width - right - wanted))
      let row = rowEnds.firstIndex { $0 + 8 <= start } ?? rowEnds.count
      guard row < 3 else { continue }
      if row == rowEnds.count { rowEnds.append(0) }
      rowEnds[row] = start + wanted
      names += text(band.name, x: start, y: 12 + Double(row) * 15, band.isFaint ? "faint" : "")
    }
    if !names.isEmpty {
      parts.append("<g class=\"z\">\(names)</g>")
      y += Double(rowEnds.count) * 15 + 4
    }
  }

  private mutating func drawAxis() {
    // Of names that would run into each other the later one is left out.
    var end = -Double.infinity
    var ticks = ""
    for tick in chart.scale.ticks.sorted(by: { $0.value < $1.value }) {
      let place = x(tick.value)
      ticks += path([(place, y), (place, y + 4)], "tick")
      guard let name = tick.name, place - Self.textWidth(name) / 2 > end else { continue }
      ticks += text(name, x: place, y: y + 17, "mid")
      end = place + Self.textWidth(name) / 2 + 4
    }
    parts.append("<g class=\"z axis\">\(ticks)</g>")
    parts.append(text(chart.axis, x: left + plotWidth / 2, y: y + 31, "mid soft"))
    y += 36
  }

  private mutating func legend(_ series: [ChartSeries]) {
    guard series.count > 1 else { return }
    var place = left
    var row = ""
    for one in series {
      let wanted = 30 + Self.textWidth(one.name) + 16
      if place + wanted > width, place > left {
        place = left
        y += 16
      }
      let middle = y + 7
      switch one.shape {
      case .line: row += path([(place, middle), (place + 24, middle)], lineClass(one)) + mark(one, place + 12, middle)
      case .area:
        row += Self.element(
          "path",
          one.style,
          "a",
          Self.d([
            (place, y + 12), (place, y + 2), (place + 24, y + 2),
            (place + 24, y + 12),
          ]) + "Z"
        )
      case .dots: row += mark(one, place + 12, middle)
      }
      row += text(one.name, x: place + 30, y: y + 11)
      place += wanted
    }
    parts.append(row)
    y += 20
  }

  // MARK: Panels

  private mutating func draw(_ series: [ChartSeries], _ scale: ChartScale, _ title: String) {
    parts.append(text(title, x: 0, y: y + 11, "title"))
    y += 18
    legend(series)
    let height = chart.isSmall ? 130.0 : 190
    let (top, bottom) = (y, y + height)
    var grid = ""
    for tick in scale.ticks {
      let place = bottom - scale.share(of: tick.value) * height
      guard place >= top - 0.5 else { continue }
      grid += path([(left, place), (width - right, place)], tick.name == nil ? "grid soft" : "grid")
      if let name = tick.name { grid += text(name, x: left - 6, y: place + 4, "end") }
    }
    parts.append(grid)
    // Areas first, the largest behind, so that lines stay visible.
    let order = series.filter { $0.shape == .area } + series.filter { $0.shape != .area }
    let drawn = order.map { curve($0, scale, top, bottom) }.joined(separator: "\n")
    append(bands(from: top, to: bottom), drawn, from: top, to: bottom)
    y = bottom + 8
  }

  private mutating func draw(_ rows: [Chart.Row], _ title: String) {
    parts.append(text(title, x: 0, y: y + 11, "title"))
    y += 18
    let (top, height) = (y, 18.0)
    var drawn = ""
    for row in rows {
      let middle = y + height / 2
      let color = row.isFaint ? "c8" : "c\(row.style % Self.colors)"
      let bars = row.spans.filter { $0.end > $0.start }
      let barPath = bars.map { Self.d([(x($0.start), middle), (x($0.end), middle)]) }.joined()
      if !barPath.isEmpty { drawn += HTMLText.element("path", [("class", "bar \(color)"), ("d", barPath)]) }
      if row.isTicks {
        let ticks = row.spans.map { Self.d([(x($0.start), middle - 6), (x($0.start), middle + 6)]) }.joined()
        drawn += HTMLText.element("path", [("class", "mark \(color)"), ("d", ticks)])
      }
      parts.append(text(row.name, x: width - right + 8, y: middle + 4))
      y += height
    }
    append(bands(from: top, to: y), drawn, from: top, to: y)
    y += 8
  }

  private mutating func append(_ bands: String, _ drawn: String, from top: Double, to bottom: Double) {
    let clip = "k\(number)-\(parts.count)"
    parts.append(
      "<clipPath id=\"\(clip)\"><rect x=\"\(HTMLText.whole(left))\" y=\"\(HTMLText.whole(top))\" "
        + "width=\"\(HTMLText.whole(plotWidth) + 1)\" "
        + "height=\"\(HTMLText.whole((bottom - top).rounded(.up)) + 1)\"/></clipPath>"
    )
    parts.append("<g clip-path=\"url(#\(clip))\"><g class=\"z\">\n\(bands)\(drawn)</g></g>")
    parts.append(path([(left, top), (left, bottom), (width - right, bottom)], "frame"))
  }

  private func bands(from top: Double, to bottom: Double) -> String {
    chart.bands.enumerated().map { place, band in
      let (start, end) = (x(band.start), x(band.end))
      let corners = Self.d([(start, bottom), (start, top), (end, top), (end, bottom)]) + "Z"
      let kind = band.isFaint ? "band out" : place.isMultiple(of: 2) ? "band even" : "band odd"
      return HTMLText.element("path", [("class", kind), ("d", corners)])
        + (place > 0 ? path([(start, top), (start, bottom)], "edge") : "")
    }.joined()
  }

  private func curve(_ series: ChartSeries, _ scale: ChartScale, _ top: Double, _ bottom: Double) -> String {
    let range = min(chart.scale.low, chart.scale.high)...max(chart.scale.low, chart.scale.high)
    let points = ChartSeries.thinned(series.points, columns: HTMLText.whole(plotWidth), range: range)
    var d = ""
    var previous: PlotSeries.Point?
    let placed = points.points.map { point in
      (x(point.x), bottom - max(0, scale.share(of: point.y)) * (bottom - top))
    }
    for (point, place) in zip(points.points, placed) {
      let breaks = previous.map { point.x - $0.x > points.breaksAfterSeconds ?? .infinity } ?? true
      d += (breaks && series.shape != .area ? "M" : "L") + Self.pair(place)
      previous = point
    }
    if series.shape == .area, let first = placed.first, let last = placed.last {
      d = "M" + Self.pair((first.0, bottom)) + d + "L" + Self.pair((last.0, bottom)) + "Z"
    }
    let values = points.points.map { Self.short($0.y) }.joined(separator: " ")
    let kind =
      switch series.shape {
      case .area: "a p\(series.style % Self.colors) c\(series.style % Self.colors)"
      case .line: lineClass(series)
      case .dots: "unseen"
      }
    let line = HTMLText.element(
      "path",
      [("class", kind), ("d", d), ("data-name", series.name), ("data-unit", scale.unit.rawValue), ("data-y", values)]
    )
    guard series.shape != .area else { return line }
    // A few marks on a line, each series' at other places.
    let every = series.shape == .dots ? 1 : max(1, placed.count / 7)
    let first = series.shape == .dots ? 0 : (every * (series.style % 5)) / 5
    return line
      + stride(from: first, to: placed.count, by: every).map { mark(series, placed[$0].0, placed[$0].1) }
      .joined()
  }

  // MARK: Pieces

  private func lineClass(_ series: ChartSeries) -> String {
    "line \(series.dash.rawValue) c\(series.style % Self.colors)"
  }

  private func mark(_ series: ChartSeries, _ x: Double, _ y: Double) -> String {
    HTMLText.element(
      "use",
      [
        ("href", "#m\(series.style % 4)"), ("x", Self.pixels(x)), ("y", Self.pixels(y)),
        ("class", (series.dash == .dotted ? "hollow " : "") + "c\(series.style % Self.colors)"),
      ]
    )
  }

  private func path(_ points: [(Double, Double)], _ kind: String) -> String {
    HTMLText.element("path", [("class", kind), ("d", Self.d(points))])
  }

  private func text(_ text: String, x: Double, y: Double, _ kind: String = "") -> String {
    let place = [("x", Self.pixels(x)), ("y", Self.pixels(y))]
    return HTMLText.element("text", kind.isEmpty ? place : place + [("class", kind)], HTMLText.escaped(text))
  }

  private static func element(_ name: String, _ style: Int, _ kind: String, _ d: String) -> String {
    HTMLText.element(name, [("class", "\(kind) p\(style % colors) c\(style % colors)"), ("d", d)])
  }

  private static func d(_ points: [(Double, Double)]) -> String {
    points.enumerated().map { ($0.offset == 0 ? "M" : "L") + pair($0.element) }.joined()
  }

  private static func pair(_ point: (Double, Double)) -> String { pixels(point.0) + "," + pixels(point.1) }

  /// To a tenth of a pixel.
  private static func pixels(_ value: Double) -> String {
    let tenths = Int(saturating: (value * 10).rounded())
    let whole = "\(tenths < 0 && tenths > -10 ? "-" : "")\(tenths / 10)"
    return tenths.isMultiple(of: 10) ? whole : whole + ".\(abs(tenths % 10))"
  }

  /// Three significant digits, as all figures have.
  private static func short(_ value: Double) -> String {
    String(format: "%.3g", value).replacing("e+0", with: "e").replacing("e+", with: "e").replacing("e-0", with: "e-")
  }

  /// Of the average character of a sans font of 12 pixels.
  static func textWidth(_ text: String) -> Double { Double(text.count) * 6.4 }
}
