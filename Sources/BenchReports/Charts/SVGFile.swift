/// Drawings as an SVG file for a Markdown report. The file needs nothing else, and is dark where its viewer is.
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
        windows.append(
          SVG.window(at: (x, y), width: drawing.width, height: drawing.height, content: drawing.content)
        )
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
      HTMLText.element("style", [], ChartStyle.fileStyle), ChartStyle.shapes,
      SVG.rectangle(at: (0, 0), width: width, height: height, "ground"),
      HTMLText.element("g", [("class", "chart")], ([head] + windows).joined(separator: "\n")),
    ]
    return HTMLText.element("svg", root, "\n" + parts.joined(separator: "\n") + "\n") + "\n"
  }
}
