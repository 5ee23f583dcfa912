/// A kind of value that a scenario writes as one text, such as a duration: its parser and its description.
public struct Scalar<Value>: Sendable {
  private(set) var description: ScalarDescription
  /// Returns the value of a text. Throws the text of the message about the problem.
  public let parse: @Sendable (String) throws(ScalarProblem) -> Value

  init(_ description: ScalarDescription, by parse: @escaping @Sendable (String) throws(ScalarProblem) -> Value) {
    self.description = description
    self.parse = parse
  }

  init(_ name: String, expected: String, by parse: @escaping @Sendable (String) throws(ScalarProblem) -> Value) {
    self.init(ScalarDescription(name, expected: expected), by: parse)
  }

  /// Returns a scalar that accepts only the values for which the condition holds.
  ///
  /// - Parameters:
  ///   - expected: the accepted values, such as `more than 0`.
  ///   - reason: the reason why the other values are refused; nil if it is obvious.
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

/// The description of a scalar in messages, the schema and the reference.
public struct ScalarDescription: Sendable {
  /// The name in the schema and the reference, such as `duration`.
  public let name: String
  /// The expected form, for messages.
  let expectation: String
  /// A regular expression that matches every text that the parser accepts, and few others; empty if the schema needs
  /// none. It has no anchors, and uses the syntax that ECMAScript and Foundation share.
  var pattern = ""
  public var examples: [String] = []
  /// The facts that an author needs in addition to the examples.
  public var summary = ""
  /// The least number that the schema accepts beside texts, because other YAML readers read a text without a unit as a
  /// number; nil if the schema accepts no numbers.
  var leastNumber: Int?
  /// Whether these numbers must be whole numbers.
  var isWhole = true
  /// The description of a value in the reference's tables of keys, in Markdown.
  var reference: String
  /// The words of the scalar's table; empty for a scalar without a table.
  var words: [WordDescription] = []

  init(_ name: String, expected: String) {
    self.name = name
    expectation = expected
    reference = name
  }
}

/// The problem of a text that is not a value of a scalar, as the text of a message.
public struct ScalarProblem: Error, Equatable, CustomStringConvertible {
  public let message: String

  public init(_ message: String) {
    self.message = message
  }

  /// Creates the usual message of scalars.
  init(expected: String, found text: String, because reason: String? = nil) {
    message = "expected \(expected), found \(quoted(text))" + (reason.map { "; \($0)" } ?? "")
  }

  public var description: String { message }
}

/// Returns the first 60 Unicode scalars of the text in quotation marks, with control characters escaped.
func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

/// Whether a scalar is a control character, or one that is not shown, such as a byte-order mark.
private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  [.control, .format].contains(scalar.properties.generalCategory)
}

/// Returns the text as `quoted` does, without quotation marks, for lists.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars.prefix(60) {
    switch scalar {
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case _ where isInvisible(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + (text.unicodeScalars.count > 60 ? "…" : "")
}
