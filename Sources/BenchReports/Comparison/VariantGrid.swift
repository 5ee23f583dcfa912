internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The variants of a matrix of two settings, as the cells of a grid.
struct VariantGrid {
  /// A grid with more columns would not fit a page.
  private static let mostColumns = 8

  /// The settings whose values are the rows and the columns.
  let keys: (row: String, column: String)
  /// The values, in the order of the matrix.
  let rows: [String]
  let columns: [String]
  /// The variant of each row and column; nil for one that was not selected.
  let variants: [[Int?]]

  /// - Returns: nil unless the variants have the same two settings, each with several values, and most combinations.
  init?(_ variants: [ScenarioResult.Variant]) {
    guard let first = variants.first?.settings, first.count == 2,
      variants.allSatisfy({ $0.settings.map(\.key) == first.map(\.key) })
    else { return nil }
    let rows = variants.map { $0.settings[0].value }.withoutDuplicates
    let columns = variants.map { $0.settings[1].value }.withoutDuplicates
    guard rows.count > 1, columns.count > 1, columns.count <= Self.mostColumns,
      rows.count * columns.count <= 2 * variants.count
    else { return nil }
    var indices: [[String]: Int] = [:]
    for (index, variant) in variants.enumerated() { indices[variant.settings.map(\.value)] = index }
    keys = (first[0].key, first[1].key)
    self.rows = rows
    self.columns = columns
    self.variants = rows.map { row in columns.map { column in indices[[row, column]] } }
  }

  /// The table of a figure. The better a value, or for a figure without a direction the larger, the darker its cell.
  func table(of column: ComparedGroup.Column) -> ReportTable {
    let scale = ShadeScale(column)
    let corner: ReportText = "\(code: keys.row) ↓ \(code: keys.column) →"
    var table = ReportTable(names: [corner], numbers: columns.map(ReportText.code))
    for (row, indices) in zip(rows, variants) {
      let figures = indices.map { $0.flatMap { column.figures[$0] } }
      let cells = figures.map { figure -> ReportText in
        guard let figure else { return .text(Quantity.missing) }
        return ReportText.text(column.unit.text(figure.value)) + figure.range(column.unit)
      }
      table.append([.code(row)] + cells, shades: [nil] + figures.map { $0.map { scale.shade(of: $0.value) } })
    }
    return table
  }
}

/// The shades of the values of a figure, by their ratios. The darkest is for the best value, and the palest for the
/// worst. They span a ratio of at least 1.5, so that nearly equal values have nearly equal shades.
struct ShadeScale {
  private static let leastSpan = log(1.5)

  /// 0 has no logarithm, and is shown like this value.
  private let floor: Double
  private let best: Double
  private let span: Double

  init(_ column: ComparedGroup.Column) {
    let values = column.figures.compactMap { $0?.value }
    floor = (values.filter { $0 > 0 }.min() ?? 1) / 4
    let low = log(max(values.min() ?? 0, floor))
    let high = log(max(values.max() ?? 0, floor))
    best = column.better == .lower ? low : high
    span = max(high - low, Self.leastSpan)
  }

  /// - Returns: 0 to `ReportTable.shadeCount - 1`.
  func shade(of value: Double) -> Int {
    let share = 1 - (best - log(max(value, floor))).magnitude / span
    return Int(saturating: (share * Double(ReportTable.shadeCount - 1)).rounded())
  }
}
