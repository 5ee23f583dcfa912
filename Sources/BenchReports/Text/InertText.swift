internal import Foundation

/// Text from a scenario or an engine, escaped for the file or the terminal that shows it.
///
/// A scenario may be of unknown origin: its names must not become markup, and must not reorder or hide other text.
package enum InertText {
  /// Returns the text as one line. Line breaks and tabs become spaces; other invisible characters, which may control a
  /// terminal or the direction of the text, are replaced by their code.
  package static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}", "\u{85}":
        if line.last != " " { line.append(" ") }
      default:
        if isHidden(scalar) {
          line += code(of: scalar)
        } else {
          line.unicodeScalars.append(scalar)
        }
      }
    }
    return line
  }

  /// Returns the text with codes for invisible characters but tab, line feed and carriage return, which CSV can quote.
  static func cell(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.reduce(into: "") { cell, scalar in
      if isHidden(scalar), !["\n", "\r", "\t"].contains(scalar) {
        cell += code(of: scalar)
      } else {
        cell.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns inline Markdown that shows the text as one line, without spaces at its start; also for a cell of a table.
  static func markdown(_ text: String) -> String {
    let characters = Array(line(text).drop { $0 == " " })
    // `12.` and `12)` would start a list.
    let leadingDigits = characters.prefix { $0.isNumber }.count
    var escaped = ""
    for (position, character) in characters.enumerated() {
      let next = position + 1 < characters.count ? characters[position + 1] : " "
      switch character {
      case ">" where position == 0, "=" where position == 0: escaped += "\\\(character)"
      case "-" where position == 0 && !next.isNumber, "+" where position == 0 && !next.isNumber:
        escaped += "\\\(character)"
      case "." where position == leadingDigits && next == " ", ")" where position == leadingDigits:
        escaped += "\\\(character)"
      case "|": escaped += "&#124;"
      // `<` starts a tag, and `&` an entity, only before certain characters; otherwise they are not escaped.
      case "<": escaped += next == " " || next == "=" || next.isNumber ? "<" : "&lt;"
      case "&": escaped += next == " " ? "&" : "&amp;"
      case "\\", "`", "*", "_", "[", "]", "~", "#", "$": escaped += "\\\(character)"
      case "!": escaped += next == "[" ? "\\!" : "!"
      // Prevents an address from becoming a link.
      case ":": escaped += next == "/" ? "&#58;" : ":"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// Returns a code span that shows `text`, or plain text if a code span cannot show it.
  static func code(_ text: String) -> String {
    let line = line(text)
    // Renderers differ in how they read a pipe or a backslash in a table's code span; a backtick would end the span.
    if line.isEmpty || line.contains("|") || line.contains("`") || line.contains("\\") { return markdown(text) }
    return "`\(line)`"
  }

  /// Returns the text; if it has more than `length` characters, its beginning with an ellipsis, or nothing for 0.
  package static func shortened(_ text: String, to length: Int) -> String {
    text.count <= length ? text : length > 0 ? text.prefix(length - 1) + "…" : ""
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// Such as `U+202E`.
  private static func code(of scalar: Unicode.Scalar) -> String { String(format: "U+%04X", scalar.value) }
}
