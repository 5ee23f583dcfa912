internal import BenchModel

/// Small multiples: a panel for each figure, in which every repetition of every variant is a dot and the variant's own
/// figure a bar across.
enum VariantsFigure {
  private static let width = 280.0
  private static let left = 8.0
  private static let rowHeight = 22.0
  private static let mostPanels = 60

  private struct Panel {
    var title: String
    var column: ComparedGroup.Column
  }

  static func figure(_ comparison: VariantComparison) -> DrawnFigure? {
    let panels = comparison.groups.flatMap { group -> [Panel] in
      let owner = [group.owner, group.phase].compactMap { $0 }.map { InertText.shortened($0, to: 14) }
        .joined(separator: " in ")
      // A counter that nothing moves says nothing.
      return group.columns.filter { column in column.figures.contains { $0.map { $0.highest > 0 } ?? false } }
        .map { Panel(title: "\(owner): \($0.title)", column: $0) }
    }
    guard !panels.isEmpty else { return nil }
    let labels = comparison.variants.map { $0.label.isEmpty ? "all" : InertText.shortened($0.label, to: 30) }
    var caption: ReportText =
      "A panel for each figure, a row for each variant: a dot is a repetition, the bar the variant's figure. Every "
      + "axis begins at 0."
    if panels.count > mostPanels { caption += " \(Quantity.count(panels.count - mostPanels)) more are in the tables." }
    return DrawnFigure(
      charts: [],
      drawings: panels.prefix(mostPanels).map { svg($0, labels) },
      caption: caption
    )
  }

  private static func svg(_ panel: Panel, _ labels: [String]) -> String {
    let highest = panel.column.figures.compactMap { $0?.highest }.max() ?? 1
    func x(_ value: Double) -> Double { left + value / highest * (width - left - 12) }
    var y = 20.0
    var parts = [
      HTMLText.element("text", [("x", "0"), ("y", "12"), ("class", "title")], HTMLText.escaped(panel.title))
    ]
    for (index, label) in labels.enumerated() {
      let figure = panel.column.figures[index]
      let value = figure.map { panel.column.unit.text($0.value) } ?? Quantity.missing
      parts.append(HTMLText.text(label, left, y + 11, ""))
      parts.append(HTMLText.text(value, width - 4, y + 11, "end"))
      y += 15
      let line = y + rowHeight / 2 - 4
      parts.append(HTMLText.path([(left, line), (width - 12, line)], "grid"))
      if let figure {
        parts.append(HTMLText.path([(left, line), (x(figure.value), line)], "bar c\(index % ChartDrawing.colors)"))
        parts += figure.ofRepetitions.map { repetition in
          "<g>" + HTMLText.element("title", [], HTMLText.escaped(panel.column.unit.text(repetition)))
            + HTMLText.element(
              "use",
              [
                ("href", "#m\(index % 4)"), ("x", HTMLText.tenths(x(repetition))), ("y", HTMLText.tenths(line)),
                ("class", "dot"),
              ]
            ) + "</g>"
        }
      }
      y += rowHeight
    }
    return HTMLText.element(
      "svg",
      [
        ("class", "chart small"), ("viewBox", "0 0 \(HTMLText.whole(width)) \(HTMLText.whole(y))"), ("role", "img"),
        ("aria-label", panel.title),
      ],
      parts.joined(separator: "\n")
    )
  }
}
