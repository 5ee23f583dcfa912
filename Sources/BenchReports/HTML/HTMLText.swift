/// Text for HTML and for SVG inside of it.
enum HTMLText {
  /// `text` as it is, between tags and between the quotes of an attribute: no markup, nothing that turns the direction
  /// of what stands around it.
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

  /// An element of one line.
  /// - Parameter content: HTML; nil for an element that has none.
  static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String? = nil) -> String {
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
      case .code(let text): HTMLText.element("code", [], HTMLText.escaped(text))
      case .strong(let text): HTMLText.element("strong", [], text.html)
      case .report(let text, let path): HTMLText.element("a", [("href", path + ".html")], text.html)
      }
    }.joined()
  }

  /// Without any markup.
  var plain: String {
    spans.map { span in
      switch span {
      case .literal(let text), .text(let text), .code(let text): InertText.line(text)
      case .strong(let text), .report(let text, _): text.plain
      }
    }.joined()
  }
}
