/// A table in GitHub's Markdown, padded so that it reads as a table in the file, too.
///
/// Cells are Markdown already; text from elsewhere must have gone through `InertText`.
struct MarkdownTable {
  enum Alignment {
    case left, right
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  init(_ columns: [(title: String, alignment: Alignment)]) {
    self.columns = columns
  }

  mutating func append(_ cells: [String]) {
    precondition(cells.count == columns.count, "A row of \(cells.count) cells in a table of \(columns.count) columns.")
    rows.append(cells)
  }

  var isEmpty: Bool { rows.isEmpty }

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
