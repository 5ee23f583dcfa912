internal import BenchResults
internal import HarnessPrimitives

/// The curves of `yapbench bench --growth` over one axis: the cost of operations at increasing sizes.
public struct GrowthCurves: Sendable {
  /// The figures at one size, all above 0. Costs are nil for a contestant that was not measured. The ratio is the
  /// median over the rounds of the first contestant's figure divided by the second's; nil for one contestant.
  public typealias Point = (size: Double, costs: [Double?], ratio: Double?)

  /// The cost of one operation.
  public struct Panel: Sendable {
    public var title: String
    /// Whether the costs are bytes. Otherwise they are nanoseconds.
    public var isBytes: Bool
    public var contestants: [String]
    public var points: [Point]

    public init(title: String, isBytes: Bool, contestants: [String], points: [Point]) {
      self.title = title
      self.isBytes = isBytes
      self.contestants = contestants
      self.points = points
    }
  }

  /// The name of the axis in commands and files.
  public var name: String
  public var text: String
  /// Whether sizes are bytes. Otherwise they are counts.
  public var isBytes: Bool
  public var panels: [Panel]

  public init(name: String, text: String, isBytes: Bool, panels: [Panel]) {
    self.name = name
    self.text = text
    self.isBytes = isBytes
    self.panels = panels
  }
}

/// The page of `yapbench bench --growth`.
public enum GrowthPage {
  public static let fileName = "growth.md"

  /// Returns the page in Markdown and its pictures.
  public static func files(of axes: [GrowthCurves], rounds: Int, seed: UInt64) -> [ExportFormat.File] {
    let introduction = ReportSection(
      anchor: "growth",
      title: "Growth",
      blocks: [
        .paragraph([
          """
          Medians of up to \(String(rounds)) rounds, seed \(String(seed)). Both axes are logarithmic: a cost that is \
          proportional to the size is a diagonal.
          """
        ])
      ]
    )
    let sections = axes.map { axis in
      ReportSection(
        anchor: axis.name,
        title: "\(axis.text)",
        blocks: [.drawings(axis.drawings)]
          + axis.panels.map { .details("\($0.title)", $0.table(isBytes: axis.isBytes)) }
      )
    }
    let page = ExportFormat.File(name: fileName, text: MarkdownReport.text(of: [introduction] + sections))
    return [page] + axes.map { ExportFormat.File(name: $0.fileName, text: $0.file.text) }
  }
}

extension GrowthCurves {
  fileprivate var fileName: String { name + ".svg" }

  fileprivate var drawings: ReportDrawings {
    ReportDrawings(drawings: [drawing], caption: "The cost of an operation at each size.", file: file)
  }

  fileprivate var file: SVGFile {
    SVGFile(
      name: fileName,
      alternative: "Curves over \(text): \(panels.map(\.title).joined(separator: "; "))",
      heading: text,
      rows: [[drawing]]
    )
  }

  private var drawing: Drawing {
    let sizes = panels.flatMap { $0.points.map(\.size) }
    let scale = ChartScale.logarithmic(
      from: sizes.min() ?? 1,
      to: sizes.max() ?? 1,
      isBytes ? .bytes : .number,
      room: 0
    )
    let chart = Chart(
      description: "Costs over \(text)",
      scale: scale,
      axis: text,
      panels: panels.map { Chart.Panel(title: $0.title, content: $0.content) }
    )
    return ChartDrawing.drawing(chart)
  }
}

extension GrowthCurves.Panel {
  fileprivate var content: Chart.Content {
    let series = contestants.indices.map { index in
      ChartSeries(
        name: contestants[index],
        style: index,
        dash: index == 0 ? .solid : .dashed,
        points: points.compactMap { point in
          point.costs[index].map { ChartSeries.Point(x: point.size, y: $0) }
        }
      )
    }
    let costs = series.flatMap { $0.points.map(\.y) }
    return .series(
      series,
      .logarithmic(from: costs.min() ?? 1, to: costs.max() ?? 1, isBytes ? .bytes : .nanoseconds)
    )
  }

  fileprivate func table(isBytes sizesAreBytes: Bool) -> ReportTable {
    let hasRatio = contestants.count == 2
    let titles = ["size"] + contestants + (hasRatio ? ["\(contestants[0]) / \(contestants[1])"] : [])
    var table = ReportTable(titles.map { ("\($0)", .right) })
    for point in points {
      let size = sizesAreBytes ? FigureUnit.bytes.text(point.size) : Quantity.count(Int(saturating: point.size))
      let costs = point.costs.map { cost in
        cost.map { (isBytes ? FigureUnit.bytes : .nanoseconds).text($0) } ?? Quantity.missing
      }
      let quotient = hasRatio ? [point.ratio.map(Quantity.number) ?? Quantity.missing] : []
      table.append(([size] + costs + quotient).map { .text($0) })
    }
    return table
  }
}
