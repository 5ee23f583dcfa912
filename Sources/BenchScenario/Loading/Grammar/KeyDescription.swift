/// The form of a key's value, from which messages, the schema and the reference make their descriptions.
public indirect enum ValueKind: Sendable {
  case text
  /// A name that the scenario gives: letters, digits, `-` and `_`.
  case name
  case names
  /// A name, or a list of names.
  case nameOrNames
  case boolean
  case integer(ClosedRange<UInt64>)
  /// A text that a `Scalar` parses.
  case scalar(ScalarDescription)
  /// A list of texts that a `Scalar` parses.
  case scalars(ScalarDescription)
  /// One of these words.
  case words([String])
  case listOfWords([String])
  /// A mapping with these keys.
  case mapping(MappingGrammar)
  /// A mapping of names to mappings with these keys.
  case named(MappingGrammar)
  /// A mapping of operations to weights, or to mappings with these keys.
  case weights(MappingGrammar)
  /// A list of mappings with these keys.
  case list(MappingGrammar)
  /// A word, or a mapping with these keys.
  case wordOrMapping([String], MappingGrammar)
  /// A list of actors' names, or a mapping of names to overrides.
  case phaseActors(MappingGrammar)
  /// The path of a file, or a list of paths.
  case files
  /// A mapping of paths into the scenario to lists of values, or to mappings of labels to values.
  case matrix

  /// The expected form, for messages.
  var expectation: String {
    switch self {
    case .text: "a text on one line"
    case .name: "a name"
    case .names: "a list of names such as [one, two]"
    case .nameOrNames: "a name, or a list of names such as [one, two]"
    case .boolean: "true or false"
    case .integer(let range):
      range.lowerBound == range.upperBound
        ? "the number \(range.lowerBound)" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .scalar(let scalar): scalar.expectation
    case .scalars(let scalar): "a list of \(scalar.name)s such as \"\(scalar.examples[0])\""
    case .words(let words): "one of " + words.joined(separator: ", ")
    case .listOfWords(let words): "a list of " + words.joined(separator: ", ")
    case .mapping(let grammar): grammar.expectation
    case .named(let grammar): "a mapping of names to \(grammar.noun)"
    case .weights: "a mapping of operations to weights such as {get: 95, set: 5}"
    case .list(let grammar): "a list with \(grammar.noun) in each entry"
    case .wordOrMapping(let words, let grammar):
      "\(grammar.noun): " + (words + grammar.mappingExamples).joined(separator: ", ")
    case .phaseActors: "a list of actors, or a mapping of actors to overrides"
    case .files: "the path of a file, or a list of paths such as [data.yaml, shared/actors.yaml]"
    case .matrix: "a mapping of paths to lists of values such as {engine.synchronous: [normal, full]}"
    }
  }

  /// Examples of the value; `…` alone if the value is not a scalar.
  fileprivate var examples: [String] {
    guard case .scalar(let scalar) = self else { return ["…"] }
    return scalar.words.isEmpty ? [scalar.examples[0]] : scalar.examples
  }
}

/// One key of a mapping, for messages, the schema and the reference.
public struct KeyDescription: Sendable {
  public let name: String
  public let kind: ValueKind
  public internal(set) var isRequired = false
  /// The default, as a scenario would write it; nil if there is none, or if `summary` describes it.
  public internal(set) var usual: String?
  /// The key has no default beside one of `keys` with one of `values`, or with any if there are none; nil without such
  /// a condition.
  var absent: (keys: [String], values: [String])?
  /// The meaning, for an author.
  public internal(set) var summary = ""
}

/// All keys that a mapping may have.
public struct MappingGrammar: Sendable {
  /// The name for messages, with its article, such as `a phase`.
  public let noun: String
  /// An example for messages; nil without one.
  var example: String?
  /// Keys of which exactly one must be present; empty without such a rule.
  var exactlyOne: [String] = []
  /// A key that requires another one; nil without such a rule.
  var dependent: (key: String, on: String)?
  /// Paragraphs of Markdown for an author, in addition to the summaries of the keys.
  var notes: [String] = []
  public let keys: [KeyDescription]

  /// The expected form, for messages.
  var expectation: String { "\(noun), written as a mapping" + (example.map { " such as \($0)" } ?? "") }

  /// The noun without its article.
  var title: String { String(noun.drop { $0 != " " }.dropFirst()) }

  var names: [String] { keys.map(\.name) }

  /// Examples of mappings with one key: each key of `exactlyOne`, or each required key if that is empty.
  fileprivate var mappingExamples: [String] {
    let shown = exactlyOne.isEmpty ? keys.filter(\.isRequired).map(\.name) : exactlyOne
    return shown.compactMap { key($0) }.flatMap { key in key.kind.examples.map { "{\(key.name): \($0)}" } }
  }

  func key(_ name: String) -> KeyDescription? { keys.first { $0.name == name } }
}
