/// Java properties of one or several files, such as a workload of YCSB. Of several with the same name the last one
/// counts.
struct PropertyFile {
  struct Property {
    var name: String
    var value: String
    var nameLocation: SourceLocation
    var valueLocation: SourceLocation
  }

  var properties: [Property] = []

  mutating func append(_ text: String, file: String) {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      Array(line.last == "\r" ? line.dropLast() : line)
    }
    var index = 0
    while index < lines.count {
      var scalars = Self.located(lines[index], line: index + 1, file: file)
      let isComment = scalars.first.map { $0.scalar == "#" || $0.scalar == "!" } ?? false
      index += 1
      // A backslash at the end of a comment does not continue it.
      while !isComment, Self.isContinued(scalars), index < lines.count {
        scalars.removeLast()
        scalars += Self.located(lines[index], line: index + 1, file: file)
        index += 1
      }
      if !isComment, !scalars.isEmpty { properties.append(Self.property(scalars[...])) }
    }
  }

  subscript(name: String) -> Property? { properties.last { $0.name == name } }

  private struct Located {
    var scalar: Unicode.Scalar
    var location: SourceLocation

    var isSpace: Bool { scalar == " " || scalar == "\t" || scalar == "\u{c}" }
  }

  /// Returns the characters of a line with their locations, without the spaces at its start.
  private static func located(_ line: [Unicode.Scalar], line number: Int, file: String) -> [Located] {
    let scalars = line.enumerated().map { offset, scalar in
      Located(scalar: scalar, location: SourceLocation(file: file, line: number, column: offset + 1))
    }
    return Array(scalars.drop(while: \.isSpace))
  }

  /// Whether the line ends with an odd number of backslashes.
  private static func isContinued(_ scalars: [Located]) -> Bool {
    !scalars.reversed().prefix { $0.scalar == "\\" }.count.isMultiple(of: 2)
  }

  private static func property(_ scalars: ArraySlice<Located>) -> Property {
    var name = scalars.prefix { !$0.isSpace && $0.scalar != "=" && $0.scalar != ":" }
    // A character that would end the name belongs to it if a backslash precedes it.
    while name.last?.scalar == "\\", name.endIndex < scalars.endIndex {
      let rest = scalars[name.endIndex...].dropFirst().prefix { !$0.isSpace && $0.scalar != "=" && $0.scalar != ":" }
      name = scalars[name.startIndex..<rest.endIndex]
    }
    var value = scalars[name.endIndex...].drop(while: \.isSpace)
    if let first = value.first, first.scalar == "=" || first.scalar == ":" {
      value = value.dropFirst().drop(while: \.isSpace)
    }
    while let last = value.last, last.isSpace { value.removeLast() }
    let start = scalars[scalars.startIndex].location
    return Property(
      name: unescaped(name),
      value: unescaped(value),
      nameLocation: start,
      valueLocation: value.first?.location ?? start
    )
  }

  private static func unescaped(_ scalars: ArraySlice<Located>) -> String {
    var result = String.UnicodeScalarView()
    var rest = scalars.map(\.scalar)[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let next = rest.popFirst() else {
        result.append(scalar)
        continue
      }
      switch next {
      case "t": result.append("\t")
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "u":
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        rest = rest.dropFirst(4)
        result.append(UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{fffd}")
      default: result.append(next)
      }
    }
    return String(result)
  }
}
