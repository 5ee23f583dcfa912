internal import BenchResults

/// Small multiples: a panel for each figure, in which a variant has a bar for its figure and a dot for each repetition.
/// The dots of invalid repetitions, which are left out of the figure, are hollow.
/// Figures whose repetitions show no difference between variants are left out.
enum VariantsChart {
  static let fileName = "variants.svg"

  private static let width = 280.0
  private static let left = 8.0
  private static let rowHeight = 22.0
  static let mostPanels = 60
  private static let mostRowsOfFile = 8
  private static let columnsOfFile = 3

  /// - Parameters:
  ///   - scenario: The heading of the file.
  ///   - fileName: The name of the file; each machine of a report has its own.
  /// - Returns: nil if no figure is shown.
  static func drawings(
    _ comparison: VariantComparison,
    scenario: String,
    fileName: String = VariantsChart.fileName
  ) -> ReportDrawings? {
    let labels = comparison.variants.map { $0.label.isEmpty ? "all" : InertText.shortened($0.label, to: 30) }
    var panels: [Drawing] = []
    var rowsOfFile: [[Drawing]] = []
    var hasHollowDots = false
    for group in comparison.shownGroups {
      let shown = group.columns.filter(comparison.isDrawn)
      let leftOut = shown.map { comparison.valuesLeftOut(of: $0, in: group) }
      hasHollowDots = hasHollowDots || leftOut.contains { $0.contains { !$0.isEmpty } }
      let drawings = zip(shown, leftOut).map {
        drawing(of: $0, leftOut: $1, titled: title(of: $0, group), labels)
      }
      panels += drawings
      // In the file, a group is a row of at most three panels. Phases and the hits of caches are left out.
      let first = zip(shown, drawings).filter { $0.0.name != CacheCount.hits.column }.prefix(columnsOfFile)
      if group.kind != .phase, !first.isEmpty { rowsOfFile.append(first.map { $0.1 }) }
    }
    guard !panels.isEmpty else { return nil }
    var caption: ReportText =
      "Rows of a panel are variants: a dot is a repetition, the bar the variant's figure. Every axis begins at 0."
    if hasHollowDots { caption += " A hollow dot is an invalid repetition, which is left out of the figure." }
    return ReportDrawings(
      drawings: Array(panels.prefix(mostPanels)),
      caption: caption + .more(panels.count - mostPanels, "are in the tables"),
      file: rowsOfFile.isEmpty
        ? nil
        : SVGFile(
          name: fileName,
          alternative: "Figures of each variant",
          heading: scenario,
          rows: Array(rowsOfFile.prefix(mostRowsOfFile))
        )
    )
  }

  static func title(of column: ComparedGroup.Column, _ group: ComparedGroup) -> String {
    if group.kind == .headline { return InertText.shortened(column.title, to: 44) }
    let owner = [group.owner, group.phase].compactMap { $0 }.map { InertText.shortened($0, to: 14) }
    return "\(owner.joined(separator: " in ")): \(column.title)"
  }

  private static func drawing(
    of column: ComparedGroup.Column,
    leftOut: [[Double]],
    titled title: String,
    _ labels: [String]
  ) -> Drawing {
    // Invalid repetitions do not set the axis; one beyond it is drawn at its end.
    let known = column.figures.compactMap { $0?.highest }
    let highest = (known.isEmpty ? leftOut.flatMap { $0 } : known).max() ?? 0
    func x(_ value: Double) -> Double { left + (highest > 0 ? min(value / highest, 1) : 0) * (width - left - 12) }
    var y = 20.0
    var parts = [SVG.text(title, at: (0, 12), "title")]
    for (index, label) in labels.enumerated() {
      let figure = column.figures[index]
      parts.append(SVG.text(label, at: (left, y + 11)))
      parts.append(
        SVG.text(figure.map { column.unit.text($0.value) } ?? Quantity.missing, at: (width - 4, y + 11), "end")
      )
      y += 15
      let line = y + rowHeight / 2 - 4
      parts.append(SVG.path([(left, line), (width - 12, line)], "grid"))
      if let figure {
        parts.append(SVG.path([(left, line), (x(figure.value), line)], "bar c0"))
        parts += figure.ofRepetitions.map { repetition in
          SVG.group(titled: column.unit.text(repetition), [SVG.mark(0, at: (x(repetition), line), "dot")])
        }
      }
      parts += leftOut[index].map { value in
        SVG.group(titled: column.unit.text(value) + ", invalid", [SVG.mark(0, at: (x(value), line), "dot hollow")])
      }
      y += rowHeight
    }
    return Drawing(width: width, height: y, description: title, content: parts.joined(separator: "\n"), isSmall: true)
  }
}
