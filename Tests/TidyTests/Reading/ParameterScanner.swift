/// The parameters of one function or initializer.
struct ParameterList: Equatable, Sendable {
  let line: Int
  /// The number of parameters that are passed without a label.
  let unlabelled: Int
}

/// Finds the parameter lists of functions and initializers in code whose comments and strings are blanked.
enum ParameterScanner {
  static func lists(in code: [UInt8]) -> [ParameterList] {
    let text = String(decoding: code, as: UTF8.self)
    return text.matches(of: /\b(?:func\s+(?:`[^`]+`|[^\s(<]+)|init[?!]?)\s*(?:<[^(]*>)?\(/).map { match in
      ParameterList(
        line: text[..<match.range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1,
        unlabelled: parameters(text[match.range.upperBound...]).count { $0.hasPrefix("_ ") }
      )
    }
  }

  /// The parameters of the list that was opened just before `text`.
  static func parameters(_ text: Substring) -> [Substring] {
    var depth = 0
    var start = text.startIndex
    var result: [Substring] = []
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        if depth < 0 { return result + [text[start..<index].drop(while: \.isWhitespace)] }
      case "," where depth == 0:
        result.append(text[start..<index].drop(while: \.isWhitespace))
        start = text.index(after: index)
      default: break
      }
    }
    return result
  }
}
