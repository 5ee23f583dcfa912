internal import BenchModel

/// A forest plot: a row for each figure with its change, its interval, and its margin as a shaded band.
enum ChangesFigure {
  private static let width = 880.0
  private static let left = 330.0
  private static let right = 90.0
  private static let rowHeight = 22.0
  private static let top = 8.0
  private static let mostRows = 60
  /// Wider intervals are cut off at the edge.
  private static let mostPercent = 50.0

  static func figure(_ figures: [FigureResult]) -> ReportFigure? {
    let shown = Array(figures.filter { $0.interval95Percent != nil && $0.changePercent != nil }.prefix(mostRows))
    guard !shown.isEmpty else { return nil }
    let reaches = shown.map { figure -> Double in
      let interval = figure.interval95Percent ?? PercentInterval(low: 0, high: 0)
      return max(interval.low.magnitude, interval.high.magnitude, figure.marginPercent)
    }
    let reach = min(mostPercent, max(1, reaches.max() ?? 1) * 1.1)
    let bottom = top + Double(shown.count) * rowHeight
    var parts = shown.enumerated().map { row($0.element, at: top + Double($0.offset) * rowHeight, reach) }
    parts.append(SVG.path([(x(0, reach), top), (x(0, reach), bottom)], "tick"))
    for percent in [-reach, -reach / 2, 0, reach / 2, reach] {
      let text = "\(percent > 0 ? "+" : "")\(Quantity.number(percent)) %"
      parts.append(SVG.text(text, at: (x(percent, reach), bottom + 16), "soft mid"))
    }
    let drawing = Drawing(
      width: width,
      height: bottom + 24,
      description: "The change of each figure with its 95 % interval",
      content: parts.joined(separator: "\n")
    )
    var caption: ReportText =
      "The mark is the change of the head against the base, the line its 95 % interval, the shade the margin. Circles: "
      + "unchanged or inconclusive; squares: regressed; triangles: improved; diamonds: suspect, or changed less than "
      + "the margin. For throughput, less is worse."
    if figures.count > shown.count {
      caption += " \(Quantity.count(figures.count - shown.count)) more are in the tables."
    }
    return ReportFigure(drawings: [drawing], caption: caption)
  }

  private static func row(_ figure: FigureResult, at y: Double, _ reach: Double) -> String {
    let middle = y + rowHeight / 2
    guard let interval = figure.interval95Percent, let change = figure.changePercent else { return "" }
    let margin = figure.marginPercent
    let (mark, style) = shape(of: figure.verdict)
    let said = "\(figure.name.text): \(ComparisonReport.change(figure)), \(figure.verdict.rawValue)"
    let (low, high) = (x(-margin, reach), x(margin, reach))
    return SVG.group(
      titled: said,
      [
        SVG.path([(low, y + 2), (high, y + 2), (high, y + rowHeight - 2), (low, y + rowHeight - 2)], "band even"),
        SVG.text(InertText.shortened(figure.name.text, to: 48), at: (0, middle + 4)),
        SVG.path([(x(interval.low, reach), middle), (x(interval.high, reach), middle)], "line c\(style)"),
        SVG.mark(mark, at: (x(change, reach), middle), "c\(style)"),
        SVG.text(ComparisonReport.change(figure), at: (width - 4, middle + 4), "end"),
      ]
    )
  }

  private static func shape(of verdict: EffectVerdict) -> (mark: Int, style: Int) {
    switch verdict {
    case .regressed: (1, 7)
    case .improved: (2, 2)
    case .suspect, .changedSmall: (3, 1)
    case .inconclusive, .unchanged: (0, 5)
    }
  }

  private static func x(_ percent: Double, _ reach: Double) -> Double {
    let share = (max(-reach, min(reach, percent)) + reach) / (2 * reach)
    return left + share * (width - left - right)
  }
}
