package import BenchResults

/// The page of `yapbench bench --growth`.
package enum GrowthPage {
  package static let fileName = "growth.md"

  /// Returns the page in Markdown and its pictures.
  package static func files(of report: GrowthReport) -> [ExportFormat.File] {
    let introduction = ReportSection(
      anchor: "growth",
      title: "Growth",
      blocks: [
        .paragraph([
          """
          Medians of up to \(String(report.rounds)) rounds, seed \(String(report.seed)). Both axes are logarithmic: a \
          cost that is proportional to the size is a diagonal.
          """
        ])
      ]
    )
    let sections = report.axes.map { axis in
      ReportSection(
        anchor: axis.axis.rawValue,
        title: "\(axis.axis.text)",
        blocks: [.drawings(axis.drawings)]
          + axis.panels.map { .details("\($0.title)", $0.table(isBytes: axis.axis.isBytes)) }
      )
    }
    let page = ExportFormat.File(name: fileName, text: MarkdownReport.text(of: [introduction] + sections))
    return [page] + report.axes.map { ExportFormat.File(name: $0.file.name, text: $0.file.text) }
  }
}

extension GrowthReport.Axis {
  fileprivate var drawings: ReportDrawings {
    ReportDrawings(drawings: [drawing], caption: "The cost of an operation at each size.", file: file)
  }

  fileprivate var file: SVGFile {
    SVGFile(
      name: axis.rawValue + ".svg",
      alternative: "Curves over \(axis.text): \(panels.map(\.title).joined(separator: "; "))",
      heading: axis.text,
      rows: [[drawing]]
    )
  }

  private var drawing: Drawing {
    let sizes = panels.flatMap { $0.points.map { Double($0.size) } }
    let unit: FigureUnit = axis.isBytes ? .bytes : .number
    let chart = Chart(
      description: "Costs over \(axis.text)",
      scale: .logarithmic(from: sizes.min() ?? 1, to: sizes.max() ?? 1, unit, room: 0),
      axis: axis.text,
      panels: panels.map { Chart.Panel(title: $0.title, content: $0.content) }
    )
    return ChartDrawing.drawing(chart)
  }
}

extension GrowthReport.Panel {
  fileprivate var content: Chart.Content {
    let series = contestants.enumerated().map { index, name in
      ChartSeries(
        name: name,
        style: index,
        dash: index == 0 ? .solid : .dashed,
        points: points.compactMap { point in point.cost(of: name).map { .init(x: Double(point.size), y: $0) } }
      )
    }
    let costs = series.flatMap { $0.points.map(\.y) }
    return .series(series, .logarithmic(from: costs.min() ?? 1, to: costs.max() ?? 1, unit))
  }

  fileprivate func table(isBytes sizesAreBytes: Bool) -> ReportTable {
    let hasRatio = contestants.count == 2
    let titles = ["size"] + contestants + (hasRatio ? ["\(contestants[0]) / \(contestants[1])"] : [])
    var table = ReportTable(names: [], numbers: titles.map(ReportText.text))
    for point in points {
      let size = sizesAreBytes ? Quantity.bytes(point.size) : Quantity.count(point.size)
      let costs = contestants.map { point.cost(of: $0).map(unit.text) ?? Quantity.missing }
      let quotient = hasRatio ? [ratio(at: point).map(Quantity.number) ?? Quantity.missing] : []
      table.append(([size] + costs + quotient).map { .text($0) })
    }
    return table
  }

  /// The median over the rounds of the first contestant's figure divided by the second's; nil if one was not measured.
  private func ratio(at point: GrowthReport.Point) -> Double? {
    guard let first = point.figures[contestants[0]], let second = point.figures[contestants[1]] else { return nil }
    let ratios = zip(first, second).map { $0 / $1 }
    return ratios.isEmpty ? nil : ratios.median
  }
}

extension GrowthReport.Point {
  /// The median over the rounds; nil for a contestant that was not measured.
  fileprivate func cost(of contestant: String) -> Double? {
    figures[contestant].flatMap { $0.isEmpty ? nil : $0.median }
  }
}
