internal import HarnessPrimitives

/// Elements of SVG. Coordinates are rounded to a tenth of a pixel.
enum SVG {
  typealias Point = (x: Double, y: Double)

  /// A line through points.
  static func path(_ points: [Point], _ kind: String) -> String {
    HTMLText.element("path", [("class", kind), ("d", commands(points))])
  }

  /// A dot of a small line.
  static func dot(at point: Point) -> String {
    HTMLText.element("circle", [("cx", pixels(point.x)), ("cy", pixels(point.y)), ("r", "2.5")])
  }

  /// The `d` of a path through points.
  static func commands(_ points: [Point]) -> String {
    points.enumerated().map { ($0.offset == 0 ? "M" : "L") + pair($0.element) }.joined()
  }

  static func pair(_ point: Point) -> String { pixels(point.x) + "," + pixels(point.y) }

  /// A horizontal position as a share, 0 to 1, of the width of the frame around it.
  static func share(_ share: Double) -> String {
    let hundredths = Int(saturating: (share * 10_000).rounded())
    let (whole, rest) = ((hundredths / 100).magnitude, (hundredths % 100).magnitude)
    let fraction = rest == 0 ? "" : rest.isMultiple(of: 10) ? ".\(rest / 10)" : (rest < 10 ? ".0" : ".") + "\(rest)"
    return (hundredths < 0 ? "-" : "") + "\(whole)" + fraction + "%"
  }

  /// A line between two points in pixels or shares.
  static func line(from start: (x: String, y: String), to end: (x: String, y: String), _ kind: String) -> String {
    HTMLText.element(
      "line",
      [("class", kind), ("x1", start.x), ("y1", start.y), ("x2", end.x), ("y2", end.y)]
    )
  }

  /// - Parameter text: plain text.
  static func text(_ text: String, at point: Point, _ kind: String = "") -> String {
    self.text(text, x: pixels(point.x), y: point.y, kind)
  }

  /// - Parameters:
  ///   - text: plain text.
  ///   - x: in pixels, or a share.
  static func text(_ text: String, x: String, y: Double, _ kind: String = "") -> String {
    let attributes = [("x", x), ("y", pixels(y))]
    return HTMLText.element(
      "text",
      kind.isEmpty ? attributes : attributes + [("class", kind)],
      content: HTMLText.escaped(text)
    )
  }

  /// One of the marks of `ChartStyle.shapes`.
  static func mark(_ style: Int, at point: Point, _ kind: String) -> String {
    mark(style, x: pixels(point.x), y: point.y, kind)
  }

  /// - Parameter x: in pixels, or a share.
  static func mark(_ style: Int, x: String, y: Double, _ kind: String) -> String {
    HTMLText.element("use", [("href", "#m\(style % 4)"), ("x", x), ("y", pixels(y)), ("class", kind)])
  }

  static func rectangle(at point: Point, width: Double, height: Double, _ kind: String) -> String {
    HTMLText.element("rect", [("class", kind)] + box(at: point, width: width, height: height))
  }

  private static func box(at point: Point, width: Double, height: Double) -> [(String, String)] {
    [("x", pixels(point.x)), ("y", pixels(point.y)), ("width", pixels(width)), ("height", pixels(height))]
  }

  /// A part of a drawing that is clipped at its edges.
  static func window(at point: Point, width: Double, height: Double, content: String) -> String {
    let view = [("viewBox", "0 0 \(pixels(width)) \(pixels(height))")]
    return HTMLText.element("svg", box(at: point, width: width, height: height) + view, content: "\n\(content)\n")
  }

  /// A part of a drawing with its own coordinates. Its content may reach beyond its edges.
  static func frame(at point: Point, width: Double, height: Double, content: String) -> String {
    let attributes = box(at: point, width: width, height: height) + [("overflow", "visible")]
    return HTMLText.element("svg", attributes, content: content)
  }

  /// A drawing that is as wide as the frame around it, whatever its own width is.
  static func stretched(width: Double, height: Double, content: String) -> String {
    let attributes = [
      ("width", "100%"), ("height", pixels(height)), ("viewBox", "0 0 \(pixels(width)) \(pixels(height))"),
      ("preserveAspectRatio", "none"),
    ]
    return HTMLText.element("svg", attributes, content: content)
  }

  /// Elements with a tooltip.
  static func group(titled title: String, _ elements: [String]) -> String {
    HTMLText.element("g", content: HTMLText.element("title", content: HTMLText.escaped(title)) + elements.joined())
  }

  static func pixels(_ value: Double) -> String {
    let tenths = Int(saturating: (value * 10).rounded())
    let whole = "\(tenths < 0 && tenths > -10 ? "-" : "")\(tenths / 10)"
    return tenths.isMultiple(of: 10) ? whole : whole + ".\((tenths % 10).magnitude)"
  }

  /// Returns the estimated width of a text in pixels, from the width of an average character of the charts' font.
  static func width(of text: String) -> Double { Double(text.count) * 6.4 }
}

/// A drawing without its root element. A page or a file adds the root element.
struct Drawing {
  var width: Double
  var height: Double
  /// A sentence for readers who do not see the drawing.
  var description: String
  /// SVG elements.
  var content: String
  var isSmall = false
  /// The drawing in HTML, which fits every width; nil for a drawing that a page scales as a whole.
  var page: String?

  /// The drawing as an element of a page.
  var pageElement: String {
    if let page { return page }
    let attributes = [
      ("class", isSmall ? "chart drawing small" : "chart drawing"),
      ("viewBox", "0 0 \(SVG.pixels(width)) \(SVG.pixels(height))"),
      ("role", "img"), ("aria-label", description),
    ]
    return HTMLText.element("svg", attributes, content: "\n\(content)\n")
  }
}

/// Drawings as an SVG file for a Markdown report. The file is self-contained and supports dark mode.
struct SVGFile {
  /// The file's name, relative to the report.
  var name: String
  /// The alternative text of the picture in the report.
  var alternative: String
  /// The heading in the picture.
  var heading: String
  var rows: [[Drawing]]

  private static let margin = 12.0
  private static let headHeight = 34.0
  private static let gap = 20.0

  var text: String {
    var windows: [String] = []
    var width = 0.0
    var y = Self.margin + Self.headHeight
    for row in rows {
      var x = Self.margin
      for drawing in row {
        windows.append(SVG.window(at: (x, y), width: drawing.width, height: drawing.height, content: drawing.content))
        x += drawing.width + Self.gap
      }
      width = max(width, x - Self.gap + Self.margin)
      y += (row.map(\.height).max() ?? 0) + Self.gap
    }
    let height = y - Self.gap + Self.margin
    let head = SVG.text(InertText.shortened(heading, to: 60), at: (Self.margin, Self.margin + 16), "head")
    let root = [
      ("xmlns", "http://www.w3.org/2000/svg"), ("viewBox", "0 0 \(SVG.pixels(width)) \(SVG.pixels(height))"),
      ("width", SVG.pixels(width)), ("height", SVG.pixels(height)), ("role", "img"), ("aria-label", alternative),
    ]
    let parts = [
      HTMLText.element("style", content: ChartStyle.fileStyle), ChartStyle.shapes,
      SVG.rectangle(at: (0, 0), width: width, height: height, "ground"),
      HTMLText.element("g", [("class", "chart")], content: ([head] + windows).joined(separator: "\n")),
    ]
    return HTMLText.element("svg", root, content: "\n" + parts.joined(separator: "\n") + "\n") + "\n"
  }
}

extension ClosedRange<Double> {
  /// Returns the share of the range that is below a value of it; 0.5 for a range of one value.
  func share(below value: Double) -> Double {
    // Halves, so that the difference of the greatest numbers does not overflow.
    let half = upperBound / 2 - lowerBound / 2
    return half > 0 ? (value / 2 - lowerBound / 2) / half : 0.5
  }
}
