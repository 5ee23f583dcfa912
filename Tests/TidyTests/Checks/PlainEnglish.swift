/// The wording of comments, as far as a scan can check it.
enum PlainEnglish {
  /// First words of clauses in place of nouns: "What ends a phase." instead of "The condition that ends a phase."
  private static let clauseStarts: Set<Substring> = ["What", "Who", "Whoever"]

  /// Words that hide which thread, connection or caller acts, or that readers have to translate.
  private static let words: Set<String> = ["nobody", "somebody", "whoever", "told", "tell", "tells", "anew"]

  /// Words that refer back to an earlier noun or moment, so that a sentence has to be read twice.
  private static let backReferences = [["that", "of"], ["those", "of"], ["meanwhile"]]

  static func nounClauses(_ files: [SourceFile]) -> [Finding] {
    comments(files) { text in
      guard let first = withoutParameterName(text).split(separator: " ").first else { return nil }
      return clauseStarts.contains(first)
        ? "a comment begins with \"\(first)\": name the thing, or say what the function does" : nil
    }
  }

  static func hiddenSubjects(_ files: [SourceFile]) -> [Finding] {
    comments(files) { text in
      let found = text.split { !$0.isLetter }.first { words.contains($0.lowercased()) }
      return found.map { "a comment says \"\($0)\": name the thread, connection or caller, and what it does" }
    }
  }

  /// Returns all comments that refer back, if they are more than `budget` in 1,000 comment lines.
  static func backReferences(_ files: [SourceFile], budget: Int) -> [Finding] {
    let found = comments(files) { text in
      let words = text.lowercased().split { !$0.isLetter }.map(String.init)
      let first = backReferences.first { words.firstRange(of: $0) != nil }
      return first.map { "a comment says \"\($0.joined(separator: " "))\": repeat the noun, or name the time" }
    }
    return found.count * 1_000 > budget * commentLineCount(files) ? found : []
  }

  private static func commentLineCount(_ files: [SourceFile]) -> Int {
    files.reduce(0) { $0 + $1.commentLines.count }
  }

  /// The text after the colon of `- Parameter name: text` and `- Returns: text`.
  private static func withoutParameterName(_ text: Substring) -> Substring {
    guard text.hasPrefix("- "), let colon = text.firstIndex(of: ":") else { return text }
    return text[text.index(after: colon)...].drop { $0 == " " }
  }

  private static func comments(_ files: [SourceFile], _ problem: (Substring) -> String?) -> [Finding] {
    files.filter { $0.language == .swift || $0.language == .c }.flatMap { file in
      file.commentLines.compactMap { line, text in problem(text).map { file.finding(line, $0) } }
    }
  }
}
