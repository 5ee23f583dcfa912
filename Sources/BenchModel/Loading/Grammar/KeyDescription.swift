/// What a key's value looks like. Messages say it in words; a schema generator says it in its own.
public indirect enum ValueKind: Sendable {
  case text
  /// A name that the scenario gives: letters, digits, `-` and `_`.
  case name
  case names
  case nameOrNames
  case boolean
  case integer(ClosedRange<UInt64>)
  case count, size, duration, rate, range
  /// A number from 0 to 1.
  case fraction
  case sizeDistribution, keyDistribution, snapshotMove, viewGroup
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
    case .count: CountScalar.table.expectation
    case .size: SizeScalar.table.expectation
    case .duration: DurationScalar.table.expectation
    case .rate: RateScalar.expectation
    case .range: RangeScalar.expectation
    case .fraction: "a number from 0 to 1 such as 0.5"
    case .sizeDistribution: SizeDistributionScalar.expectation
    case .keyDistribution: KeyDistributionScalar.expectation
    case .snapshotMove: SnapshotMoveScalar.expectation
    case .viewGroup: ViewGroupScalar.expectation
    case .condition: "a condition such as \"wal.backlogFrames == 0\""
    case .expectations: "a list of expectations such as \"run/import response.p99 < 50ms\""
    case .words(let words): "one of " + words.joined(separator: ", ")
    case .listOfWords(let words): "a list of " + words.joined(separator: ", ")
    case .mapping(let grammar): grammar.expectation
    case .named(let grammar): "a mapping of names to \(grammar.noun)"
    case .weights: "a mapping of operations to weights such as {get: 95, set: 5}"
    case .list(let grammar): "a list with \(grammar.noun) in each place"
    case .wordOrMapping(let words, let grammar):
      "\(grammar.noun): " + (words + grammar.supportedNames.map { "{\($0): …}" }).joined(separator: ", ")
    case .phaseActors: "a list of actors, or a mapping of actors to overrides"
    case .matrix: "a mapping of paths to lists of values such as {engine.synchronous: [normal, full]}"
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
  /// One sentence for an author.
  public let summary: String

  init(_ name: String, _ kind: ValueKind, required: Bool = false, _ summary: String) {
    self.name = name
    self.kind = kind
    isRequired = required
    isSupported = true
    self.summary = summary
  }

  private init(planned name: String) {
    self.name = name
    kind = .text
    isRequired = false
    isSupported = false
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

  init(_ noun: String, example: String? = nil, _ keys: [KeyDescription]) {
    self.noun = noun
    self.example = example
    self.keys = keys
  }

  /// What a message says was expected.
  var expectation: String { "\(noun), written as a mapping" + (example.map { " such as \($0)" } ?? "") }

  var supportedNames: [String] { keys.filter(\.isSupported).map(\.name) }

  func key(_ name: String) -> KeyDescription? { keys.first { $0.name == name } }
}
