/// A table in GitHub's Markdown, padded so that it reads as a table in the file, too.
struct MarkdownTable {
  private let columns: [(title: String, alignment: ReportTable.Alignment)]
  private let rows: [[String]]

  init(_ table: ReportTable) {
    columns = table.columns.map { ($0.title.markdown, $0.alignment) }
    rows = table.rows.map { $0.map(\.markdown) }
  }

  var lines: [String] {
    let widths = columns.indices.map { index in
      max(3, columns[index].title.count, rows.map { $0[index].count }.max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      let padded = cells.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - cells[index].count)
        return columns[index].alignment == .right ? space + cells[index] : cells[index] + space
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = columns.indices.map { index in
      let dashes = String(repeating: "-", count: widths[index] - 1)
      return columns[index].alignment == .right ? dashes + ":" : "-" + dashes
    }
    return [line(columns.map(\.title)), line(rule)] + rows.map(line)
  }
}
