internal import BenchResults

/// A part of a report. Every format shows a report's sections, and the blocks of each section, in the same order.
struct ReportSection {
  /// The colour and the sign of a verdict on a page.
  enum Tone: String, CaseIterable {
    case good, bad
    /// Neither: the figures are invalid or incomplete.
    case doubtful
  }

  /// The name of the section in links; the same in every report.
  var anchor: String
  /// nil if the section continues under the previous heading.
  var title: ReportText?
  /// Only of a section with a verdict.
  var tone: Tone?
  var blocks: [ReportBlock]
  /// Whether a page shows the section before its table of contents.
  var isLead = false
  /// The gist of a section that a page shows folded, beside its title; nil for a section that is open.
  var folded: ReportText?
}

extension ReportSection {
  /// - Returns: nil without notes.
  static func notes(_ notes: [String]) -> ReportSection? {
    notes.isEmpty ? nil : ReportSection(anchor: "notes", title: "Notes", blocks: [.list(notes.map(ReportText.text))])
  }

  static func repetition(_ blocks: [ReportBlock]) -> ReportSection {
    ReportSection(anchor: "repeat", title: "Repeat it", blocks: blocks)
  }

  static func howToRead(_ lines: [ReportText]) -> ReportSection {
    ReportSection(anchor: "how-to-read", title: "How to read this", blocks: [.list(lines)])
  }
}

enum ReportBlock {
  /// Texts, each on a line of its own.
  case paragraph([ReportText])
  /// Texts that explain how to read the figures before them, each on a line of its own. Pages show them folded.
  case explanation([ReportText])
  case list([ReportText])
  case tiles([ReportTile])
  case table(ReportTable)
  /// A table with a title. Pages show it folded.
  case details(ReportText, ReportTable)
  /// Tables of which a page with scripts shows one at a time.
  case choice(ReportChoice)
  /// A command line of a shell.
  case command(String)
  /// Drawings; nil if there is nothing to draw.
  case drawings(ReportDrawings?)
}

/// One of the most important figures of a report. A page shows them in large letters.
struct ReportTile {
  var name: ReportText
  var value: String
  /// The owner of the figure, such as an actor and its phase.
  var owner: ReportText
  /// nil for a figure that is neither good nor bad by itself.
  var tone: ReportSection.Tone?
  /// The figure and its value in base units, for a comparison with earlier runs; nil if it has none.
  var figure: (id: FigureID, value: Double)?
}

struct ReportTable {
  enum Alignment {
    case left, right
  }

  typealias Column = (title: ReportText, alignment: Alignment)

  static let shadeCount = 5

  let columns: [Column]
  private(set) var rows: [[ReportText]] = []
  /// The indices of the rows that are parts of the row above them: the operations of a transaction. Pages show these
  /// rows folded.
  private(set) var parts: Set<Int> = []
  /// Whether pages show the table open, however many rows it has.
  let isAlwaysOpen: Bool
  /// The shade of each cell on pages, from 0 to `shadeCount - 1`, the darkest; nil for none.
  private(set) var shades: [[Int?]] = []

  init(_ columns: [Column], isAlwaysOpen: Bool = false) {
    self.columns = columns
    self.isAlwaysOpen = isAlwaysOpen
  }

  /// A table whose columns of texts precede those of numbers.
  init(names: [ReportText], numbers: [ReportText] = [], isAlwaysOpen: Bool = false) {
    self.init(names.map { ($0, .left) } + numbers.map { ($0, .right) }, isAlwaysOpen: isAlwaysOpen)
  }

  /// - Parameters:
  ///   - isPart: Whether the row is a part of the one above it.
  ///   - shades: The shade of each cell; nil for none.
  mutating func append(_ cells: [ReportText], isPart: Bool = false, shades: [Int?]? = nil) {
    precondition(cells.count == columns.count, "A row of \(cells.count) cells in a table of \(columns.count) columns.")
    if isPart { parts.insert(rows.count) }
    rows.append(cells)
    self.shades.append(shades ?? Array(repeating: nil, count: cells.count))
  }

  var isEmpty: Bool { rows.isEmpty }
}

/// Tables of the same shape, of which a reader compares one at a time.
struct ReportChoice {
  struct Option {
    var title: ReportText
    var table: ReportTable
    /// The text below the table.
    var remark: ReportText
  }

  /// The label of the selector.
  var label: ReportText
  /// Not empty.
  var options: [Option]
}

/// Drawings that belong together, with the text below them. A page contains the drawings, a Markdown report refers to
/// the file.
struct ReportDrawings {
  /// Not empty.
  var drawings: [Drawing]
  var caption: ReportText
  /// nil for drawings that only pages have.
  var file: SVGFile?
  /// Whether its drawings are charts, which react to the pointer on a page.
  var isInteractive = true
}

extension ReportDrawings {
  /// Drawings that only pages have.
  init(charts: [Chart], caption: ReportText) {
    self.init(drawings: charts.map(ChartDrawing.drawing), caption: caption)
  }
}

/// A piece of a report's text, before it becomes Markdown or HTML.
///
/// Literals are the program's own text, which contains no markup. Interpolated strings may come from a scenario or an
/// engine; each format escapes them.
indirect enum ReportText: ExpressibleByStringInterpolation, Sendable {
  /// The program's own words, without markup.
  case literal(String)
  /// Text from a scenario or an engine.
  case text(String)
  case code(String)
  case strong(ReportText)
  /// Less visible than the text around it.
  case faint(ReportText)
  /// A detail of a cell; on pages, on a line of its own.
  case line(ReportText)
  /// A link to another report; its path is relative, of harmless characters, and without the format's extension.
  case report(ReportText, path: String)
  /// A file of the run. Pages link to it; its name consists of harmless characters.
  case file(String)
  case toned(ReportText, ReportSection.Tone)
  /// A bar of a value as a share of its limit, with the limit marked. Only pages draw it, beside the share as text.
  case gauge(Double, ReportSection.Tone)
  /// A small line through values. Only pages draw it.
  case curve([Double])
  /// One text after the other.
  case sequence([ReportText])

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [ReportText] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { parts.append(.literal(literal)) }
    mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
    mutating func appendInterpolation(_ text: ReportText) { parts.append(text) }
    mutating func appendInterpolation(code text: String) { parts.append(.code(text)) }
    mutating func appendInterpolation(strong text: ReportText) { parts.append(.strong(text)) }
  }

  init(stringLiteral value: String) { self = .literal(value) }
  init(stringInterpolation: StringInterpolation) { self = .sequence(stringInterpolation.parts) }

  static func + (left: ReportText, right: ReportText) -> ReportText { .sequence([left, right]) }
  static func += (left: inout ReportText, right: ReportText) { left = left + right }

  /// The end of a caption, such as ` 3 more are not drawn.`; empty if nothing is left.
  static func more(_ left: Int, _ words: ReportText) -> ReportText {
    left > 0 ? " \(Quantity.count(left)) more \(words)." : ""
  }

  /// Whether it contains nothing.
  var isEmpty: Bool {
    switch self {
    case .literal(let words): words.isEmpty
    case .sequence(let parts): parts.allSatisfy(\.isEmpty)
    default: false
    }
  }
}

/// Quantities; `Quantity.missing` for nil.
extension ReportText {
  static func count(_ count: Int?) -> ReportText { .text(count.map { Quantity.count($0) } ?? Quantity.missing) }
  static func bytes(_ bytes: Int?) -> ReportText { .text(bytes.map(Quantity.bytes) ?? Quantity.missing) }
  static func percent(_ share: Double?) -> ReportText { .text(share.map(Quantity.percent) ?? Quantity.missing) }
  static func duration(_ nanoseconds: Double) -> ReportText { .text(Quantity.duration(nanoseconds: nanoseconds)) }

  static func duration(_ nanoseconds: UInt64?) -> ReportText {
    .text(nanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? Quantity.missing)
  }
}

extension Sequence<ReportText> {
  func joined(separator: ReportText) -> ReportText {
    .sequence(enumerated().flatMap { $0.offset > 0 ? [separator, $0.element] : [$0.element] })
  }
}
