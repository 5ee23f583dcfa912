internal import Foundation

/// The relative links of Markdown files.
enum Links {
  struct Link: Equatable {
    let line: Int
    let target: String
  }

  static func brokenLinks(_ files: [SourceFile], exists: (String) -> Bool) -> [Finding] {
    files.filter { $0.language == .markdown }.flatMap { file in
      all(in: file).compactMap { link in
        guard let path = path(link.target, from: file.path) else {
          return file.finding(link.line, "the link \(link.target) leads out of the repository")
        }
        return path.isEmpty || exists(path) ? nil : file.finding(link.line, "the link \(link.target) leads nowhere")
      }
    }
  }

  /// Links to files, without those to the web and within the page.
  static func all(in file: SourceFile) -> [Link] {
    var fence: Substring?
    return file.lines.enumerated().flatMap { index, line -> [Link] in
      let start = line.drop { $0 == " " }
      let mark = start.prefix { $0 == "`" || $0 == "~" }
      if let open = fence {
        if mark.hasPrefix(open), mark.count == start.count { fence = nil }
        return []
      }
      if mark.count >= 3 {
        fence = mark
        return []
      }
      return targets(in: withoutCode(line)).filter { !isElsewhere($0) }.map { Link(line: index + 1, target: $0) }
    }
  }

  /// The targets of `[text](target)`, `![text](target "title")` and `[name]: target`.
  private static func targets(in line: String) -> [String] {
    var result: [String] = []
    if line.hasPrefix("["), !line.hasPrefix("[^"), let mark = line.firstRange(of: "]:") {
      result.append(target(line[mark.upperBound...]))
    }
    return result + line.ranges(of: "](").map { target(line[$0.upperBound...]) }
  }

  private static func target(_ text: Substring) -> String {
    let text = text.drop { $0 == " " }
    if text.hasPrefix("<") { return String(text.dropFirst().prefix { $0 != ">" }) }
    var depth = 0
    return String(
      text.prefix { character in
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        return depth >= 0 && character != " "
      }
    )
  }

  private static func isElsewhere(_ target: String) -> Bool {
    if target.isEmpty || target.hasPrefix("#") || target.hasPrefix("//") { return true }
    guard let colon = target.firstIndex(of: ":") else { return false }
    return target[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+.-".contains($0) }
  }

  /// Blanks text between backticks.
  private static func withoutCode(_ line: String) -> String {
    var result = ""
    var rest = line[...]
    while let open = rest.firstIndex(of: "`") {
      let mark = rest[open...].prefix { $0 == "`" }
      guard let close = rest[mark.endIndex...].firstRange(of: mark) else { break }
      result += rest[..<open]
      rest = rest[close.upperBound...]
    }
    return result + rest
  }

  /// The path from the root, or nil if it leaves the root. A leading slash means the root.
  private static func path(_ target: String, from file: String) -> String? {
    let bare = target.prefix { $0 != "#" && $0 != "?" }
    let decoded = String(bare).removingPercentEncoding ?? String(bare)
    var parts = decoded.hasPrefix("/") ? [] : file.split(separator: "/").dropLast().map(String.init)
    for part in decoded.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(String(part))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }
}
