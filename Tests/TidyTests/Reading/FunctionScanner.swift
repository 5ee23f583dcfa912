/// A function with a body, and the lines from its name to its closing brace.
struct FunctionSpan: Equatable, Sendable {
  let name: String
  let line: Int
  let lineCount: Int
}

/// Finds functions by matching braces in code whose comments and strings are blanked.
enum FunctionScanner {
  static func functions(in file: SourceFile) -> [FunctionSpan] {
    switch file.language {
    case .swift: SwiftFunctions(file.code).all()
    case .c: CFunctions(file.code).all()
    case .shell: shellFunctions(file.lines)
    case .markdown, .other: []
    }
  }

  /// The lines of unmatched braces.
  static func loneBraces(in code: [UInt8]) -> [Int] {
    var line = 1
    var open: [Int] = []
    var lone: [Int] = []
    for byte in code {
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte == UInt8(ascii: "{") { open.append(line) }
      if byte == UInt8(ascii: "}"), open.popLast() == nil { lone.append(line) }
    }
    return lone + open
  }

  /// Functions from `name() {` at the start of a line to `}` at the start of a line.
  private static func shellFunctions(_ lines: [String]) -> [FunctionSpan] {
    var result: [FunctionSpan] = []
    var open: (name: String, index: Int)?
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("}"), let (name, start) = open {
        result.append(FunctionSpan(name: name, line: start + 1, lineCount: index - start + 1))
        open = nil
      } else if let end = line.firstIndex(of: "("), line.hasSuffix("{"), !line.hasPrefix(" "), line.contains("()") {
        open = (String(line[..<end]), index)
      }
    }
    return result
  }
}

/// The bytes of a file, the line of each byte, and the matching of braces, for both languages.
private struct Braces {
  let code: [UInt8]
  private let lineStarts: [Int]

  init(_ code: [UInt8]) {
    self.code = code
    lineStarts = [0] + code.indices.filter { code[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  func line(of index: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while low < high {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func close(of open: Int) -> Int {
    var depth = 0
    for index in open..<code.count {
      if code[index] == UInt8(ascii: "{") { depth += 1 }
      if code[index] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return index }
    }
    return code.count - 1
  }

  func span(_ name: String, from start: Int, body open: Int) -> FunctionSpan {
    let first = line(of: start)
    return FunctionSpan(name: name, line: first, lineCount: line(of: close(of: open)) - first + 1)
  }

  func word(at start: Int) -> String {
    var end = start
    while end < code.count, isWord(code[end]) { end += 1 }
    return String(decoding: code[start..<end], as: UTF8.self)
  }

  func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xff:
      true
    default: false
    }
  }
}

/// Functions, initializers, deinitializers, subscripts and computed properties. A closure belongs to the enclosing
/// function.
private struct SwiftFunctions {
  private static let keywords: Set<String> = ["func", "init", "deinit", "subscript", "var"]
  /// Words that end a declaration without a body.
  private static let declarations: Set<String> = [
    "func", "init", "deinit", "subscript", "var", "let", "case", "struct", "class", "enum", "actor", "extension",
    "protocol", "typealias", "associatedtype", "import", "public", "private", "fileprivate", "internal", "package",
    "static", "mutating",
  ]

  private let braces: Braces

  init(_ code: [UInt8]) {
    braces = Braces(code)
  }

  func all() -> [FunctionSpan] {
    let code = braces.code
    var result: [FunctionSpan] = []
    var index = 0
    while index < code.count {
      guard braces.isWord(code[index]) else {
        index += 1
        continue
      }
      let word = braces.word(at: index)
      let end = index + word.utf8.count
      // `.init` is a call, and a word in backticks is a name.
      let isName = index > 0 && [UInt8(ascii: "."), UInt8(ascii: "`")].contains(code[index - 1])
      if !isName, Self.keywords.contains(word), let open = body(from: end, isProperty: word == "var") {
        result.append(braces.span(name(word, end), from: index, body: open))
      }
      index = end
    }
    return result
  }

  /// The opening brace of the body, or nil for a requirement and a stored property.
  private func body(from start: Int, isProperty: Bool) -> Int? {
    let code = braces.code
    var depth = 0
    var index = start
    while index < code.count {
      switch code[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "{") where depth == 0: return index
      case UInt8(ascii: "}") where depth <= 0, UInt8(ascii: ";") where depth <= 0: return nil
      case UInt8(ascii: "=") where isProperty && depth == 0: return nil
      case UInt8(ascii: "\n") where isProperty && depth == 0: return nil
      case let byte where braces.isWord(byte):
        let word = braces.word(at: index)
        if depth <= 0, code[index - 1] != UInt8(ascii: "`"), Self.declarations.contains(word) { return nil }
        index += word.utf8.count - 1
      default: break
      }
      if depth < 0 { return nil }
      index += 1
    }
    return nil
  }

  private func name(_ keyword: String, _ end: Int) -> String {
    guard keyword == "func" || keyword == "var" else { return keyword }
    var start = end
    while start < braces.code.count, braces.code[start] == UInt8(ascii: " ") { start += 1 }
    let name = braces.word(at: start)
    return name.isEmpty ? keyword : name
  }
}

/// Functions of C: bodies at the top level that follow a closing parenthesis.
private struct CFunctions {
  private let braces: Braces

  init(_ code: [UInt8]) {
    braces = Braces(code)
  }

  func all() -> [FunctionSpan] {
    let code = braces.code
    var result: [FunctionSpan] = []
    var index = 0
    var lastParenthesis: Int?
    var previous: UInt8 = 0
    while index < code.count {
      let byte = code[index]
      if byte == UInt8(ascii: "(") { lastParenthesis = index }
      if byte == UInt8(ascii: "{") {
        if previous == UInt8(ascii: ")"), let start = lastParenthesis {
          result.append(braces.span(name(before: start), from: start, body: index))
        }
        index = braces.close(of: index)
        previous = UInt8(ascii: "}")
      } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\n") {
        previous = byte
      }
      index += 1
    }
    return result
  }

  private func name(before parenthesis: Int) -> String {
    var start = parenthesis
    while start > 0, braces.isWord(braces.code[start - 1]) { start -= 1 }
    return braces.word(at: start)
  }
}
