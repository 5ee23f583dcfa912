/// A text such as `zipfian(0.99)` or `hotspot(20% 80%)`, split into its word and its arguments. A word may have none.
///
/// Arguments are separated by spaces, because a comma would end the value in YAML's flow style.
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

/// The description of a word, which may take arguments, in messages, the schema and the reference.
public struct WordDescription: Sendable {
  public let name: String
  /// The word with the names of its arguments, if it takes any, such as `hotspot(DATA OPERATIONS)`.
  let form: String
  /// The word with arguments, if it takes any, such as `hotspot(20% 80%)`.
  public let example: String
  let arguments: [ScalarDescription]
  /// The meaning, for an author.
  public fileprivate(set) var summary = ""

  /// A regular expression, without anchors, that matches the word with its arguments.
  var pattern: String {
    // A word without arguments may have empty parentheses.
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
  /// A regular expression, without anchors, that matches any of the words with its arguments.
  var pattern: String { "(?:" + map(\.pattern).joined(separator: "|") + ")" }
}

/// A word of the language: its description, and the value of the word with its arguments.
struct Word<Value: Sendable>: Sendable {
  private(set) var description: WordDescription
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

/// The words that are valid as one kind of value. Some of them take arguments.
struct WordTable<Value: Sendable>: Sendable {
  /// The expected form, for messages.
  let expected: String
  let words: [Word<Value>]

  var descriptions: [WordDescription] { words.map(\.description) }
  var names: [String] { words.map(\.description.name) }

  func parse(_ text: String) throws(ScalarProblem) -> Value {
    let call = try CalledWord(text)
    guard let word = words.first(where: { $0.description.name == call.name }) else {
      let other = Self.wordsOfOtherTools[call.name].flatMap { names.contains($0) ? $0 : nil }
      let reason =
        other.map { "did you mean \(quoted($0))?" } ?? Suggestion.reason(for: call.name, in: text, among: names)
      throw ScalarProblem(expected: expected, found: text, because: reason)
    }
    try word.description.requireArguments(of: call)
    return try word.value(call.arguments)
  }

  /// Words of other benchmarks and databases, with ours for the same.
  private static var wordsOfOtherTools: [String: String] {
    [
      "read": "get", "select": "get", "add": "insert", "append": "insert", "put": "set", "write": "set",
      "update": "replace", "delete": "remove", "crash": "kill", "restart": "reopen",
    ]
  }

  /// - Parameter reference: the description of a value in the reference, with a link to the table of the words.
  func scalar(_ name: String, reference: String) -> Scalar<Value> {
    Scalar(name, expected: expected, by: parse)
      .with(\.pattern, descriptions.pattern)
      .with(\.examples, descriptions.map(\.example))
      .with(\.words, descriptions)
      .with(\.reference, reference)
  }
}

/// An enumeration whose cases are the words that are valid as one kind of value. None of them takes arguments.
protocol ScenarioWord: RawRepresentable<String>, CaseIterable, Sendable {
  /// The kind of value, for messages, such as `a driver`.
  static var noun: String { get }
  /// The words that a scenario can contain.
  static var words: [String] { get }
}

extension ScenarioWord {
  static var words: [String] { allCases.map(\.rawValue) }

  static var expectation: String { "\(noun): " + words.joined(separator: ", ") }

  static func parse(_ text: String) throws(ScalarProblem) -> Self {
    if words.contains(text), let word = Self(rawValue: text) { return word }
    let near = Suggestion.nearest(to: text, among: words)
    throw ScalarProblem(expected: expectation, found: text, because: near.map { "did you mean \(quoted($0))?" })
  }
}
