/// What a key's value looks like. Messages say it in words, the schema in its own, and the reference in tables.
public indirect enum ValueKind: Sendable {
  case text
  /// A name that the scenario gives: letters, digits, `-` and `_`.
  case name
  case names
  /// A name, or a list of names.
  case nameOrNames
  case boolean
  case integer(ClosedRange<UInt64>)
  case count, size, duration, rate, range
  /// Zero has a meaning.
  case sizeOrZero, durationOrZero
  /// A number from 0 to 1.
  case fraction
  case sizeDistribution, keyDistribution, snapshotMove, viewGroup, eventAction
  case condition, expectations
  /// One of these words.
  case words([String])
  case listOfWords([String])
  /// A mapping with these keys.
  case mapping(MappingGrammar)
  /// Names to mappings with these keys.
  case named(MappingGrammar)
  /// Operations to their weights.
  case weights
  /// A list of mappings with these keys.
  case list(MappingGrammar)
  /// A word, or a mapping with these keys.
  case wordOrMapping([String], MappingGrammar)
  /// A list of actors' names, or a mapping of names to overrides.
  case phaseActors(MappingGrammar)
  /// Paths into the scenario to lists of the values that they take.
  case matrix

  /// How it is written, where it is one word or number.
  var scalar: ScalarDescription? {
    switch self {
    case .count: .count
    case .size: .size
    case .sizeOrZero: .sizeOrZero
    case .duration: .duration
    case .durationOrZero: .durationOrZero
    case .rate: .rate
    case .range: .range
    case .sizeDistribution: .sizeDistribution
    case .keyDistribution: .keyDistribution
    case .snapshotMove: .snapshotMove
    case .viewGroup: .viewGroup
    case .eventAction: .eventAction
    case .condition: .condition
    case .fraction: .fraction
    default: nil
    }
  }

  /// What a message says was expected.
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
    case .expectations: "a list of expectations such as \"\(ScalarDescription.expectation.examples[0])\""
    case .words(let words): "one of " + words.joined(separator: ", ")
    case .listOfWords(let words): "a list of " + words.joined(separator: ", ")
    case .mapping(let grammar): grammar.expectation
    case .named(let grammar): "a mapping of names to \(grammar.noun)"
    case .weights: "a mapping of operations to weights such as {get: 95, set: 5}"
    case .list(let grammar): "a list with \(grammar.noun) in each place"
    case .wordOrMapping(let words, let grammar):
      "\(grammar.noun): " + (words + grammar.mappingExamples).joined(separator: ", ")
    case .phaseActors: "a list of actors, or a mapping of actors to overrides"
    case .matrix: "a mapping of paths to lists of values such as {engine.synchronous: [normal, full]}"
    default: scalar?.expectation ?? "a value"
    }
  }

  /// Values as one may write them; `…` where that would be long.
  fileprivate var examples: [String] {
    switch self {
    case .snapshotMove: ScenarioGrammar.snapshotMoves.map(\.example)
    case .mapping, .wordOrMapping: ["…"]
    default: [scalar?.examples.first ?? "…"]
    }
  }
}

/// One key of a mapping.
public struct KeyDescription: Sendable {
  public let name: String
  public let kind: ValueKind
  public let isRequired: Bool
  /// `false` for a key of the format that cannot be run yet.
  public let isSupported: Bool
  /// What stands where the key is left out, as it would be written; nil where that takes a sentence, or is nothing.
  public let usual: String?
  /// With what beside it the default is none.
  let absent: Condition?
  /// One sentence for an author.
  public let summary: String

  /// Whether one of some keys beside it is there, or has one of these values.
  struct Condition: Sendable {
    var keys: [String]
    /// Any value where it is empty.
    var values: [String] = []
  }

  init(
    _ name: String,
    _ kind: ValueKind,
    required: Bool = false,
    default usual: String? = nil,
    unless absent: Condition? = nil,
    _ summary: String
  ) {
    self.name = name
    self.kind = kind
    isRequired = required
    isSupported = true
    self.usual = usual
    self.absent = absent
    self.summary = summary
  }

  private init(planned name: String) {
    self.name = name
    kind = .text
    isRequired = false
    isSupported = false
    usual = nil
    absent = nil
    summary = "Not supported yet."
  }

  static func planned(_ name: String) -> KeyDescription { KeyDescription(planned: name) }
}

/// All keys that a mapping may have.
public struct MappingGrammar: Sendable {
  /// What the mapping is, such as `a phase`.
  public let noun: String
  /// How one is written, for messages.
  public let example: String?
  public let keys: [KeyDescription]
  /// Keys of which there is exactly one; empty where that is no rule.
  public let exactlyOne: [String]
  /// Keys of which none is there without the others.
  public let together: [String]
  /// What an author should know beside what each key says, in paragraphs of Markdown.
  public let notes: [String]

  init(
    _ noun: String,
    example: String? = nil,
    exactlyOne: [String] = [],
    together: [String] = [],
    notes: [String] = [],
    _ keys: [KeyDescription]
  ) {
    self.noun = noun
    self.example = example
    self.keys = keys
    self.exactlyOne = exactlyOne
    self.together = together
    self.notes = notes
  }

  /// What a message says was expected.
  var expectation: String { "\(noun), written as a mapping" + (example.map { " such as \($0)" } ?? "") }

  /// The noun without its article.
  var title: String {
    let articles = ["a ", "an ", "the "]
    guard let article = articles.first(where: { noun.hasPrefix($0) }) else { return noun }
    return String(noun.dropFirst(article.count))
  }

  var supportedNames: [String] { keys.filter(\.isSupported).map(\.name) }

  /// How it may be written with one key alone.
  fileprivate var mappingExamples: [String] {
    let names = exactlyOne.isEmpty ? supportedNames : exactlyOne
    return names.compactMap { key($0) }.flatMap { key in key.kind.examples.map { "{\(key.name): \($0)}" } }
  }

  func key(_ name: String) -> KeyDescription? { keys.first { $0.name == name } }
}
