internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// Counts in a grid over the axis of a chart. Shades of one colour stand for ranges of counts.
struct HeatMap {
  struct Column {
    /// The span of the chart's axis.
    var start: Double
    var end: Double
    /// The count of each row, the lowest row first.
    var counts: [Int]
  }

  /// The number of shades. The style has a colour for each, `q1` to `q7`.
  static let shades = 7

  private let columns: [Column]
  private let largest: Int
  /// The smallest count of each shade. Shades whose next one has the same smallest count are not used.
  private let bounds: [Int]
  let rows: Int

  /// - Parameter columns: In the order of the axis; each has a count for each row.
  init(_ columns: [Column]) {
    let largest = max(columns.lazy.flatMap(\.counts).max() ?? 0, 2)
    self.columns = columns
    self.largest = largest
    rows = columns.first?.counts.count ?? 0
    bounds = (0..<Self.shades).map { shade in
      // Without the subtraction, a rounding error could exceed a whole number.
      let bound = pow(Double(largest), Double(shade) / Double(Self.shades)) - 1e-9
      return Int(saturating: bound.rounded(.up))
    }
  }

  /// The height of a row in pixels. Whole pixels have no seams between them.
  var rowHeight: Double { max(2, (160 / Double(max(rows, 1))).rounded(.down)) }

  /// Returns the shade of a count, 1 to 7; nil for 0.
  private func shade(of count: Int) -> Int? { bounds.lastIndex { $0 <= count }.map { $0 + 1 } }

  /// The shades that counts can have, with the range of counts of each as text.
  var legend: [(shade: Int, name: String)] {
    bounds.indices.compactMap { index in
      let (first, last) = (bounds[index], index + 1 < bounds.count ? bounds[index + 1] - 1 : largest)
      guard first <= last else { return nil }
      let name = first == last ? Quantity.count(first) : "\(Quantity.count(first))–\(Quantity.count(last))"
      return (index + 1, name)
    }
  }

  /// Returns a path for each shade: a thick horizontal line for each run of cells with the same shade in a row.
  /// - Parameter x: The horizontal position of a value of the axis.
  func paths(x: (Double) -> Double) -> [String] {
    var lines: [Int: String] = [:]
    for row in 0..<rows {
      let y = (Double(rows - row) - 0.5) * rowHeight
      var open: (shade: Int, start: Double, end: Double)?
      func close() {
        guard let line = open else { return }
        lines[line.shade, default: ""] += SVG.commands([(x(line.start), y), (x(line.end), y)])
        open = nil
      }
      for column in columns {
        let shade = shade(of: column.counts[row])
        if let line = open, line.shade == shade, column.start <= line.end {
          open?.end = column.end
        } else {
          close()
          open = shade.map { ($0, column.start, column.end) }
        }
      }
      close()
    }
    return lines.sorted { $0.key < $1.key }.map { shade, d in
      HTMLText.element(
        "path",
        [("class", "heat q\(shade)"), ("stroke-width", SVG.pixels(rowHeight)), ("d", d)]
      )
    }
  }
}
