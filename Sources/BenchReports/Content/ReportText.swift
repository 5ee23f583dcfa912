/// A piece of a report's text, before it becomes Markdown or HTML.
///
/// What stands in a literal is the program's own and needs no care; what is interpolated may come from a scenario or an
/// engine, and each format makes it harmless in its own way.
struct ReportText: ExpressibleByStringInterpolation, Equatable, Sendable {
  enum Span: Equatable, Sendable {
    /// The program's own words, without markup.
    case literal(String)
    /// Text from elsewhere.
    case text(String)
    case code(String)
    case strong(ReportText)
    /// Leads to another report; its path is relative, of harmless characters, and without the format's ending.
    case report(ReportText, path: String)
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var spans: [Span] = []

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { spans.append(.literal(literal)) }
    }

    mutating func appendInterpolation(_ text: String) { spans.append(.text(text)) }
    mutating func appendInterpolation(_ text: ReportText) { spans += text.spans }
    mutating func appendInterpolation(code text: String) { spans.append(.code(text)) }
    mutating func appendInterpolation(strong text: ReportText) { spans.append(.strong(text)) }
  }

  private(set) var spans: [Span]

  init(stringLiteral value: String) { spans = value.isEmpty ? [] : [.literal(value)] }
  init(stringInterpolation: StringInterpolation) { spans = stringInterpolation.spans }
  private init(_ span: Span) { spans = [span] }

  static func text(_ text: String) -> ReportText { ReportText(.text(text)) }
  static func code(_ text: String) -> ReportText { ReportText(.code(text)) }
  static func strong(_ text: ReportText) -> ReportText { ReportText(.strong(text)) }
  static func report(_ text: ReportText, path: String) -> ReportText { ReportText(.report(text, path: path)) }

  static func + (left: ReportText, right: ReportText) -> ReportText {
    var text = left
    text.spans += right.spans
    return text
  }

  static func += (left: inout ReportText, right: ReportText) { left = left + right }

  var isEmpty: Bool { spans.isEmpty }
}

extension Sequence<ReportText> {
  func joined(separator: ReportText) -> ReportText {
    var joined: ReportText = ""
    for (position, text) in enumerated() { joined += position > 0 ? separator + text : text }
    return joined
  }
}
