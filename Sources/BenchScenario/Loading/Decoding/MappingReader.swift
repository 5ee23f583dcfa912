/// Reads one mapping by its grammar. The initialiser reports unknown and missing keys. A value of the wrong form is
/// reported when it is read, and is then nil, so that the other values are read as well. A scenario with a problem in
/// the log is not used.
struct MappingReader {
  let grammar: MappingGrammar
  let location: SourceLocation
  let log: DiagnosticLog
  /// The keys that unknown keys probably mean, so that they are not also reported as missing.
  let meant: Set<String>
  private let pairs: [YAMLPair]

  /// Reports a node that is not a mapping, and returns nil for it.
  init?(_ node: YAMLNode, _ grammar: MappingGrammar, log: DiagnosticLog) {
    guard let pairs = node.pairs else {
      log.report(expected: grammar.expectation, found: node)
      return nil
    }
    self.grammar = grammar
    self.log = log
    self.pairs = pairs
    location = node.location
    let unknown = UnknownKeys(of: pairs, in: grammar)
    unknown.report(to: log)
    meant = unknown.meant
    for key in grammar.keys where key.isRequired && !has(key.name) && !meant.contains(key.name) {
      log.report("\(grammar.noun) needs \(quoted(key.name)): \(key.kind.expectation)", at: location)
    }
  }

  func has(_ key: String) -> Bool { pairs.contains { $0.key == key } }

  func node(_ key: String) -> YAMLNode? {
    assert(grammar.key(key) != nil, "the key is not described: \(key)")
    return pairs.first { $0.key == key }?.value
  }

  /// Returns the location of the key, or of the mapping if the key is missing.
  func keyLocation(_ key: String) -> SourceLocation { pairs.first { $0.key == key }?.keyLocation ?? location }

  /// Returns the location of the key's value, or of the mapping if the key is missing.
  func valueLocation(_ key: String) -> SourceLocation { node(key)?.location ?? location }

  func report(_ message: String, at key: String, _ consequence: DriverConsequence? = nil) {
    log.report(message, at: keyLocation(key), consequence)
  }

  /// Reads a section that maps names to values. A section that is present and empty is reported.
  func named<Value>(_ key: String, _ decode: (String, YAMLNode) -> Value?) -> NamedParts<Value> {
    guard let node = node(key) else { return NamedParts(isComplete: !(grammar.key(key)?.isRequired ?? false)) }
    guard let pairs = log.pairs(of: node, expected: grammar.key(key)?.kind.expectation ?? "") else {
      return NamedParts(isComplete: false)
    }
    var result = NamedParts<Value>(isComplete: !node.hasDuplicateKeys)
    for pair in pairs {
      let problemsBefore = log.count
      _ = log.parse(pair.key, at: pair.keyLocation, by: Scalars.name.parse)
      let decoded = decode(pair.key, pair.value)
      let value = log.count == problemsBefore ? decoded : nil
      result.append(.init(name: pair.key, location: pair.keyLocation, node: pair.value, value: value))
    }
    return result
  }
}

/// The parts of a section that maps names to values, in the file's order.
struct NamedParts<Value> {
  struct Part {
    var name: String
    var location: SourceLocation
    var node: YAMLNode
    /// nil if the part has a problem.
    var value: Value?
  }

  private(set) var parts: [Part] = []
  /// The index of the first part with each name. A linear search would be slow in a hostile file with very many parts.
  private var indices: [String: Int] = [:]
  /// `false` if the section could not be read or has a key twice, so that it is unknown which names are wrong.
  let isComplete: Bool

  var names: [String] { parts.map(\.name) }
  var values: [Value] { parts.compactMap(\.value) }

  init(isComplete: Bool = true) { self.isComplete = isComplete }

  mutating func append(_ part: Part) {
    indices[part.name] = indices[part.name] ?? parts.count
    parts.append(part)
  }

  subscript(name: String) -> Part? { indices[name].map { parts[$0] } }

  /// Reports the name if the section has no part with it.
  ///
  /// - Parameter noun: the kind of the parts for the message, such as `connection`.
  func check(_ name: String, noun: String, at location: SourceLocation, log: DiagnosticLog) {
    guard isComplete, indices[name] == nil else { return }
    log.report("there is no \(noun) \(quoted(name)); \(Suggestion.remedy(for: name, among: names))", at: location)
  }
}

/// An actor as a phase lists it.
struct ListedActor {
  var name: String
  var location: SourceLocation
  /// Whether the scenario has an actor with this name.
  var isKnown: Bool
  /// nil if the actor is not known or has a problem.
  var value: PhaseActor?
}

/// The parts of a phase that could be read.
struct PhasePart {
  /// nil if the phase has a problem.
  var value: PhaseSettings?
  var name: String
  /// The actors that the phase lists, including unknown ones.
  var listed: [ListedActor]
  /// The words of the phase's events, each once.
  var eventWords: [String] = []
  /// The views that the phase's events register, each with the location of the event's action.
  var registrations: [(view: String, location: SourceLocation)] = []

  var actorNames: [String] { listed.map(\.name) }
}

/// The phases of a scenario that could be read.
struct PhaseParts {
  var parts: [PhasePart] = []
  /// `false` if the section, or the name of a phase, could not be read.
  var isComplete = true

  var values: [PhaseSettings] { parts.compactMap(\.value) }
  /// The actors of the phases without problems. An actor that several phases list is included several times.
  var actors: [ActorSettings] { values.flatMap(\.actors).map(\.settings) }
  /// The action of the first event that ends the engine's process; nil if there is none.
  var ending: PhaseEvent.Action? { values.flatMap(\.events).first(where: \.action.endsProcess)?.action }
}
