/// The parts of a section that maps names to values, in the file's order.
struct NamedParts<Value> {
  struct Part {
    var name: String
    var place: Place
    var node: YAMLNode
    /// `nil` where the part has a problem of its own.
    var value: Value?
  }

  var parts: [Part] = []
  /// `false` where the section could not be read at all: then nobody can say that a name is unknown.
  var isComplete = true

  var names: [String] { parts.map(\.name) }
  var values: [Value] { parts.compactMap(\.value) }

  subscript(name: String) -> Part? { parts.first { $0.name == name } }

  /// Reports a name that the section has not.
  ///
  /// - Parameter noun: what it would be, such as `connection`.
  func check(_ name: String, noun: String, at place: Place, log: DiagnosticLog) {
    guard isComplete, self[name] == nil else { return }
    log.report("there is no \(noun) \(quoted(name)); \(Suggestion.remedy(for: name, among: names))", at: place)
  }
}
