/// A word with arguments, such as `zipfian(0.99)` or `hotspot(20% 80%)`; a word alone has none.
///
/// Arguments are separated by spaces, never commas, so that they survive YAML's flow style.
public struct CallScalar: Equatable, Sendable {
  public let text: String
  public let name: String
  public let arguments: [String]

  public init(_ text: String) throws(ScalarProblem) {
    self.text = text
    guard let open = text.firstIndex(of: "(") else {
      name = text
      arguments = []
      return
    }
    let inner = text[text.index(after: open)...].dropLast()
    guard text.hasSuffix(")"), !inner.contains("("), !inner.contains(")") else {
      throw ScalarProblem(expected: "a word with arguments in one pair of parentheses", found: text)
    }
    guard !inner.contains(",") else {
      throw ScalarProblem("the arguments of \(quoted(text)) are separated by spaces, never commas")
    }
    name = String(text[..<open])
    arguments = inner.split(separator: " ").map(String.init)
  }

  /// Refuses another number of arguments than the form has.
  ///
  /// - Parameter form: how it is written, such as `hotspot(20% 80%)`.
  func requireArguments(_ count: Int, form: String) throws(ScalarProblem) {
    guard arguments.count == count else {
      throw ScalarProblem(expected: form, found: text, because: "\(quoted(name)) takes \(amount(count))")
    }
  }

  private func amount(_ count: Int) -> String {
    switch count {
    case 0: "no argument"
    case 1: "one argument"
    default: "\(count) arguments"
    }
  }
}
