/// The look of charts, on pages and in files.
enum ChartStyle {
  /// The number of styles of a series: `c0` to `c7` for lines and marks, `p0` to `p7` for areas.
  static let count = 8

  /// The colours by name, on a light and on a dark ground. The contrast of a text to its ground is at least 4.5, that
  /// of a series' line at least 3.
  private static let colors: [(name: String, light: String, dark: String)] = [
    ("ground", "#fff", "#0d1117"), ("ink", "#1f2328", "#e6edf3"), ("soft", "#57606a", "#9da7b3"),
    ("rule", "#d0d7de", "#3d444d"), ("shade", "#f6f8fa", "#161b22"), ("link", "#0550ae", "#79b8ff"),
    ("even", "#eef1f5", "#1a212b"), ("odd", "#f8f9fb", "#131920"),
    ("c0", "#0072b2", "#5eb0ef"), ("c1", "#c24e00", "#f59a5c"), ("c2", "#00805e", "#45c39b"),
    ("c3", "#a23b8c", "#e08fd0"), ("c4", "#7a5c00", "#d5b04a"), ("c5", "#444c56", "#b6bec8"),
    ("c6", "#6639ba", "#b394f5"), ("c7", "#c4261d", "#ff8078"), ("c8", "#6e7781", "#8b949e"),
    ("g0", "#d3e6f4", "#12324b"), ("g1", "#fbe3d2", "#47290f"), ("g2", "#d2eee5", "#0c3a2e"),
    ("g3", "#f3dcee", "#421f3a"), ("g4", "#f0e6c8", "#3a2f0c"), ("g5", "#e2e5e9", "#2b313a"),
    ("g6", "#e6ddf7", "#2f2252"), ("g7", "#fadbd8", "#4a1a18"),
    // The shades of a heat map. Each differs from the ground by a contrast of at least 1.5.
    ("q1", "#a9cbe3", "#1d456e"), ("q2", "#86b5d8", "#25578b"), ("q3", "#629dca", "#2f6ca9"),
    ("q4", "#4184b8", "#4386c6"), ("q5", "#266a9f", "#68a5dd"), ("q6", "#124f80", "#98c5ee"),
    ("q7", "#06325a", "#d3e7fa"),
  ]

  /// The declarations of the colours as variables of a page's style.
  static func variables(isDark: Bool) -> String {
    colors.map { "--\($0.name):\(isDark ? $0.dark : $0.light);" }.joined()
  }

  /// The style of a file: `rules` with the colours themselves, because not every viewer of SVG knows variables.
  static let fileStyle: String = {
    func resolved(isDark: Bool) -> String {
      colors.reduce(rules) { $0.replacing("var(--\($1.name))", with: isDark ? $1.dark : $1.light) }
    }
    return resolved(isDark: false) + "@media (prefers-color-scheme:dark){" + resolved(isDark: true) + "}"
  }()

  static let rules = """

    .chart text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;fill:var(--ink);
    user-select:none}.chart text.title{font-weight:600}.chart text.soft,.chart text.faint{fill:var(--soft)}
    .chart text.head{font-size:17px}
    .chart text.note{paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}
    .chart text.halo{paint-order:stroke;stroke:var(--ground);stroke-width:5px;stroke-linejoin:round}
    .chart .end{text-anchor:end}.chart .mid{text-anchor:middle}
    .chart path{fill:none}.grid,.tick,.frame{stroke:var(--rule)}.grid.soft{stroke-dasharray:1 4}
    .tick,.frame{stroke:var(--soft)}.ground{fill:var(--ground)}
    .line{stroke-width:1.6;stroke-linejoin:round}.dashed{stroke-dasharray:6 3}.dotted{stroke-dasharray:1.5 3}
    .bar{stroke-width:8}.mark{stroke-width:1.6}.chart path.a,.chart rect.a{stroke-width:1}
    .chart path.band{stroke:none}.chart path.even{fill:var(--even)}.chart path.odd{fill:var(--odd)}
    .chart path.out{fill:url(#out);opacity:.35}.edge{stroke:var(--soft);stroke-dasharray:4 3}
    .unseen{stroke:none}pattern path{stroke-width:1.4;opacity:.55}
    use{stroke:none}.dot{fill:var(--ink);stroke:var(--ground);stroke-width:.8}

    """ + (0...count).map { ".c\($0){stroke:var(--c\($0))}use.c\($0){fill:var(--c\($0))}" }.joined()
    + (0..<count).map { ".g\($0){fill:var(--g\($0))}.chart .p\($0){fill:url(#h\($0))}" }.joined()
    + (1...HeatMap.shades).map { ".q\($0){stroke:var(--q\($0))}.shade.q\($0){stroke:none;fill:var(--q\($0))}" }.joined()
    + ".heat{shape-rendering:crispEdges}use.hollow{fill:var(--ground);stroke-width:1.2}.dot.hollow{stroke:var(--ink)}"

  /// Marks and patterns that drawings refer to, so that series differ by more than colour. There are four marks.
  static let shapes: String = {
    let marks = [
      "<circle id=\"m0\" r=\"3\"/>", "<rect id=\"m1\" x=\"-2.8\" y=\"-2.8\" width=\"5.6\" height=\"5.6\"/>",
      "<path id=\"m2\" d=\"M0-3.6 3.4 2.8-3.4 2.8Z\"/>", "<path id=\"m3\" d=\"M0-3.8 3.8 0 0 3.8-3.8 0Z\"/>",
    ]
    let patterns = (0..<count).map { index in
      // The first four are 45° apart, and the others lie between them.
      let angle = [45, 0, 135, 90, 20, 70, 110, 160][index]
      return "<pattern id=\"h\(index)\" width=\"\(6 + index % 3)\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        + "patternTransform=\"rotate(\(angle))\"><rect class=\"g\(index)\" width=\"9\" height=\"6\"/>"
        + "<path class=\"c\(index)\" d=\"M0 0V6\"/></pattern>"
    }
    let out =
      "<pattern id=\"out\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
      + "<path class=\"c8\" d=\"M0 0V6\"/></pattern>"
    return "<defs>" + (marks + patterns + [out]).joined() + "</defs>"
  }()
}
