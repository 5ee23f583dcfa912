/// The parts of a section that maps names to values, in the file's order.
struct NamedParts<Value> {
  struct Part {
    var name: String
    var place: Place
    var node: YAMLNode
    /// `nil` where the part has a problem of its own.
    var value: Value?
  }

  private(set) var parts: [Part] = []
  /// Of the first part with each name: a hostile file names very many, very often.
  private var indices: [String: Int] = [:]
  /// `false` where the section could not be read at all: then nobody can say that a name is unknown.
  let isComplete: Bool

  var names: [String] { parts.map(\.name) }
  var values: [Value] { parts.compactMap(\.value) }

  init(isComplete: Bool = true) { self.isComplete = isComplete }

  mutating func append(_ part: Part) {
    indices[part.name] = indices[part.name] ?? parts.count
    parts.append(part)
  }

  subscript(name: String) -> Part? { indices[name].map { parts[$0] } }

  /// Reports a name that the section has not.
  ///
  /// - Parameter noun: what it would be, such as `connection`.
  func check(_ name: String, noun: String, at place: Place, log: DiagnosticLog) {
    guard isComplete, indices[name] == nil else { return }
    log.report("there is no \(noun) \(quoted(name)); \(Suggestion.remedy(for: name, among: names))", at: place)
  }
}
