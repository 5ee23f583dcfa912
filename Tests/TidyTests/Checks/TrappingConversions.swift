/// Conversions from floating point to whole numbers that trap for extreme values.
///
/// A scan of the text does not know types. It finds a conversion by its argument: a call that returns a floating point
/// number, a literal with a fraction or an exponent, or a name that the file declares only as a `Double`.
enum TrappingConversions {
  static let checked = "Sources/HarnessPrimitives/SaturatingConversion.swift"

  private static let types: Set = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]
  private static let calls: Set = [
    "Double", "Float", "rounded", "log", "log10", "log2", "log1p", "exp", "pow", "sqrt", "squareRoot", "floor", "ceil",
    "timeIntervalSince1970", "timeIntervalSinceNow",
  ]

  static func trappingConversions(_ files: [SourceFile]) -> [Finding] {
    files.filter { $0.language == .swift && $0.isIn("Sources") && $0.path != checked }.flatMap { file -> [Finding] in
      // Strings are kept, because they contain interpolations.
      let words = Word.all(in: CodeMask.code(of: file.text, .swift, keepsStrings: true))
      let doubles = doubles(in: words)
      return words.indices.compactMap { index in
        guard let argument = argument(ofConversionAt: index, in: words),
          let sign = argument.first(where: { calls.contains($0.text) || $0.isFraction || doubles.contains($0.text) })
        else { return nil }
        let remedy = "use \(words[index].text)(saturating:) or \(words[index].text)(exactly:)"
        return file.finding(words[index].line, "`\(sign.text)` is converted and may trap: \(remedy)")
      }
    }
  }

  /// The words of the converted expression; nil if this is not a conversion, or one that cannot trap.
  private static func argument(ofConversionAt index: Int, in words: [Word]) -> ArraySlice<Word>? {
    guard types.contains(words[index].text), index + 1 < words.count, words[index + 1].text == "(" else { return nil }
    // `.Int(` is a member of another type, and `...Int(` is the end of a range.
    let before = words[..<index].suffix(2).map(\.text)
    if before.last == ".", before.first != "." { return nil }
    let start = index + 2
    // A conversion with a label does not trap.
    guard start + 1 < words.count, words[start + 1].text != ":" else { return nil }
    var depth = 1
    var end = start
    while end < words.count {
      if words[end].text == "(" { depth += 1 }
      if words[end].text == ")" { depth -= 1 }
      if depth == 0 { break }
      end += 1
    }
    return words[start..<end]
  }

  /// Names that are declared only as a `Double` or an array of these.
  private static func doubles(in words: [Word]) -> Set<String> {
    var doubles: Set<String> = []
    var others: Set<String> = []
    for index in words.indices.dropLast(2) where words[index].isName {
      let rest = words[(index + 1)...].prefix(3).map(\.text)
      if rest[0] == ":" {
        let type = rest[1] == "[" && rest.count > 2 ? rest[2] : rest[1]
        if type == "Double" {
          doubles.insert(words[index].text)
        } else if type.first?.isUppercase == true {
          others.insert(words[index].text)
        }
      } else if rest.count > 2, rest[0] == "=", rest[1] == "Double", rest[2] == "(" {
        doubles.insert(words[index].text)
      }
    }
    return doubles.subtracting(others)
  }

  /// A name, a number or one other character.
  private struct Word {
    let text: String
    let line: Int

    var isName: Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }
    /// A literal such as 0.5 or 1e9.
    var isFraction: Bool {
      guard text.first?.isNumber == true, !text.hasPrefix("0x") else {
        return text.hasPrefix("0x") && text.contains("p")
      }
      return text.contains(".") || text.contains("e")
    }

    static func all(in code: [UInt8]) -> [Word] {
      var words: [Word] = []
      var line = 1
      var index = 0
      while index < code.count {
        let start = index
        if code[index] == UInt8(ascii: "\n") { line += 1 }
        index += 1
        if isPart(code[start]) {
          let isNumber = isDigit(code[start])
          while index < code.count, isPart(code[index]) || isNumber && isPoint(at: index, in: code) { index += 1 }
        }
        let text = String(decoding: code[start..<index], as: UTF8.self)
        if text != " ", text != "\n" { words.append(Word(text: text, line: line)) }
      }
      return words
    }

    private static func isPoint(at index: Int, in code: [UInt8]) -> Bool {
      code[index] == UInt8(ascii: ".") && index + 1 < code.count && isDigit(code[index + 1])
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isPart(_ byte: UInt8) -> Bool {
      isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f || byte >= 0x80
    }
  }
}
