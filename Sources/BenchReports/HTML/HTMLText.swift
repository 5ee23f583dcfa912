internal import HarnessPrimitives

/// Text for HTML and SVG.
enum HTMLText {
  /// Returns the text for use between tags or between the quotes of an attribute, without markup and without characters
  /// that change the direction of the text around it.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in InertText.line(text) {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Returns an element. The values of its attributes are escaped, its content is not.
  /// - Parameter content: HTML; nil for an element without content.
  static func element(_ name: String, _ attributes: [(String, String)] = [], content: String? = nil) -> String {
    let written = attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
    return content.map { "<\(name)\(written)>\($0)</\(name)>" } ?? "<\(name)\(written)/>"
  }
}

extension ReportText {
  var html: String {
    switch self {
    case .literal(let text), .text(let text): HTMLText.escaped(text)
    case .code(let text): HTMLText.element("code", content: HTMLText.escaped(text))
    case .strong(let text): HTMLText.element("strong", content: text.html)
    case .faint(let text): HTMLText.element("span", [("class", "faint")], content: text.html)
    case .line(let text): HTMLText.element("span", [("class", "second")], content: text.html)
    case .report(let text, let path): HTMLText.element("a", [("href", path + ".html")], content: text.html)
    case .file(let path): HTMLText.element("a", [("href", path)], content: HTMLText.escaped(PathParts(path).name))
    case .toned(let text, let tone):
      HTMLText.element("span", [("class", "toned \(tone.rawValue)")], content: text.html)
    case .gauge(let share, let tone): Self.gauge(share, tone)
    case .curve(let values): Self.curve(values)
    case .sequence(let parts): parts.map(\.html).joined()
    }
  }

  /// The text without markup.
  var plain: String {
    switch self {
    case .literal(let text), .text(let text), .code(let text): InertText.line(text)
    case .strong(let text), .faint(let text), .report(let text, _), .toned(let text, _): text.plain
    case .line(let text): " " + text.plain
    case .file(let path): PathParts(path).name
    case .gauge, .curve: ""
    case .sequence(let parts): parts.map(\.plain).joined()
    }
  }

  /// Returns a line with a dot at the last value.
  private static func curve(_ values: [Double]) -> String {
    let (width, height, margin) = (90.0, 18.0, 3.0)
    guard let low = values.min(), let high = values.max() else { return "" }
    let step = (width - 2 * margin) / Double(max(values.count - 1, 1))
    let points = values.enumerated().map { index, value -> SVG.Point in
      let share = (low...high).share(below: value)
      return (margin + Double(index) * step, height - margin - share * (height - 2 * margin))
    }
    let dot = points[points.count - 1]
    return HTMLText.element(
      "svg",
      [
        ("class", "spark small"), ("viewBox", "0 0 \(SVG.pixels(width)) \(SVG.pixels(height))"),
        ("aria-hidden", "true"),
      ],
      content: SVG.path(points, "line") + SVG.dot(at: dot)
    )
  }

  /// Returns a bar with a mark at the limit, which is at two thirds of the width, so that a larger value is visible.
  private static func gauge(_ share: Double, _ tone: ReportSection.Tone) -> String {
    let (width, limit, height) = (90.0, 60.0, 10.0)
    let bars = [
      SVG.rectangle(at: (0, 2), width: width, height: 6, "track"),
      SVG.rectangle(at: (0, 2), width: min(max(share * limit, 1), width), height: 6, "fill"),
      SVG.rectangle(at: (limit - 1, 0), width: 2, height: height, "limit"),
    ]
    return HTMLText.element(
      "svg",
      [
        ("class", "gauge \(tone.rawValue)"), ("viewBox", "0 0 \(SVG.pixels(width)) \(SVG.pixels(height))"),
        ("width", SVG.pixels(width)), ("height", SVG.pixels(height)), ("aria-hidden", "true"),
      ],
      content: bars.joined()
    )
  }
}
