/// A table of a report, whatever it is written in.
struct ReportTable {
  enum Alignment {
    case left, right
  }

  typealias Column = (title: ReportText, alignment: Alignment)

  let columns: [Column]
  private(set) var rows: [[ReportText]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func append(_ cells: [ReportText]) {
    precondition(cells.count == columns.count, "A row of \(cells.count) cells in a table of \(columns.count) columns.")
    rows.append(cells)
  }

  var isEmpty: Bool { rows.isEmpty }
}
