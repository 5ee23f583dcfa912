/// The parts of a section that maps names to values, in the file's order.
struct NamedParts<Value> {
  struct Part {
    var name: String
    var location: SourceLocation
    var node: YAMLNode
    /// nil if the part has a problem of its own.
    var value: Value?
  }

  private(set) var parts: [Part] = []
  /// The first part with each name: a hostile file gives very many names, very often.
  private var indices: [String: Int] = [:]
  /// `false` if the section could not be read at all: then no name is known to be wrong.
  let isComplete: Bool

  var names: [String] { parts.map(\.name) }
  var values: [Value] { parts.compactMap(\.value) }

  init(isComplete: Bool = true) { self.isComplete = isComplete }

  mutating func append(_ part: Part) {
    indices[part.name] = indices[part.name] ?? parts.count
    parts.append(part)
  }

  subscript(name: String) -> Part? { indices[name].map { parts[$0] } }

  /// Reports a name that is not in the section.
  ///
  /// - Parameter noun: the kind of the part, such as `connection`.
  func check(_ name: String, noun: String, at location: SourceLocation, log: DiagnosticLog) {
    guard isComplete, indices[name] == nil else { return }
    log.report("there is no \(noun) \(quoted(name)); \(Suggestion.remedy(for: name, among: names))", at: location)
  }
}

/// An actor as a phase lists it.
typealias ListedActor = NamedParts<PhaseActor>.Part

/// A phase as far as it could be read.
struct PhasePart {
  /// nil if the phase has a problem of its own.
  var value: PhaseSettings?
  var name: String
  /// Every actor that it names, known or not.
  var actorNames: [String]
  /// The words of its events, each once.
  var eventWords: [String] = []
  /// The views that its events register.
  var registrations: [(view: String, location: SourceLocation)] = []
}

/// All phases as far as they could be read.
struct PhaseParts {
  var parts: [PhasePart] = []
  /// `false` if the section, or the name of a phase, could not be read.
  var isComplete = true

  var values: [PhaseSettings] { parts.compactMap(\.value) }
  /// The actors of all phases, each as often as it acts.
  var actors: [ActorSettings] { values.flatMap(\.actors).map(\.settings) }
  /// The first event that ends the engine's process.
  var ending: PhaseEvent.Action? { values.flatMap(\.events).first(where: \.action.endsProcess)?.action }
}
