/// A table of a page. Its rows have anchors, such as `latency-1-3`.
struct HTMLTable {
  let table: ReportTable
  /// The beginning of the rows' anchors, such as `latency-1`.
  let anchor: String

  var text: String {
    let head = table.columns.indices.map { index in
      HTMLText.element("th", kind(index) + [("scope", "col")], content: table.columns[index].title.html)
    }
    let content =
      HTMLText.element("thead", content: HTMLText.element("tr", content: head.joined())) + "\n"
      + groups.map { HTMLText.element("tbody", content: rows($0)) }.joined(separator: "\n")
    return HTMLText.element("div", [("class", "wide")], content: HTMLText.element("table", content: content))
  }

  /// - Parameter row: nil for the head.
  private func kind(_ column: Int, _ row: Int? = nil) -> [(String, String)] {
    let alignment = table.columns[column].alignment == .right ? ["r"] : []
    let shade = row.flatMap { table.shades[$0][column] }.map { ["s\($0)"] } ?? []
    return alignment.isEmpty && shade.isEmpty ? [] : [("class", (alignment + shade).joined(separator: " "))]
  }

  /// The rows in groups: one for all rows if none is a part, otherwise one for each row with its parts.
  private var groups: [Range<Int>] {
    guard !table.parts.isEmpty else { return [0..<table.rows.count] }
    let starts = table.rows.indices.filter { !table.parts.contains($0) }
    return zip(starts, starts.dropFirst() + [table.rows.count]).map { $0..<$1 }
  }

  /// Returns the rows of a group. A box in the last cell of names of its first row shows and hides the parts, without a
  /// script; in a browser that does not know the rule of the style sheet, they are always shown.
  private func rows(_ group: Range<Int>) -> String {
    let hasParts = group.count > 1 && !table.parts.isEmpty
    let names = table.columns.prefix { $0.alignment == .left }.count
    return group.map { row in
      let cells = table.rows[row].enumerated().map { column, cell in
        let hasBox = row == group.lowerBound && hasParts && column == names - 1
        return HTMLText.element("td", kind(column, row), content: cell.html + (hasBox ? box : ""))
      }
      let part = table.parts.contains(row) ? [("class", "part")] : []
      return HTMLText.element("tr", [("id", "\(anchor)-\(row + 1)")] + part, content: cells.joined())
    }.joined(separator: "\n")
  }

  private var box: String {
    HTMLText.element(
      "label",
      [("class", "more")],
      content: HTMLText.element("input", [("type", "checkbox")]) + " operations"
    )
  }
}
