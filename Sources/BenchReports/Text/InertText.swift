/// Text that comes from a scenario or an engine, made harmless for the file that shows it.
///
/// A scenario may come from a stranger: its names must not become markup, nor reorder or hide what stands around them.
package enum InertText {
  /// One line without characters that control a terminal or turn the direction of the text; those show as their code.
  package static func line(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}", "\u{85}":
        if line.last != " " { line.append(" ") }
      default:
        if isHidden(scalar) {
          line += "U+" + hexadecimal(scalar.value)
        } else {
          line.unicodeScalars.append(scalar)
        }
      }
    }
    return line
  }

  /// `text` with its tabs and line breaks, and without other characters that `line` would not leave; for a table that
  /// can quote them.
  static func cell(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    return text.unicodeScalars.reduce(into: "") { cell, scalar in
      if isHidden(scalar), !["\n", "\r", "\t"].contains(scalar) {
        cell += "U+" + hexadecimal(scalar.value)
      } else {
        cell.unicodeScalars.append(scalar)
      }
    }
  }

  /// Inline Markdown that shows `text` as it is, also inside of a table's cell.
  static func markdown(_ text: String) -> String {
    let characters = Array(line(text).drop { $0 == " " })
    // `12.` and `12)` would begin a list.
    let leadingDigits = characters.prefix { $0.isNumber }.count
    var escaped = ""
    for (position, character) in characters.enumerated() {
      let next = position + 1 < characters.count ? characters[position + 1] : " "
      switch character {
      case ">" where position == 0, "=" where position == 0: escaped += "\\\(character)"
      case "-" where position == 0 && !next.isNumber, "+" where position == 0: escaped += "\\\(character)"
      case "." where position == leadingDigits && next == " ", ")" where position == leadingDigits:
        escaped += "\\\(character)"
      case "|": escaped += "&#124;"
      // `<` begins a tag, and `&` an entity, only before certain characters; else they stay readable.
      case "<": escaped += next == " " || next == "=" || next.isNumber ? "<" : "&lt;"
      case "&": escaped += next == " " ? "&" : "&amp;"
      case "\\", "`", "*", "_", "[", "]", "~", "#", "$": escaped += "\\\(character)"
      case "!": escaped += next == "[" ? "\\!" : "!"
      // Keeps an address from becoming a link.
      case ":": escaped += next == "/" ? "&#58;" : ":"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// What `markdown` was made from: the text that such Markdown shows.
  static func plain(markdown: String) -> String {
    var plain = ""
    var isEscaped = false
    for character in markdown {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        plain.append(character)
        isEscaped = false
      }
    }
    for (entity, character) in [("&#124;", "|"), ("&#58;", ":"), ("&lt;", "<"), ("&amp;", "&")] {
      plain = plain.replacing(entity, with: character)
    }
    return plain
  }

  /// A code span that shows `text` as it is; plain text where a code span cannot.
  static func code(_ text: String) -> String {
    let line = line(text)
    // No way of writing a pipe in a table's code span is read the same everywhere; a backtick would end the span.
    if line.isEmpty || line.contains("|") || line.contains("`") || line.contains("\\") { return markdown(text) }
    return "`\(line)`"
  }

  /// At most `length` characters of it.
  static func shortened(_ text: String, to length: Int) -> String {
    text.count <= length ? text : text.prefix(length - 1) + "…"
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
