/// Reads one mapping by the keys of a section. The initialiser reports unknown and missing keys. A value of the wrong
/// form is reported when it is read, so that the other values are read as well. A scenario with a problem in the log is
/// not used.
struct SectionReader<Value: Sendable> {
  let section: Section<Value>
  let location: SourceLocation
  let log: DiagnosticLog
  /// The keys that unknown keys probably mean, so that they are not also reported as missing.
  let meant: Set<String>
  /// The keys whose values have a problem.
  var unread: Set<String> = []
  private let pairs: [YAMLPair]

  /// Reports a node that is not a mapping, and returns nil for it.
  init?(_ node: YAMLNode, _ section: Section<Value>, log: DiagnosticLog) {
    let grammar = section.grammar
    guard let pairs = node.pairs else {
      log.report(expected: grammar.expectation, found: node)
      return nil
    }
    (self.section, self.log, self.pairs, location) = (section, log, pairs, node.location)
    meant = UnknownKeys.report(pairs, in: grammar, to: log)
    for key in grammar.keys where key.isRequired && !has(key.name) && !meant.contains(key.name) {
      log.report("\(grammar.noun) needs \(quoted(key.name)): \(key.kind.expectation)", at: location)
    }
  }

  var grammar: MappingGrammar { section.grammar }

  private func pair(_ key: String) -> YAMLPair? { pairs.first { $0.key == key } }

  func has(_ key: String) -> Bool { pair(key) != nil }

  func node(_ key: String) -> YAMLNode? { pair(key)?.value }

  /// Returns the location of the key, or of the mapping if the key is missing.
  func keyLocation(_ key: String) -> SourceLocation { pair(key)?.keyLocation ?? location }

  func report(_ message: String, at key: String, _ consequence: DriverConsequence? = nil) {
    log.report(message, at: keyLocation(key), consequence)
  }
}

// MARK: Keys by the properties that hold their values

extension SectionReader {
  func name(_ path: PartialKeyPath<Value>) -> String { section.name(of: path) }

  func has(_ path: PartialKeyPath<Value>) -> Bool { has(name(path)) }

  /// Whether the mapping has the key, and its value has no problem.
  func isRead(_ path: PartialKeyPath<Value>) -> Bool { has(path) && !unread.contains(name(path)) }

  func node(_ path: PartialKeyPath<Value>) -> YAMLNode? { node(name(path)) }

  func keyLocation(_ path: PartialKeyPath<Value>) -> SourceLocation { keyLocation(name(path)) }

  /// Returns the location of the key's value, or of the mapping if the key is missing.
  func valueLocation(_ path: PartialKeyPath<Value>) -> SourceLocation { node(path)?.location ?? location }

  func report(_ message: String, at path: PartialKeyPath<Value>, _ consequence: DriverConsequence? = nil) {
    report(message, at: name(path), consequence)
  }

  private func expectation(_ path: PartialKeyPath<Value>) -> String {
    grammar.key(name(path))?.kind.expectation ?? ""
  }

  /// Returns the elements of a list; nil if the key is missing, and after reporting anything but a list with elements.
  func elements(_ path: PartialKeyPath<Value>) -> [YAMLNode]? {
    node(path).flatMap { log.elements(of: $0, expected: expectation(path)) }
  }

  /// Reads a section that maps names to values. A section that is present and empty is reported.
  func named<Part>(_ path: PartialKeyPath<Value>, _ decode: (String, YAMLNode) -> Part?) -> NamedParts<Part> {
    guard let node = node(path) else {
      return NamedParts(isComplete: !section.keys.contains { $0.has(path) && $0.isRequired })
    }
    guard let pairs = log.pairs(of: node, expected: expectation(path)) else {
      return NamedParts(isComplete: false)
    }
    var result = NamedParts<Part>(isComplete: !node.hasDuplicateKeys)
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

  init(isComplete: Bool) { self.isComplete = isComplete }

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
