/// What every page begins and ends with. Its policy forbids the network, and every script and style but its own.
enum HTMLPage {
  /// - Parameters:
  ///   - title: plain text.
  ///   - body: HTML.
  static func text(title: String, body: String) -> String {
    let policy =
      "default-src 'none'; style-src \(ContentHash.source(of: style)); "
      + "script-src \(ContentHash.source(of: PageScript.text)); img-src data:; base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(HTMLText.escaped(title))</title>
      <link rel="icon" href="data:,">
      <style>\(style)</style>
      </head>
      <body>
      \(body)
      <script>\(PageScript.text)</script>
      </body>
      </html>

      """
  }

  /// Marks and patterns that charts refer to: colour is never all that tells two things apart.
  static let shapes: String = {
    let marks = [
      "<circle id=\"m0\" r=\"3\"/>", "<rect id=\"m1\" x=\"-2.8\" y=\"-2.8\" width=\"5.6\" height=\"5.6\"/>",
      "<path id=\"m2\" d=\"M0-3.6 3.4 2.8-3.4 2.8Z\"/>", "<path id=\"m3\" d=\"M0-3.8 3.8 0 0 3.8-3.8 0Z\"/>",
    ]
    let patterns = (0..<ChartDrawing.colors).map { index in
      let angle = [45, 0, 135, 90, 20, 70, 110, 160][index]
      return "<pattern id=\"h\(index)\" width=\"\(6 + index % 3)\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(\(angle))\"><rect class=\"g\(index)\" width=\"9\" height=\"6\"/>"
        + "<path class=\"c\(index)\" d=\"M0 0V6\"/></pattern>"
    }
    let out =
      "<pattern id=\"out\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      + "<path class=\"c8\" d=\"M0 0V6\"/></pattern>"
    return "<svg class=\"shapes\" aria-hidden=\"true\"><defs>" + (marks + patterns + [out]).joined() + "</defs></svg>"
  }()
}
