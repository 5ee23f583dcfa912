internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// Draws a chart, for a page and for a file. `ChartStyle` has the colours, patterns and marks.
///
/// The plot of each panel is drawn once. Its paths are in a frame that stretches to the width of the plot; its texts
/// and marks, which keep their size, are at shares of that width. A page makes plots as wide as itself, and has titles
/// and legends in HTML. A file draws plots with a fixed width, and titles and legends in SVG.
///
/// The content of groups of class `z` moves when the script of a page zooms; it consists of paths with `x,y` pairs,
/// and of lines, marks and texts at shares of the width.
struct ChartDrawing {
  /// The largest distance, in pixels, at which two bars or two ticks are drawn as one.
  private static let finest = 0.3
  private static let right = 14.0
  /// The height of a row of bars, with its name above the bars.
  private static let rowHeight = 27.0
  /// The width, in pixels, for which names and labels are laid out if the page is narrow.
  private static let narrow = 290.0

  private let chart: Chart
  private let left: Double
  /// The width of a plot, in the units of its paths. In a file these are pixels.
  private let width: Double
  /// The number of series of the panels that were drawn.
  private var seriesCount = 0

  static func drawing(_ chart: Chart) -> Drawing {
    var drawing = ChartDrawing(chart)
    return drawing.draw()
  }

  private init(_ chart: Chart) {
    self.chart = chart
    left = chart.isSmall ? 54 : 66
    width = (chart.isSmall ? 320 : 880) - left - Self.right
  }

  /// A panel without its title and legend.
  private struct Plot {
    var title: String
    var legend: [ChartLegend.Entry]
    var height: Double
    var content: String
  }

  private mutating func draw() -> Drawing {
    var plots: [Plot] = []
    for panel in chart.panels { plots.append(plot(of: panel)) }
    let (file, height) = file(plots)
    return Drawing(
      width: left + width + Self.right,
      height: height,
      description: chart.description,
      content: file,
      isSmall: chart.isSmall,
      page: page(plots)
    )
  }

  private func x(_ value: Double) -> Double { chart.scale.share(of: value) * width }

  /// Returns the share of the plot's width at which a value is.
  private func share(_ value: Double) -> String { SVG.share(chart.scale.share(of: value)) }

  // MARK: Page and file

  private func page(_ plots: [Plot]) -> String {
    let isWide = !chart.isSmall
    var parts: [String] = []
    let names = bandNames(for: width)
    if !names.content.isEmpty {
      let narrow = isWide ? bandNames(for: Self.narrow) : names
      let isSame = narrow.height == names.height
      parts.append(element(names.content, height: names.height, kind: isSame ? "" : " roomy"))
      if !isSame { parts.append(element(narrow.content, height: narrow.height, kind: " tight")) }
    }
    for plot in plots {
      parts.append(HTMLText.element("p", [("class", "panel")], content: HTMLText.escaped(plot.title)))
      if !plot.legend.isEmpty { parts.append(ChartLegend.html(plot.legend)) }
      parts.append(element(plot.content, height: plot.height, label: "\(plot.title): \(chart.description)"))
    }
    parts.append(element(axis(), height: 36))
    let attributes = [
      ("class", isWide ? "chart" : "chart small"), ("role", "group"), ("aria-label", chart.description),
      ("tabindex", "0"), ("data-width", SVG.pixels(width)),
      ("data-range", "\(Self.short(chart.scale.low)) \(String(format: "%.9g", chart.scale.high))"),
      ("data-unit", chart.scale.unit.rawValue),
    ]
    return HTMLText.element("div", attributes, content: "\n" + parts.joined(separator: "\n") + "\n")
  }

  /// - Parameter label: A sentence for readers who do not see the plot; nil hides the plot from them.
  private func element(_ content: String, height: Double, kind: String = "", label: String? = nil) -> String {
    let sight = label.map { [("role", "img"), ("aria-label", $0)] } ?? [("aria-hidden", "true")]
    let attributes = [("class", "plot" + kind), ("height", SVG.pixels(height))] + sight
    return HTMLText.element("svg", attributes, content: content)
  }

  private func file(_ plots: [Plot]) -> (content: String, height: Double) {
    var parts: [String] = []
    var y = 4.0
    func append(_ height: Double, _ content: String) {
      parts.append(SVG.frame(at: (left, y), width: width, height: height, content: content))
      y += height
    }
    let names = bandNames(for: width)
    if !names.content.isEmpty { append(names.height, names.content) }
    for plot in plots {
      parts.append(SVG.text(plot.title, at: (0, y + 11), "title"))
      y += 18
      if !plot.legend.isEmpty {
        let legend = ChartLegend.svg(plot.legend, at: (left, y), width: width)
        parts.append(legend.content)
        y += legend.height
      }
      append(plot.height, plot.content)
      y += 8
    }
    append(36, axis())
    return (parts.joined(separator: "\n"), y)
  }

  // MARK: Around the panels

  /// Returns each name above the middle of its band, in the first of three rows with space for it, if there is one.
  /// - Parameter width: The width of the plot in pixels.
  private func bandNames(for width: Double) -> (height: Double, content: String) {
    var rowEnds: [Double] = []
    var names = ""
    for band in chart.bands {
      let wanted = SVG.width(of: band.name)
      let middle = (chart.scale.share(of: band.start) + chart.scale.share(of: band.end)) / 2 * width
      let start = max(0, min(middle - wanted / 2, width - wanted))
      let row = rowEnds.firstIndex { $0 + 8 <= start } ?? rowEnds.count
      guard row < 3 else { continue }
      if row == rowEnds.count { rowEnds.append(0) }
      rowEnds[row] = start + wanted
      let kind = band.isFaint ? "mid faint" : "mid"
      names += SVG.text(band.name, x: SVG.share((start + wanted / 2) / width), y: 12 + Double(row) * 15, kind)
    }
    return (Double(rowEnds.count) * 15 + 4, names.isEmpty ? "" : "<g class=\"z\">\(names)</g>")
  }

  /// Labels that would overlap the previous one are omitted, and more of them on a narrow page.
  private func axis() -> String {
    var (end, narrowEnd) = (-Double.infinity, -Double.infinity)
    // Pages shrink small charts to four fifths of their width.
    let width = chart.isSmall ? 0.8 * width : width
    var ticks = ""
    for tick in chart.scale.ticks.sorted(by: { $0.value < $1.value }) {
      let share = chart.scale.share(of: tick.value)
      let x = SVG.share(share)
      ticks += SVG.line(from: (x, "0"), to: (x, "4"), "tick")
      guard let name = tick.name else { continue }
      let half = SVG.width(of: name) / 2
      guard share * width - half > end else { continue }
      end = share * width + half + 4
      let isRoomy = !chart.isSmall && share * Self.narrow - half <= narrowEnd
      if !isRoomy { narrowEnd = share * Self.narrow + half + 4 }
      let place = share * width + half > width + Self.right ? "end" : "mid"
      ticks += SVG.text(name, x: x, y: 17, isRoomy ? "\(place) roomy" : place)
    }
    return "<g class=\"z axis\">\(ticks)</g>" + SVG.text(chart.axis, x: "50%", y: 31, "mid soft")
  }

  // MARK: Panels

  private mutating func plot(of panel: Chart.Panel) -> Plot {
    switch panel.content {
    case .series(let series, let scale, let map):
      plot(of: series, scale, over: map, titled: panel.title, note: panel.note)
    case .rows(let rows): plot(of: rows, titled: panel.title)
    }
  }

  /// Returns numbers for the series of a panel. No other series of the chart gets them.
  private mutating func takeNumbers(for series: [ChartSeries]) -> [Int] {
    defer { seriesCount += series.count }
    return Array(seriesCount..<seriesCount + series.count)
  }

  private mutating func plot(
    of series: [ChartSeries],
    _ scale: ChartScale,
    over map: HeatMap?,
    titled title: String,
    note: Chart.Note?
  ) -> Plot {
    let height = map.map { Double($0.rows) * $0.rowHeight } ?? (chart.isSmall ? 130.0 : 190)
    let numbers = takeNumbers(for: series)
    // Areas are drawn first, in the given order, so that lines stay visible.
    let order =
      series.indices.filter { series[$0].shape == .area } + series.indices.filter { series[$0].shape != .area }
    let curves = order.map { curve(series[$0], number: numbers[$0], scale, height: height) }
    var marks = curves.map(\.marks).joined()
    if let note {
      // The note is on that side of its point which has more space.
      let isLeft = chart.scale.share(of: note.point.x) > 0.5
      let y = (1 - scale.share(of: note.point.y)) * height - 5
      marks += SVG.text(note.text, x: share(note.point.x), y: y, isLeft ? "note end" : "note")
    }
    let (labels, grid) = grid(scale, height: height)
    let paths = (map?.paths(x: x) ?? []) + curves.map(\.path)
    let content = labels + panel(paths.joined(separator: "\n"), marks: marks, grid: grid, height: height)
    let shades = map?.legend.map { ChartLegend.Entry(shade: $0.shade, name: $0.name) }
    let entries = (shades ?? []) + zip(series, numbers).map { ChartLegend.Entry($0, number: $1) }
    return Plot(title: title, legend: entries.count > 1 ? entries : [], height: height, content: content)
  }

  private func plot(of rows: [Chart.Row], titled title: String) -> Plot {
    var paths = ""
    var names = ""
    for (index, row) in rows.enumerated() {
      let top = Double(index) * Self.rowHeight
      let middle = top + 20
      let color = row.isFaint ? "c\(ChartStyle.count)" : "c\(row.style % ChartStyle.count)"
      let (bars, ticks) = barsAndTicks(row)
      if !bars.isEmpty {
        let d = bars.map { SVG.commands([($0.start, middle), ($0.end, middle)]) }.joined()
        paths += HTMLText.element("path", [("class", "bar \(color)"), ("d", d)])
      }
      if row.hasTicks {
        let d = ticks.map { SVG.commands([($0, middle - 5), ($0, middle + 5)]) }.joined()
        paths += HTMLText.element("path", [("class", "mark \(color)"), ("d", d)])
      }
      names += SVG.text(row.name, at: (5, top + 12), "note")
    }
    let height = Double(rows.count) * Self.rowHeight
    return Plot(title: title, legend: [], height: height, content: panel(paths, height: height) + names)
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

  /// Returns the labels of a vertical axis and the lines at its ticks.
  private func grid(_ scale: ChartScale, height: Double) -> (labels: String, lines: String) {
    var (labels, lines) = ("", "")
    for tick in scale.ticks {
      let y = (1 - scale.share(of: tick.value)) * height
      guard y >= -0.5 else { continue }
      lines += SVG.path([(0, y), (width, y)], tick.name == nil ? "grid soft" : "grid")
      if let name = tick.name { labels += SVG.text(name, at: (-6, y + 4), "end") }
    }
    return (labels, lines)
  }

  /// Returns bands, grid, content and frame of a panel. All but the frame is clipped at the panel's edges.
  private func panel(_ paths: String, marks: String = "", grid: String = "", height: Double) -> String {
    let stretched = SVG.stretched(
      width: width,
      height: height + 1,
      content: "<g class=\"z\">\(bands(height: height))</g>\(grid)\n<g class=\"z\">\(paths)</g>"
    )
    let clipped = HTMLText.element(
      "svg",
      [("width", "100%"), ("height", SVG.pixels(height + 1))],
      content: stretched + (marks.isEmpty ? "" : "<g class=\"z\">\(marks)</g>")
    )
    let (bottom, zero) = (SVG.pixels(height), "0")
    return clipped + SVG.line(from: (zero, zero), to: (zero, bottom), "frame")
      + SVG.line(from: (zero, bottom), to: ("100%", bottom), "frame")
  }

  private func bands(height: Double) -> String {
    chart.bands.enumerated().map { index, band in
      let (start, end) = (x(band.start), x(band.end))
      let kind = band.isFaint ? "band out" : index.isMultiple(of: 2) ? "band even" : "band odd"
      return SVG.path([(start, height), (start, 0), (end, 0), (end, height), (start, height)], kind)
        + (index > 0 ? SVG.path([(start, 0), (start, height)], "edge") : "")
    }.joined()
  }

  private func curve(
    _ series: ChartSeries,
    number: Int,
    _ scale: ChartScale,
    height: Double
  ) -> (path: String, marks: String) {
    let range = min(chart.scale.low, chart.scale.high)...max(chart.scale.low, chart.scale.high)
    let thinned = series.thinned(columns: Int(saturating: width), range: range)
    let ys = thinned.points.map { (1 - max(0, scale.share(of: $0.y))) * height }
    var d = ""
    var previous: ChartSeries.Point?
    for (point, y) in zip(thinned.points, ys) {
      let breaks = previous.map { point.x - $0.x > thinned.breaksAfter ?? .infinity } ?? true
      d += (breaks && series.shape != .area ? "M" : "L") + SVG.pair((x(point.x), y))
      previous = point
    }
    if series.shape == .area, let first = thinned.points.first, let last = thinned.points.last {
      d = "M" + SVG.pair((x(first.x), height)) + d + "L" + SVG.pair((x(last.x), height)) + "Z"
    }
    let line = HTMLText.element(
      "path",
      [
        ("class", series.shape == .dots ? "unseen" : series.kind), ("d", d), ("data-series", "\(number)"),
        ("data-name", series.name), ("data-unit", scale.unit.rawValue),
        ("data-y", thinned.points.map { Self.short($0.y) }.joined(separator: " ")),
      ]
    )
    guard series.shape != .area, series.hasMarks else { return (line, "") }
    // Dots mark every point. A line has a few marks, at points that depend on its style.
    let every = series.shape == .dots ? 1 : max(1, ys.count / 7)
    let first = series.shape == .dots ? 0 : (every * (series.style % 5)) / 5
    let marks = stride(from: first, to: ys.count, by: every).map { index in
      SVG.mark(series.style, x: share(thinned.points[index].x), y: ys[index], series.markKind)
    }
    return (line, HTMLText.element("g", [("data-series", "\(number)")], content: marks.joined()))
  }

  /// Returns a number with three significant digits, as in texts.
  private static func short(_ value: Double) -> String {
    String(format: "%.3g", value).replacing("e+0", with: "e").replacing("e+", with: "e").replacing("e-0", with: "e-")
  }
}
