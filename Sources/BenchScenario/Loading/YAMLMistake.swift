/// A text that libyaml cannot read, and the mistake that its author probably made.
///
/// libyaml describes the state of its scanner, often at the line after the mistake.
struct YAMLMistake {
  /// The messages of libyaml.
  let problem: String
  let context: String?
  /// The location of the problem, and of the construct that contains it.
  let location: SourceLocation
  let contextLocation: SourceLocation
  private let lines: [Substring.UnicodeScalarView]

  init(
    _ problem: String,
    at location: SourceLocation,
    context: String?,
    at contextLocation: SourceLocation,
    in text: String
  ) {
    (self.problem, self.location) = (problem, location)
    (self.context, self.contextLocation) = (context, contextLocation)
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var failure: YAMLFailure {
    switch problem {
    case "found character that cannot start any token": character
    case "found a tab character that violates indentation": tab
    case "could not find expected ':'" where context == "while scanning a simple key": key
    case "mapping values are not allowed in this context": value
    case "did not find expected key" where context == "while parsing a block mapping": indent
    default:
      YAMLFailure(message: "this is not YAML: \(problem)\(context.map { " " + $0 } ?? "")", location: location)
    }
  }

  private var tab: YAMLFailure {
    YAMLFailure(message: "a tab cannot indent a line or separate values; use spaces", location: location)
  }

  private var character: YAMLFailure {
    let character = line(location.line).dropFirst(location.column - 1).first
    guard let character, character != "\t" else { return tab }
    return YAMLFailure(
      message: "\(quoted(String(Character(character)))) cannot begin a value; put the value in quotation marks",
      location: location
    )
  }

  /// A key ends with a colon, and a space or the end of the line must follow the colon.
  private var key: YAMLFailure {
    let text = line(contextLocation.line).dropFirst(contextLocation.column - 1)
    let key = text.prefix { $0 != ":" && $0 != " " }
    let message =
      text.dropFirst(key.count).first == ":"
      ? "expected a space after \(quoted(String(key) + ":"))"
      : "expected a colon after the key \(quoted(String(key)))"
    return YAMLFailure(message: message, location: contextLocation)
  }

  /// A value contains a colon, or a line's indent differs although the key before it has a value already.
  private var value: YAMLFailure {
    let hasColonBefore = String(line(location.line).prefix(location.column - 1)).contains(": ")
    let indent = indent(of: location.line)
    let previous = hasColonBefore ? nil : previousLine(of: location.line)
    guard let previous, case let previousIndent = self.indent(of: previous), previousIndent != indent else {
      return YAMLFailure(
        message: "a value that contains a colon and a space needs quotation marks",
        location: location
      )
    }
    // If the next line is indented as this one, the line before this one is the exception.
    let next = location.line < lines.count ? self.indent(of: location.line + 1) : previousIndent
    let wrong = next == indent ? previous : location.line
    return YAMLFailure(
      message: "line \(previous) is indented by \(previousIndent) spaces and line \(location.line) by \(indent); the "
        + "keys of a mapping need the same indent",
      location: SourceLocation(file: location.file, line: wrong, column: self.indent(of: wrong) + 1)
    )
  }

  private var indent: YAMLFailure {
    let (found, expected) = (indent(of: location.line), contextLocation.column - 1)
    guard location.column - 1 == found, found != expected else {
      let message =
        line(location.line).first { $0 != " " } == "-"
        ? "a list item cannot stand between the keys of a mapping"
        : "unexpected text after a value; put the whole value in quotation marks"
      return YAMLFailure(message: message, location: location)
    }
    return YAMLFailure(
      message: "expected a key indented by \(expected) spaces, as in line \(contextLocation.line), found \(found)",
      location: location
    )
  }

  private func line(_ number: Int) -> Substring.UnicodeScalarView {
    number <= lines.count ? lines[number - 1] : Substring("").unicodeScalars
  }

  /// The number of columns before the first key or value of a line; those of list items (`- `) count.
  private func indent(of number: Int) -> Int {
    var rest = line(number)
    while rest.first == " " || rest.starts(with: "- ".unicodeScalars) { rest = rest.dropFirst() }
    return line(number).count - rest.count
  }

  /// The number of the last line before `number` with a key or a value.
  private func previousLine(of number: Int) -> Int? {
    (1..<max(number, 1)).last { previous in
      let first = line(previous).drop { $0 == " " }.first
      return first != nil && first != "#"
    }
  }
}
