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
  private let back: Link?
  private var tableCount = 0

  /// - Parameters:
  ///   - subject: The name of the scenario, above the verdict and in the title of the window; nil for none.
  ///   - back: A link to the page from which this page is reached; nil for none.
  static func text(of sections: [ReportSection], subject: String? = nil, back: Link? = nil) -> String {
    var report = HTMLReport(sections: sections, subject: subject, back: back)
    return report.whole()
  }

  private init(sections: [ReportSection], subject: String?, back: Link?) {
    self.sections = sections
    self.subject = subject
    self.back = back
  }

  /// The largest number of rows of a table that is not folded.
  private static let rowsInView = 24

  private mutating func whole() -> String {
    var body = [HTMLText.element("svg", [("class", "shapes"), ("aria-hidden", "true")], content: ChartStyle.shapes)]
    if let back {
      body.append("<p>" + HTMLText.element("a", [("href", back.path)], content: back.text.html) + "</p>")
    }
    if let subject { body.append(HTMLText.element("p", [("class", "subject")], content: HTMLText.escaped(subject))) }
    for (position, section) in sections.enumerated() {
      if position == 1 { body.append(contents) }
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
    return HTMLText.element(
      "section",
      [("id", section.anchor)],
      content: "\n" + (heading + blocks).joined(separator: "\n") + "\n"
    )
  }

  private mutating func html(_ block: ReportBlock, in anchor: String) -> String? {
    switch block {
    case .paragraph(let lines): HTMLText.element("p", content: lines.map(\.html).joined(separator: "<br>\n"))
    case .list(let items):
      HTMLText.element("ul", content: items.map { HTMLText.element("li", content: $0.html) }.joined(separator: "\n"))
    case .table(let table): long(table, in: anchor)
    case .details(let title, let table): folded(title.html, html(table, in: anchor))
    case .command(let command):
      HTMLText.element("pre", content: HTMLText.element("code", content: HTMLText.escaped(command)))
    case .figure(let figure): figure.map { html($0) }
    }
  }

  private func folded(_ title: String, _ content: String) -> String {
    HTMLText.element("details", content: HTMLText.element("summary", content: title) + "\n" + content)
  }

  private mutating func long(_ table: ReportTable, in anchor: String) -> String {
    let rows = html(table, in: anchor)
    return table.rows.count > Self.rowsInView ? folded("\(Quantity.count(table.rows.count, of: "row"))", rows) : rows
  }

  /// Returns a table whose rows have anchors, such as `latency-1-3`.
  private mutating func html(_ table: ReportTable, in anchor: String) -> String {
    tableCount += 1
    let number = tableCount
    func kind(_ index: Int) -> [(String, String)] { table.columns[index].alignment == .right ? [("class", "r")] : [] }
    let head = table.columns.indices.map { index in
      HTMLText.element("th", kind(index) + [("scope", "col")], content: table.columns[index].title.html)
    }
    let rows = table.rows.enumerated().map { index, cells in
      HTMLText.element(
        "tr",
        [("id", "\(anchor)-\(number)-\(index + 1)")],
        content: cells.enumerated().map { HTMLText.element("td", kind($0.offset), content: $0.element.html) }.joined()
      )
    }
    let text = HTMLText.element(
      "table",
      [],
      content: HTMLText.element("thead", content: HTMLText.element("tr", content: head.joined())) + "\n"
        + HTMLText.element("tbody", content: rows.joined(separator: "\n"))
    )
    return HTMLText.element("div", [("class", "wide")], content: text)
  }

  private func html(_ figure: ReportFigure) -> String {
    let isSmall = figure.drawings.allSatisfy(\.isSmall)
    let drawings = figure.drawings.map(\.pageElement).joined(separator: "\n")
    let hasCharts = figure.drawings.contains { !$0.scriptAttributes.isEmpty }
    let caption = figure.caption.html + (hasCharts ? " " + Self.thinning : "")
    return HTMLText.element(
      "figure",
      [],
      content: HTMLText.element("div", [("class", isSmall ? "small-charts" : "wide")], content: drawings) + "\n"
        + HTMLText.element("figcaption", content: caption)
    )
  }

  private static let thinning =
    "Each column of pixels shows its lowest and highest point. "
    + "<span class=\"scripted\">Point at the chart for values, drag to zoom, double-click to reset.</span>"
}

/// Text for HTML and SVG.
enum HTMLText {
  /// Returns the text for use between tags or between the quotes of an attribute, without markup and without characters
  /// that change the direction of the text around it.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in InertText.line(text) {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Returns an element. The values of its attributes are escaped, its content is not.
  /// - Parameter content: HTML; nil for an element without content.
  static func element(_ name: String, _ attributes: [(String, String)] = [], content: String? = nil) -> String {
    let written = attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
    return content.map { "<\(name)\(written)>\($0)</\(name)>" } ?? "<\(name)\(written)/>"
  }
}

extension ReportText {
  var html: String {
    spans.map { span in
      switch span {
      case .literal(let words): HTMLText.escaped(words)
      case .text(let text): HTMLText.escaped(text)
      case .code(let text): HTMLText.element("code", content: HTMLText.escaped(text))
      case .strong(let text): HTMLText.element("strong", content: text.html)
      case .report(let text, let path): HTMLText.element("a", [("href", path + ".html")], content: text.html)
      }
    }.joined()
  }

  /// The text without markup.
  var plain: String {
    spans.map { span in
      switch span {
      case .literal(let text), .text(let text), .code(let text): InertText.line(text)
      case .strong(let text), .report(let text, _): text.plain
      }
    }.joined()
  }
}
