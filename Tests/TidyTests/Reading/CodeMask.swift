/// Blanks comments and strings, so that only code remains.
///
/// It handles nested comments, raw and multi-line strings, interpolations that contain strings, and C's characters and
/// preprocessor lines. It does not handle regex literals; none in this repository contains a quote or a brace.
struct CodeMask {
  private let bytes: [UInt8]
  private let language: Language
  private let keepsStrings: Bool
  private var masked: [UInt8]
  private var index = 0

  static func code(of text: String, _ language: Language, keepsStrings: Bool = false) -> [UInt8] {
    guard language == .swift || language == .c else { return Array(text.utf8) }
    var mask = CodeMask(text, language, keepsStrings: keepsStrings)
    mask.skipCode(untilClosed: false)
    return mask.masked
  }

  private init(_ text: String, _ language: Language, keepsStrings: Bool) {
    bytes = Array(text.utf8)
    masked = bytes
    self.language = language
    self.keepsStrings = keepsStrings
  }

  /// - Parameter untilClosed: Whether to end after the closing parenthesis of the enclosing pair.
  private mutating func skipCode(untilClosed: Bool) {
    var depth = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
        skipLine()
        blank(from: start)
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
        skipBlockComment()
        blank(from: start)
      case UInt8(ascii: "#") where language == .c:
        skipLine()
        blank(from: start)
      case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "'"):
        if skipString(), !keepsStrings { blank(from: start) }
      case UInt8(ascii: "("):
        depth += 1
        index += 1
      case UInt8(ascii: ")"):
        index += 1
        if untilClosed, depth == 0 { return }
        depth -= 1
      default:
        index += 1
      }
    }
  }

  /// Skips to the end of the line. In C, a backslash at its end continues it on the next line.
  private mutating func skipLine() {
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
      let isContinued = language == .c && bytes[index] == UInt8(ascii: "\\") && peek(1) == UInt8(ascii: "\n")
      index += isContinued ? 2 : 1
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*"), language == .swift || depth == 0 {
        depth += 1
        index += 2
      } else if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        index += 2
        if depth == 0 { return }
      } else {
        index += 1
      }
    }
  }

  /// Skips a string with its delimiters.
  ///
  /// - Returns: False if it skipped a single `#` or `'` instead.
  private mutating func skipString() -> Bool {
    var hashes = 0
    while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
    guard let quote = peek(hashes), quote == UInt8(ascii: "\"") || (language == .c && quote == UInt8(ascii: "'")) else {
      index += max(hashes, 1)
      return false
    }
    let isTriple = language == .swift && peek(hashes + 1) == quote && peek(hashes + 2) == quote
    let quotes = isTriple ? 3 : 1
    index += hashes + quotes
    while let byte = peek(0) {
      if byte == UInt8(ascii: "\\"), has(hashes, of: UInt8(ascii: "#"), at: 1) {
        let isInterpolation = language == .swift && peek(1 + hashes) == UInt8(ascii: "(")
        index += 2 + hashes
        if isInterpolation { skipCode(untilClosed: true) }
      } else if has(quotes, of: quote, at: 0), has(hashes, of: UInt8(ascii: "#"), at: quotes) {
        index += quotes + hashes
        return true
      } else if byte == UInt8(ascii: "\n"), !isTriple {
        return true
      } else {
        index += 1
      }
    }
    return true
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private func has(_ count: Int, of byte: UInt8, at distance: Int) -> Bool {
    (0..<count).allSatisfy { peek(distance + $0) == byte }
  }

  private mutating func blank(from start: Int) {
    for position in start..<min(index, bytes.count) where bytes[position] != UInt8(ascii: "\n") {
      masked[position] = UInt8(ascii: " ")
    }
    index = min(index, bytes.count)
  }
}
