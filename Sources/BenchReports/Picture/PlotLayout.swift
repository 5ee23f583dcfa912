/// Where the panels of the picture stand, in pixels from its upper left corner.
struct PlotLayout {
  static let width = 1_120
  private static let left = 92
  private static let right = 186
  private static let panelHeight = 220
  private static let rowHeight = 19
  private static let gap = 16
  private static let labelRowHeight = 18
  private static let titleHeight = 40
  private static let bottom = 52

  struct Panel {
    var top: Int
    var bottom: Int
  }

  private(set) var height: Int
  private(set) var wal: Panel?
  private(set) var strip: Panel?
  private(set) var latency: Panel?

  /// - Parameters:
  ///   - labelRows: rows of phase names above the panels.
  ///   - stripRows: rows of the strip between the panels.
  init(labelRows: Int, hasWAL: Bool, stripRows: Int, hasLatency: Bool) {
    var y = Self.titleHeight + labelRows * Self.labelRowHeight + 4
    func panel(_ height: Int) -> Panel {
      defer { y += height + Self.gap }
      return Panel(top: y, bottom: y + height)
    }
    if hasWAL { wal = panel(Self.panelHeight) }
    if stripRows > 0 { strip = panel(stripRows * Self.rowHeight) }
    if hasLatency { latency = panel(Self.panelHeight) }
    height = y - Self.gap + Self.bottom
  }

  static var plotWidth: Int { width - left - right }

  /// The commands that put the next plot there.
  func commands(for panel: Panel) -> [String] {
    func share(_ part: Int, of whole: Int) -> String { PlotSeries.written(Double(part) / Double(whole)) }
    return [
      "set lmargin at screen \(share(Self.left, of: Self.width))",
      "set rmargin at screen \(share(Self.width - Self.right, of: Self.width))",
      "set tmargin at screen \(share(height - panel.top, of: height))",
      "set bmargin at screen \(share(height - panel.bottom, of: height))",
    ]
  }

  /// Pixels from the upper edge as a position on gnuplot's screen.
  func screenY(_ pixels: Int) -> String { PlotSeries.written(Double(height - pixels) / Double(height)) }

  /// The legend and the rows' names begin at the same place beside every panel.
  func keyCommand(for panel: Panel) -> String {
    let x = PlotSeries.written(Double(Self.width - Self.right + 14) / Double(Self.width))
    return "set key at screen \(x), screen \(screenY(panel.top - 6)) left top Left reverse samplen 2.6 spacing 1.25 "
      + "width 0 textcolor rgb '\(PlotText.ink)'"
  }

  /// Where text beside a panel begins, as a share of the panel's width.
  static var besideGraph: String { PlotSeries.written(1 + 14 / Double(plotWidth)) }

  /// The name of a panel's axis, at the same place whatever the width of its numbers.
  static func axisCommand(_ name: String) -> String {
    "set label '\(name)' at graph \(PlotSeries.written(-68 / Double(plotWidth))), graph 0.5 center rotate by 90 "
      + "textcolor rgb '\(PlotText.ink)'"
  }

  static var screenLeft: String { PlotSeries.written(Double(left) / Double(width)) }

  func labelY(row: Int) -> String {
    screenY(Self.titleHeight + row * Self.labelRowHeight + Self.labelRowHeight / 2)
  }
}
