/// The table of the engine's rules names tests that exist.
enum RuleTable {
  static let path = "Documentation/engine-rules.md"

  /// Each `Suite › test` in the table's last column that no test file declares.
  static func missingTests(_ table: SourceFile, in files: [SourceFile]) -> [Finding] {
    let tests = files.filter { $0.language == .swift && $0.isIn("Tests") }.map(TestFile.init)
    return table.lines.enumerated().flatMap { index, line -> [Finding] in
      var suite: Substring?
      return entries(of: line).compactMap { entry in
        guard let arrow = entry.firstRange(of: " › ") else { return nil }
        let named = entry[..<arrow.lowerBound].split { $0 == " " || $0 == ":" }.last
        if let named, named != "…" { suite = named }
        let name = test(in: entry[arrow.upperBound...])
        let isThere = tests.contains { $0.suites.contains(suite ?? "") && $0.tests.contains(name) }
        return isThere ? nil : table.finding(index + 1, "there is no test \(suite ?? "") › \(name)")
      }
    }
  }

  /// The names that a file declares.
  private struct TestFile {
    var suites: Set<Substring> = []
    var tests: Set<Substring> = []

    init(_ file: SourceFile) {
      for line in file.lines {
        if let word = line.firstRange(of: "struct ") {
          suites.insert(line[word.upperBound...].prefix { $0.isLetter || $0.isNumber })
        }
        if line.contains("func `") { tests.insert(line.split(separator: "`", omittingEmptySubsequences: false)[1]) }
      }
    }
  }

  private static func entries(of line: String) -> [Substring] {
    guard line.hasPrefix("| "), let cell = line.split(separator: "|").last else { return [] }
    return cell.split(separator: ";")
  }

  /// The name without a trailing remark in parentheses.
  private static func test(in text: Substring) -> Substring {
    var name = text.firstRange(of: " (").map { text[..<$0.lowerBound] } ?? text
    while name.last == " " { name.removeLast() }
    return name
  }
}
