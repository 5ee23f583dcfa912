/// A value that is written as one word or number: its parser, and its description.
public struct Scalar<Value>: Sendable {
  private(set) var description: ScalarDescription
  /// Reads a text, or throws the sentence that a message needs.
  public let parse: @Sendable (String) throws(ScalarProblem) -> Value

  init(_ description: ScalarDescription, by parse: @escaping @Sendable (String) throws(ScalarProblem) -> Value) {
    self.description = description
    self.parse = parse
  }

  init(_ name: String, expected: String, by parse: @escaping @Sendable (String) throws(ScalarProblem) -> Value) {
    self.init(ScalarDescription(name, expected: expected), by: parse)
  }

  /// The scalar limited to the values for which the condition holds.
  ///
  /// - Parameters:
  ///   - expected: the values that are left, such as `more than 0`.
  ///   - reason: why the others are refused, if that is not plain.
  func limited(
    to expected: String,
    because reason: String? = nil,
    _ isAllowed: @escaping @Sendable (Value) -> Bool
  ) -> Self {
    let parse = parse
    return Self(description) { (text) throws(ScalarProblem) in
      let value = try parse(text)
      guard isAllowed(value) else { throw ScalarProblem(expected: expected, found: text, because: reason) }
      return value
    }
  }

  func map<New>(_ transform: @escaping @Sendable (Value) -> New) -> Scalar<New> {
    let parse = parse
    return Scalar<New>(description) { (text) throws(ScalarProblem) in transform(try parse(text)) }
  }

  func with<Field>(_ field: WritableKeyPath<ScalarDescription, Field>, _ value: Field) -> Self {
    var result = self
    result.description[keyPath: field] = value
    return result
  }

  func written(_ pattern: String, like examples: String...) -> Self {
    with(\.pattern, pattern).with(\.examples, examples)
  }

  func means(_ summary: String) -> Self { with(\.summary, summary) }
}

/// A scalar, as messages, the schema and the reference describe it.
public struct ScalarDescription: Sendable {
  /// Such as `duration`: its name in the schema and the reference.
  public let name: String
  /// The form that messages say was expected.
  let expectation: String
  /// Matches every text that its parser accepts, and few others: a regular expression without anchors, in the syntax
  /// that ECMAScript and Foundation share.
  var pattern = ""
  public var examples: [String] = []
  /// The facts that an author needs beside its examples.
  public var summary = ""
  /// The least number that can be written without a unit; nil if every value has one. YAML readers make numbers of such
  /// texts.
  var leastNumber: Int?
  /// Whether such a number is a whole one.
  var isWhole = true
  /// The form in the reference, in Markdown.
  var reference: String
  /// The words of which one is written; empty for a number.
  var words: [WordDescription] = []

  init(_ name: String, expected: String) {
    self.name = name
    expectation = expected
    reference = name
  }
}

/// The problem of a scalar's text that could not be read: what was expected and found, and what to write instead.
public struct ScalarProblem: Error, Equatable, CustomStringConvertible {
  public let message: String

  public init(_ message: String) {
    self.message = message
  }

  /// The form that every scalar's message has.
  init(expected: String, found text: String, because reason: String? = nil) {
    message = "expected \(expected), found \(quoted(text))" + (reason.map { "; \($0)" } ?? "")
  }

  public var description: String { message }
}

/// The text in quotation marks, on one line, cut after 60 characters.
func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

/// The same without quotation marks, for lists.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars.prefix(60) {
    switch scalar {
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case "\u{0}"..<" ", "\u{7f}"..<"\u{a0}": result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + (text.unicodeScalars.count > 60 ? "…" : "")
}
