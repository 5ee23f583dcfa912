/// A text such as `zipfian(0.99)` or `hotspot(20% 80%)`, cut into its word and its arguments; a word alone has none.
///
/// Arguments are separated by spaces, never commas, so that they survive YAML's flow style.
struct CalledWord: Equatable {
  let text: String
  let name: String
  let arguments: [String]

  init(_ text: String) throws(ScalarProblem) {
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
}

/// A word that may take arguments, as messages, the schema and the reference describe it.
public struct WordDescription: Sendable {
  public let name: String
  /// The word with the names of its arguments, such as `hotspot(DATA OPERATIONS)`.
  let form: String
  /// The word with arguments, such as `hotspot(20% 80%)`.
  public let example: String
  let arguments: [ScalarDescription]
  /// Its meaning, in one sentence for an author.
  public fileprivate(set) var summary = ""

  /// Its regular expression, without anchors.
  var pattern: String {
    // Empty parentheses are no arguments.
    guard !arguments.isEmpty else { return name + #"(?:\( *\))?"# }
    return name + #"\( *"# + arguments.map { "(?:\($0.pattern))" }.joined(separator: " +") + #" *\)"#
  }

  func requireArguments(of call: CalledWord) throws(ScalarProblem) {
    guard call.arguments.count != arguments.count else { return }
    let expected = arguments.isEmpty ? name : "\(form) such as \(example)"
    let amount =
      switch arguments.count {
      case 0: "no argument"
      case 1: "one argument"
      default: "\(arguments.count) arguments"
      }
    throw ScalarProblem(expected: expected, found: call.text, because: "\(quoted(name)) takes \(amount)")
  }
}

extension [WordDescription] {
  /// One regular expression for all of them, without anchors.
  var pattern: String { "(?:" + map(\.pattern).joined(separator: "|") + ")" }
}

/// A word of the language: its description, and the value that it stands for with its arguments.
struct Word<Value: Sendable>: Sendable {
  private(set) var description: WordDescription
  /// The value of a word without arguments.
  private(set) var fixedValue: Value?
  fileprivate let value: @Sendable ([String]) throws(ScalarProblem) -> Value

  private init(
    _ form: String,
    _ example: String,
    arguments: [ScalarDescription],
    value: @escaping @Sendable ([String]) throws(ScalarProblem) -> Value
  ) {
    let name = String(form.prefix { $0 != "(" })
    description = WordDescription(name: name, form: form, example: example, arguments: arguments)
    self.value = value
  }

  init(_ name: String, _ value: Value) {
    self.init(name, name, arguments: []) { _ in value }
    fixedValue = value
  }

  init<A>(_ form: String, like example: String, takes a: Scalar<A>, make: @escaping @Sendable (A) -> Value) {
    self.init(form, example, arguments: [a.description]) { (texts) throws(ScalarProblem) in
      make(try a.parse(texts[0]))
    }
  }

  init<A, B>(
    _ form: String,
    like example: String,
    takes a: Scalar<A>,
    _ b: Scalar<B>,
    make: @escaping @Sendable (A, B) -> Value
  ) {
    self.init(form, example, arguments: [a.description, b.description]) { (texts) throws(ScalarProblem) in
      make(try a.parse(texts[0]), try b.parse(texts[1]))
    }
  }

  func means(_ summary: String) -> Self {
    var result = self
    result.description.summary = summary
    return result
  }
}

/// A list of words, of which a scenario writes one. Some take arguments.
struct WordTable<Value: Sendable>: Sendable {
  /// The form that messages say was expected.
  let expectation: String
  let words: [Word<Value>]

  init(expected: String, _ words: [Word<Value>]) {
    expectation = expected
    self.words = words
  }

  var descriptions: [WordDescription] { words.map(\.description) }
  var names: [String] { words.map(\.description.name) }

  func parse(_ text: String) throws(ScalarProblem) -> Value {
    let call = try CalledWord(text)
    guard let word = words.first(where: { $0.description.name == call.name }) else {
      let reason = Suggestion.reason(for: call.name, in: text, among: names)
      throw ScalarProblem(expected: expectation, found: text, because: reason)
    }
    try word.description.requireArguments(of: call)
    return try word.value(call.arguments)
  }

  /// - Parameter reference: a link to the table of the words, for the reference.
  func scalar(_ name: String, reference: String) -> Scalar<Value> {
    Scalar(name, expected: expectation, by: parse)
      .with(\.pattern, descriptions.pattern)
      .with(\.examples, descriptions.map(\.example))
      .with(\.words, descriptions)
      .with(\.reference, reference)
  }
}

extension WordTable where Value: Equatable {
  /// The word that stands for the value without arguments.
  func name(of value: Value) -> String? { words.first { $0.fixedValue == value }?.description.name }
}

/// A closed list of words of which a scenario writes one.
protocol ScenarioWord: RawRepresentable<String>, CaseIterable, Sendable {
  /// Its name in messages, such as `a driver`.
  static var noun: String { get }
}

extension ScenarioWord {
  static var words: [String] { allCases.map(\.rawValue) }

  static var expectation: String { "\(noun): " + words.joined(separator: ", ") }

  static func parse(_ text: String) throws(ScalarProblem) -> Self {
    if let word = Self(rawValue: text) { return word }
    let near = Suggestion.nearest(to: text, among: words)
    throw ScalarProblem(expected: expectation, found: text, because: near.map { "did you mean \(quoted($0))?" })
  }
}
