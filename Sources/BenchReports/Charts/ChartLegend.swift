/// The names of a panel's series and shades, with samples of their look.
enum ChartLegend {
  struct Entry {
    /// A drawing of 24 by 12 pixels.
    var sample: String
    var name: String
    /// The number of the series that the entry shows and hides; nil for an entry that does not.
    var series: Int?
    /// Whether the page's script hides the series at first.
    var isHiddenAtFirst = false
  }

  private static let (sampleWidth, sampleHeight) = (24.0, 12.0)

  /// Returns entries of a page. The script turns the entries of series into buttons.
  static func html(_ entries: [Entry]) -> String {
    let items = entries.map { entry in
      let sample = HTMLText.element(
        "svg",
        [("width", SVG.pixels(sampleWidth)), ("height", SVG.pixels(sampleHeight)), ("aria-hidden", "true")],
        content: entry.sample
      )
      var attributes = [("class", "key")]
      if let series = entry.series { attributes.append(("data-key", String(series))) }
      if entry.isHiddenAtFirst { attributes.append(("data-hidden", "true")) }
      return HTMLText.element("span", attributes, content: sample + HTMLText.escaped(entry.name))
    }
    return HTMLText.element("div", [("class", "legend")], content: items.joined(separator: " "))
  }

  /// Returns entries of a file, in rows.
  static func svg(_ entries: [Entry], at origin: SVG.Point, width: Double) -> (content: String, height: Double) {
    var parts: [String] = []
    var (x, y) = (0.0, 0.0)
    for entry in entries {
      let wanted = 30 + SVG.width(of: entry.name) + 16
      if x > 0, x + wanted > width { (x, y) = (0, y + 16) }
      let point = (origin.x + x, origin.y + y + 1)
      parts.append(SVG.frame(at: point, width: sampleWidth, height: sampleHeight, content: entry.sample))
      parts.append(SVG.text(entry.name, at: (point.0 + 30, point.1 + 10)))
      x += wanted
    }
    return (parts.joined(), y + 20)
  }
}

extension ChartLegend.Entry {
  init(_ series: ChartSeries, number: Int) {
    let mark = SVG.mark(series.style, x: "12", y: 6, series.markKind)
    let sample =
      switch series.shape {
      case .line: SVG.path([(0, 6), (24, 6)], series.kind) + (series.hasMarks ? mark : "")
      case .area: SVG.rectangle(at: (0.5, 1.5), width: 23, height: 9, series.kind)
      case .dots: mark
      }
    self.init(sample: sample, name: series.name, series: number, isHiddenAtFirst: series.isHiddenAtFirst)
  }

  init(shade: Int, name: String) {
    self.init(sample: SVG.rectangle(at: (0, 1), width: 24, height: 10, "shade q\(shade)"), name: name)
  }

  init(style: Int, name: String) {
    self.init(sample: SVG.rectangle(at: (0.5, 0.5), width: 23, height: 11, "a p\(style) c\(style)"), name: name)
  }
}

extension ChartSeries {
  /// The classes of the series' line or area.
  var kind: String {
    let style = style % ChartStyle.count
    return shape == .area ? "a p\(style) c\(style)" : "line \(dash.rawValue) c\(style)"
  }

  /// The classes of the series' marks.
  var markKind: String { (dash == .dotted ? "hollow " : "") + "c\(style % ChartStyle.count)" }
}
