internal import BenchResults

/// `report.html`: the sections of a report as one self-contained page with its charts.
struct HTMLReport {
  /// A link to another page at the top of this one.
  struct Link {
    var text: ReportText
    /// Relative, of harmless characters.
    var path: String
  }

  private let sections: [ReportSection]
  private let subject: String?
  private let links: [Link]
  private var tableCount = 0

  /// - Parameters:
  ///   - subject: The name of the scenario, above the verdict and in the title of the window; nil for none.
  ///   - links: Links to the pages from which this page is reached.
  static func text(of sections: [ReportSection], subject: String? = nil, links: [Link] = []) -> String {
    var report = HTMLReport(sections: sections, subject: subject, links: links)
    return report.whole()
  }

  /// The largest number of rows of a table that is not folded, unless it is always open.
  private static let rowsInView = 24

  private mutating func whole() -> String {
    var body = [HTMLText.element("svg", [("class", "shapes"), ("aria-hidden", "true")], content: ChartStyle.shapes)]
    if !links.isEmpty {
      let texts = links.map { HTMLText.element("a", [("href", $0.path)], content: $0.text.html) }
      body.append(HTMLText.element("p", [("class", "links")], content: texts.joined(separator: " · ")))
    }
    if let subject { body.append(HTMLText.element("p", [("class", "subject")], content: HTMLText.escaped(subject))) }
    var hasContents = false
    for (position, section) in sections.enumerated() {
      if position > 0, !section.isLead, !hasContents {
        body.append(contents)
        hasContents = true
      }
      body.append(html(section, isFirst: position == 0))
    }
    let verdict = sections.first?.title?.plain ?? "Report"
    return HTMLPage.text(title: subject.map { "\($0): \(verdict)" } ?? verdict, body: body.joined(separator: "\n"))
  }

  private var contents: String {
    let links = sections.dropFirst().compactMap { section in
      section.title.map { HTMLText.element("a", [("href", "#" + section.anchor)], content: $0.html) }
    }
    return HTMLText.element("nav", [("aria-label", "Sections")], content: links.joined(separator: " · "))
  }

  private mutating func html(_ section: ReportSection, isFirst: Bool) -> String {
    let tone = section.tone.map { [("class", $0.rawValue)] } ?? []
    let heading = section.title.map { [HTMLText.element(isFirst ? "h1" : "h2", tone, content: $0.html)] } ?? []
    tableCount = 0
    let blocks = section.blocks.compactMap { html($0, in: section.anchor) }
    guard let gist = section.folded, !heading.isEmpty else { return whole(section, heading + blocks) }
    let aside = gist.isEmpty ? "" : " " + HTMLText.element("span", [("class", "gist")], content: gist.html)
    let summary = HTMLText.element("summary", content: heading.joined() + aside)
    let content = ([summary] + blocks).joined(separator: "\n")
    return whole(section, [HTMLText.element("details", [("class", "section")], content: content)])
  }

  private func whole(_ section: ReportSection, _ parts: [String]) -> String {
    HTMLText.element("section", [("id", section.anchor)], content: "\n" + parts.joined(separator: "\n") + "\n")
  }

  private mutating func html(_ block: ReportBlock, in anchor: String) -> String? {
    switch block {
    case .paragraph(let lines): paragraph(lines)
    case .explanation(let lines): lines.isEmpty ? nil : folded("How to read this", paragraph(lines), kind: "help")
    case .list(let items):
      HTMLText.element("ul", content: items.map { HTMLText.element("li", content: $0.html) }.joined(separator: "\n"))
    case .tiles(let tiles): tiles.isEmpty ? nil : html(tiles)
    case .table(let table): long(table, in: anchor)
    case .details(let title, let table): folded(title.html, html(table, in: anchor))
    case .choice(let choice): html(choice, in: anchor)
    case .command(let command): html(command: command)
    case .drawings(let drawings): drawings.map { html($0) }
    }
  }

  private func paragraph(_ lines: [ReportText]) -> String {
    HTMLText.element("p", content: lines.map(\.html).joined(separator: "<br>\n"))
  }

  private func folded(_ title: String, _ content: String, kind: String? = nil) -> String {
    HTMLText.element(
      "details",
      kind.map { [("class", $0)] } ?? [],
      content: HTMLText.element("summary", content: title) + "\n" + content
    )
  }

  private func html(_ tiles: [ReportTile]) -> String {
    let items = tiles.map { tile in
      HTMLText.element(
        "div",
        tile.tone.map { [("class", $0.rawValue)] } ?? [],
        content: HTMLText.element("dt", content: tile.name.html)
          + HTMLText.element("dd", [("class", "value")], content: HTMLText.escaped(tile.value))
          + HTMLText.element("dd", content: tile.owner.html)
      )
    }
    return HTMLText.element("dl", [("class", "tiles")], content: "\n" + items.joined(separator: "\n") + "\n")
  }

  private mutating func long(_ table: ReportTable, in anchor: String) -> String {
    let rows = html(table, in: anchor)
    let shown = table.rows.count - table.parts.count
    guard shown > Self.rowsInView, !table.isAlwaysOpen else { return rows }
    return folded("\(Quantity.count(table.rows.count, of: "row"))", rows)
  }

  private mutating func html(_ table: ReportTable, in anchor: String) -> String {
    tableCount += 1
    return HTMLTable(table: table, anchor: "\(anchor)-\(tableCount)").text
  }

  /// The script adds a button that copies the command.
  private func html(command: String) -> String {
    let code = HTMLText.element("code", content: HTMLText.escaped(command))
    return HTMLText.element("div", [("class", "command")], content: HTMLText.element("pre", content: code))
  }

  private mutating func html(_ choice: ReportChoice, in anchor: String) -> String {
    let options = choice.options.map { option in
      let title = HTMLText.element("p", [("class", "name")], content: ReportText.strong(option.title).html)
      let remark = HTMLText.element("p", [("class", "remark")], content: option.remark.html)
      return HTMLText.element(
        "div",
        [("class", "option"), ("data-name", option.title.plain)],
        content: [title, html(option.table, in: anchor), remark].joined(separator: "\n")
      )
    }
    return HTMLText.element(
      "div",
      [("class", "choice"), ("data-label", choice.label.plain)],
      content: options.joined(separator: "\n")
    )
  }

  private func html(_ content: ReportDrawings) -> String {
    let drawings = content.drawings.map(\.pageElement).joined(separator: "\n")
    let isSmall = content.drawings.allSatisfy(\.isSmall)
    let fits = content.drawings.allSatisfy { $0.page != nil }
    let kind = isSmall ? "small-charts" : fits ? "charts" : "wide"
    let caption = content.caption.html + (fits && content.isInteractive ? " " + Self.pointing : "")
    return HTMLText.element(
      "figure",
      [],
      content: HTMLText.element("div", [("class", kind)], content: drawings) + "\n"
        + HTMLText.element("figcaption", content: caption)
    )
  }

  private static let pointing =
    "<span class=\"scripted\">Point for values, drag to zoom, double-click to reset; a click on a name in the legend "
    + "hides or shows its line.</span>"
}
