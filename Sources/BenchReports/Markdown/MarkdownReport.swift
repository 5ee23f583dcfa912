/// `report.md`: a report's sections in GitHub's Markdown. The heading of the first section is the report's.
enum MarkdownReport {
  static func text(of sections: [ReportSection]) -> String {
    let parts = sections.enumerated().flatMap { position, section in
      let heading = section.title.map { [(position == 0 ? "# " : "## ") + $0.markdown] } ?? []
      let blocks = section.blocks.compactMap(text)
      // A section of drawings only has no text.
      return blocks.isEmpty && !section.blocks.isEmpty ? [] : heading + blocks
    }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func text(of block: ReportBlock) -> String? {
    switch block {
    case .paragraph(let lines), .explanation(let lines): lines.map(\.markdown).joined(separator: "\n")
    case .list(let items): items.map { "- " + $0.markdown }.joined(separator: "\n")
    case .tiles(let tiles): table(of: tiles).markdownLines.joined(separator: "\n")
    case .table(let table): table.markdownLines.joined(separator: "\n")
    case .details(let title, let table):
      ([title.markdown + ":", ""] + table.markdownLines).joined(separator: "\n")
    case .choice(let choice):
      choice.options.map { option in
        (["**\(option.title.markdown)**", ""] + option.table.markdownLines + ["", option.remark.markdown])
          .joined(separator: "\n")
      }.joined(separator: "\n\n")
    case .command(let command): "```sh\n\(command)\n```"
    case .drawings(let drawings):
      drawings.flatMap { drawings in
        drawings.file.map { "![\($0.alternative)](\($0.name))\n\n" + drawings.caption.markdown }
      }
    }
  }

  private static func table(of tiles: [ReportTile]) -> ReportTable {
    var table = ReportTable([("figure", .left), ("value", .right), ("of", .left)])
    for tile in tiles { table.append([tile.name, .text(tile.value), tile.owner]) }
    return table
  }
}

extension ReportText {
  /// The text as inline Markdown.
  var markdown: String {
    switch self {
    case .literal(let words): words
    case .text(let text): InertText.markdown(text)
    case .code(let text), .file(let text): InertText.code(text)
    case .strong(let text): "**\(text.markdown)**"
    case .toned(let text, _), .faint(let text): text.markdown
    case .line(let text): " " + text.markdown
    case .report(let text, let path): "[\(text.markdown)](\(path).md)"
    case .gauge, .curve: ""
    case .sequence(let parts): parts.map(\.markdown).joined()
    }
  }
}

extension ReportTable {
  /// The table in GitHub's Markdown, padded so that it reads as a table in the file, too.
  fileprivate var markdownLines: [String] {
    let rows = ([columns.map(\.title)] + rows).map { $0.map(\.markdown) }
    let widths = columns.indices.map { index in max(3, rows.map { $0[index].count }.max() ?? 0) }
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
    return [line(rows[0]), line(rule)] + rows.dropFirst().map(line)
  }
}
