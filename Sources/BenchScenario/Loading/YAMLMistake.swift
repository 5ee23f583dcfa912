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
  let lines: [Substring]

  var failure: YAMLFailure {
    switch problem {
    case "found character that cannot start any token": character
    case "found a tab character that violates indentation": tab
    case "could not find expected ':'" where context == "while scanning a simple key": key
    case "mapping values are not allowed in this context": value
    case "did not find expected key" where context == "while parsing a block mapping": misplaced
    case "did not find expected '-' indicator" where context == "while parsing a block collection": misplaced
    default:
      failure("this is not YAML: \(problem)\(context.map { " " + $0 } ?? "")")
    }
  }

  private func failure(_ message: String) -> YAMLFailure { YAMLFailure(message: message, location: location) }

  private var tab: YAMLFailure { failure("a tab cannot indent a line or separate values; use spaces") }

  private var character: YAMLFailure {
    let text = line(location.line).unicodeScalars.dropFirst(location.column - 1)
    guard let character = text.first, character != "\t" else { return tab }
    if text.starts(with: "```".unicodeScalars) {
      return failure("a fence of Markdown is not part of a scenario; leave out the line")
    }
    return failure("\(quoted(String(Character(character)))) cannot begin a value; put the value in quotation marks")
  }

  /// A key ends with a colon, and a space or the end of the line must follow the colon.
  private var key: YAMLFailure {
    missingColon(in: contextLocation.line)
      ?? YAMLFailure(message: "expected a key with a colon and a space after it", location: contextLocation)
  }

  /// A value contains a colon, a key before it has no colon, or a line's indent differs although the key before it has
  /// a value already.
  private var value: YAMLFailure {
    let before = line(location.line).unicodeScalars.prefix(location.column - 1)
    let hasColonBefore = String(before).contains(": ")
    let previous = hasColonBefore ? nil : previousLine(of: location.line)
    if let previous, !continuesValue(previous), let failure = missingColon(in: previous) { return failure }
    guard let previous, indent(of: previous) != indent(of: location.line) else {
      return failure("a value that contains a colon and a space needs quotation marks")
    }
    // If the next line is indented as this one, the line before this one is the exception.
    let indent = indent(of: location.line)
    let next = location.line < lines.count ? self.indent(of: location.line + 1) : self.indent(of: previous)
    return different(previous, location.line, wrong: next == indent ? previous : location.line)
  }

  /// A line has an indent that no mapping or list above it has, or a text follows a value.
  private var misplaced: YAMLFailure {
    let isItem = isItem(location.line)
    let found = isItem ? location.column - 1 : indent(of: location.line)
    let open = openLines(above: location.line, areItems: isItem)
    guard location.column - 1 == found, !open.isEmpty, !open.contains(where: { $0.indent == found }) else {
      if isItem { return failure("a list item cannot stand between the keys of a mapping") }
      return missingColon(in: location.line)
        ?? failure("unexpected text after a value; put the whole value in quotation marks")
    }
    // If only one of the lines is indented by a multiple of the file's first indent, the other one is wrong.
    let step = lines.indices.lazy.map { self.spaces(of: $0 + 1) }.first { $0 > 0 } ?? 1
    let nearest = open.min { abs($0.indent - found) < abs($1.indent - found) }
    if let nearest, nearest.indent % step != 0, found % step == 0 {
      return different(nearest.line, location.line, wrong: nearest.line)
    }
    let expected = open.map { "\($0.indent) as in line \($0.line)" }.joined(separator: ", or ")
    return failure("the line is indented by \(spaces(found)); expected \(expected)")
  }

  private func different(_ first: Int, _ second: Int, wrong: Int) -> YAMLFailure {
    YAMLFailure(
      message: "line \(first) is indented by \(spaces(indent(of: first))) and line \(second) by "
        + "\(indent(of: second)); the keys of a mapping need the same indent",
      location: SourceLocation(file: location.file, line: wrong, column: indent(of: wrong) + 1)
    )
  }

  private func spaces(_ count: Int) -> String { count == 1 ? "1 space" : "\(count) spaces" }
}

// MARK: Lines

extension YAMLMistake {
  private func line(_ number: Int) -> Substring { lines.indices.contains(number - 1) ? lines[number - 1] : "" }

  /// Returns the problem of a line that begins with a word and then has no colon, or no space after the colon; nil for
  /// any other line.
  private func missingColon(in number: Int) -> YAMLFailure? {
    let text = line(number).unicodeScalars.dropFirst(indent(of: number))
    let key = text.prefix { $0 != ":" && $0 != " " && $0 != "\"" && $0 != "'" && $0 != "{" && $0 != "[" }
    let rest = text.dropFirst(key.count)
    guard !key.isEmpty, !rest.starts(with: ": ".unicodeScalars), rest.count != 1 || rest.first != ":" else {
      return nil
    }
    return YAMLFailure(
      message: rest.first == ":"
        ? "expected a space after \(quoted(String(key) + ":"))"
        : "expected a colon after the key \(quoted(String(key)))",
      location: SourceLocation(file: location.file, line: number, column: indent(of: number) + 1)
    )
  }

  /// Whether the line continues the text that the key of an earlier line has as its value.
  private func continuesValue(_ number: Int) -> Bool {
    guard let previous = previousLine(of: number), indent(of: previous) < indent(of: number) else { return false }
    let value = line(previous).firstRange(of: ": ").map { line(previous)[$0.upperBound...] } ?? ""
    return value.contains { $0 != " " && $0 != "|" && $0 != ">" }
  }

  /// The lines above whose mappings or lists are open, the innermost first.
  private func openLines(above number: Int, areItems: Bool) -> [(line: Int, indent: Int)] {
    var open: [(line: Int, indent: Int)] = []
    var previous = previousLine(of: number)
    while let line = previous {
      let indent = areItems ? spaces(of: line) : self.indent(of: line)
      if !areItems || isItem(line), open.last.map({ indent < $0.indent }) ?? true { open.append((line, indent)) }
      previous = previousLine(of: line)
    }
    return open
  }

  private func isItem(_ number: Int) -> Bool { line(number).drop { $0 == " " }.starts(with: "- ") }

  /// The number of spaces at the beginning of a line.
  private func spaces(of number: Int) -> Int { line(number).prefix { $0 == " " }.count }

  /// The number of columns before the first key or value of a line, including the marks of list items (`- `).
  private func indent(of number: Int) -> Int {
    var rest = line(number)
    while rest.first == " " || rest.starts(with: "- ") { rest = rest.dropFirst() }
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
