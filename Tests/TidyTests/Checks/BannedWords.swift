/// Words that must not be written, and words that need a reason beside them.
enum BannedWords {
  private struct Word {
    let text: String
    let reason: String
    var onlyInSources = false
    /// The folder that may use it.
    var exempt: String?
    /// Whether it is banned in comments and strings as well.
    var inComments = false
    /// Whether it is banned only in front of a number.
    var beforeNumber = false
  }

  private static let words = [
    Word(text: "try!", reason: "throw, or say what cannot fail"),
    Word(text: "Thread.sleep(", reason: "wait for what is awaited"),
    Word(text: "Task.sleep(", reason: "wait for what is awaited"),
    Word(text: "usleep(", reason: "wait for what is awaited"),
    Word(text: "sleep(", reason: "wait for what is awaited", onlyInSources: true, beforeNumber: true),
    Word(text: "print(", reason: "only the command prints", onlyInSources: true, exempt: "Sources/YapBenchCommand"),
    Word(text: "debugPrint(", reason: "only the command prints", onlyInSources: true),
    Word(text: "TODO", reason: "do it, or leave it out", onlyInSources: true, inComments: true),
    Word(text: "FIXME", reason: "mend it, or leave it out", onlyInSources: true, inComments: true),
    Word(text: "XXX", reason: "mend it, or leave it out", onlyInSources: true, inComments: true),
  ]

  static func bannedWords(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift || $0.language == .c }.flatMap { file -> [Finding] in
      let inSources = file.isIn("Sources")
      guard inSources || file.isIn("Tests") else { return [] }
      let relevant = words.filter { word in
        (inSources || !word.onlyInSources) && !(word.exempt.map(file.isIn) ?? false)
      }
      let codeLines = file.codeLines
      return file.lines.enumerated().flatMap { index, line in
        relevant.filter { has($0, in: $0.inComments ? line : codeLines[index]) }.map {
          file.finding(index + 1, "`\($0.text)` is banned: \($0.reason)")
        }
      }
    }
  }

  private static func has(_ word: Word, in line: String) -> Bool {
    line.ranges(of: word.text).contains { range in
      let start = line[..<range.lowerBound]
      let before = start.last
      if let before, before.isLetter || before.isNumber || before == "_" { return false }
      // `.print(` is a method of something else; `Thread.sleep(` has a row of its own.
      let isMethod = before == "." && !["Swift.", "Foundation.", "Glibc."].contains(where: start.hasSuffix)
      if isMethod, word.text.hasSuffix("("), word.text.first?.isLowercase == true { return false }
      if word.beforeNumber { return line[range.upperBound...].drop { $0 == " " }.first?.isNumber == true }
      let after = line[range.upperBound...].first
      return word.text.hasSuffix("(") || word.text.hasSuffix("!") || !(after.map { $0.isLetter || $0 == "_" } ?? false)
    }
  }

  /// Traps without a message or comment that says what went wrong.
  static func unexplainedTraps(_ files: [SourceFile]) -> [Finding] {
    unexplained(files.filter { $0.isIn("Sources") }, ["fatalError("]) { line in
      line.contains("//") || line.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }.contains(" ")
    }
  }

  /// Promises that the compiler does not check, without a comment on the line above.
  static func unexplainedPromises(_ files: [SourceFile]) -> [Finding] {
    unexplained(files, ["@unchecked Sendable", "nonisolated(unsafe)"]) { _ in false }
  }

  private static func unexplained(
    _ files: [SourceFile],
    _ words: [String],
    isExplained: (String) -> Bool
  ) -> [Finding] {
    files.filter { $0.language == .swift }.flatMap { file in
      file.codeLines.enumerated().flatMap { index, line -> [Finding] in
        guard let word = words.first(where: { line.contains($0) }), !isExplained(file.lines[index]) else { return [] }
        let above = index > 0 ? file.lines[index - 1].drop { $0 == " " } : ""
        if above.hasPrefix("//") { return [] }
        return [file.finding(index + 1, "`\(word)` needs a comment on the line above that says why")]
      }
    }
  }

  private static let emptyNames = ["Manager", "Helper", "Helpers", "Util", "Utils", "Impl", "Base"]
  private static let typeKeywords: Set = ["class", "struct", "enum", "actor", "protocol", "typealias"]

  /// Names of types and files that carry no information.
  static func emptyNames(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift }.flatMap { file -> [Finding] in
      let stem = file.path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
      let ofFile = saysNothing(stem) ? [file.finding(1, "the name \(stem) says nothing")] : []
      return ofFile
        + file.codeLines.enumerated().flatMap { index, line -> [Finding] in
          let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
          return zip(words, words.dropFirst()).compactMap { keyword, name in
            guard typeKeywords.contains(String(keyword)), saysNothing(String(name)) else { return nil }
            return file.finding(index + 1, "the name \(name) says nothing")
          }
        }
    }
  }

  private static func saysNothing(_ name: String) -> Bool {
    emptyNames.contains { name.hasSuffix($0) }
  }
}
