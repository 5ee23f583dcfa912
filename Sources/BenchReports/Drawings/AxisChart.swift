internal import BenchResults

/// Small multiples over a numeric setting: a line through the figures of the variants, and a dot for each repetition.
enum AxisChart {
  private static let mostRowsOfFile = 6
  private static let columnsOfFile = 3

  /// - Parameters:
  ///   - scenario: The heading of the file.
  ///   - fileName: The name of the file; each machine of a report has its own.
  /// - Returns: nil if no figure differs, or may differ.
  static func drawings(
    _ comparison: VariantComparison,
    over axis: VariantAxis,
    scenario: String,
    fileName: String
  ) -> ReportDrawings? {
    let shown = comparison.shownColumns.filter { comparison.isDrawn($0.column) }
    guard !shown.isEmpty else { return nil }
    let drawings = shown.prefix(VariantsChart.mostPanels).map { group, column in
      ChartDrawing.drawing(chart(of: column, titled: VariantsChart.title(of: column, group), over: axis))
    }
    let caption: ReportText =
      "Each chart has a figure over \(code: axis.key): the line joins the figures of the variants, a dot is a "
      + "repetition."
    let rows = stride(from: 0, to: drawings.count, by: columnsOfFile).prefix(mostRowsOfFile).map { first in
      Array(drawings[first..<min(first + columnsOfFile, drawings.count)])
    }
    return ReportDrawings(
      drawings: drawings,
      caption: caption + .more(shown.count - drawings.count, "are in the tables"),
      file: SVGFile(name: fileName, alternative: "Figures over \(axis.key)", heading: scenario, rows: rows)
    )
  }

  private static func chart(
    of column: ComparedGroup.Column,
    titled title: String,
    over axis: VariantAxis
  ) -> Chart {
    func points(_ values: (VariantFigure) -> [Double]) -> [ChartSeries.Point] {
      axis.order.flatMap { index in
        (column.figures[index].map(values) ?? []).map { ChartSeries.Point(x: axis.values[index], y: $0) }
      }
    }
    let highest = column.figures.compactMap { $0?.highest }.max() ?? 0
    return Chart(
      description: "\(title) over \(axis.key)",
      scale: axis.scale,
      axis: axis.key,
      title: title,
      series: [
        ChartSeries(name: "figure", style: 0, points: points { [$0.value] }),
        ChartSeries(name: "repetition", style: 1, shape: .dots, points: points(\.ofRepetitions)),
      ],
      vertical: .linear(to: highest, column.unit),
      isSmall: true
    )
  }
}
