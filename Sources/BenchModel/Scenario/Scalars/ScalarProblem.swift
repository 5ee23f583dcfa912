/// Why the text of a scalar could not be read: what was expected, what was found, and what to write instead.
public struct ScalarProblem: Error, Equatable, CustomStringConvertible {
  public let message: String

  public init(_ message: String) {
    self.message = message
  }

  /// The form that every scalar's message has.
  init(expected: String, found text: String, because reason: String? = nil) {
    message = "expected \(expected), found \(quoted(text))" + (reason.map { "; \($0)" } ?? "")
  }

  public var description: String { message }
}

/// The text in quotation marks, on one line and not longer than a message can bear.
func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

/// The same without quotes, for lists.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars.prefix(60) {
    switch scalar {
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case "\u{0}"..<" ", "\u{7f}"..<"\u{a0}": result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + (text.unicodeScalars.count > 60 ? "…" : "")
}
