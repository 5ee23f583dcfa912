/// A change of one value, given as `--set path=value`.
public struct ScenarioOverride: Sendable, Equatable {
  /// The file name in the diagnostics of an override.
  public static let file = "--set"

  /// Keys with points between them, such as `phases.stall.for`. An element of a list is addressed by its index from 0,
  /// and also by its `name` if it is a mapping that has one.
  public var path: String
  /// The new value as YAML.
  public var value: String

  /// The argument of `--set`.
  public var text: String { "\(path)=\(value)" }

  public init(path: String, value: String) {
    self.path = path
    self.value = value
  }
}

extension YAMLNode {
  /// Applies overrides in their order. A value that is set gets a location in the file `--set`: the ordinal of the
  /// override as the line, and the column within `path=value`.
  mutating func apply(_ overrides: [ScenarioOverride], log: DiagnosticLog) {
    for (index, override) in overrides.enumerated() {
      let start = SourceLocation(file: ScenarioOverride.file, line: index + 1, column: 1)
      guard let value = Self.value(of: override, line: index + 1, log: log) else { continue }
      set(value, at: override.path, start: start, log: log)
    }
  }

  /// Sets the value at a path from the root of a scenario. Adds missing sections of the format on the path.
  ///
  /// - Parameter start: the location of the path's first character, from which problems of the path are located.
  mutating func set(_ value: YAMLNode, at path: String, start: SourceLocation, log: DiagnosticLog) {
    do throws(OverrideProblem) {
      let kind = ValueKind.mapping(ScenarioGrammar.scenario.grammar)
      try set(value, at: Self.components(ofPath: path)[...], of: kind, from: start)
    } catch {
      log.report("invalid path \(quoted(path)): \(error.reason)", at: error.location)
    }
  }

  /// Splits a path at its dots. A dot in parentheses is part of a component such as `scan(1..100)`.
  static func components(ofPath path: String) -> [String] {
    var components = [""]
    var isInParentheses = false
    for character in path {
      if character == "(" || character == ")" { isInParentheses = character == "(" }
      if character == ".", !isInParentheses {
        components.append("")
      } else {
        components[components.count - 1].append(character)
      }
    }
    return components
  }

  private struct OverrideProblem: Error {
    var reason: String
    var location: SourceLocation
  }

  private static func value(of override: ScenarioOverride, line: Int, log: DiagnosticLog) -> YAMLNode? {
    let ours = DiagnosticLog()
    guard let bytes = SourceText.checked(Array(override.value.utf8), file: ScenarioOverride.file, log: ours),
      let node = YAMLComposer.compose(bytes, file: ScenarioOverride.file, log: ours), ours.count == 0
    else {
      let column = override.path.unicodeScalars.count + 2
      let location = SourceLocation(file: ScenarioOverride.file, line: line, column: column)
      log.report("the value of \(quoted(override.path)) is not one YAML value: \(quoted(override.value))", at: location)
      return nil
    }
    return node.moved(toLine: line, column: override.path.unicodeScalars.count + 1)
  }

  /// Returns the value with locations in `path=value` instead of locations in the value alone.
  private func moved(toLine line: Int, column: Int) -> YAMLNode {
    var result = self
    result.location.line = line
    result.location.column += column
    switch content {
    case .scalar: break
    case .sequence(let elements, let isFlow):
      result.content = .sequence(elements.map { $0.moved(toLine: line, column: column) }, isFlow: isFlow)
    case .mapping(let pairs, let isFlow):
      let moved = pairs.map { pair in
        var pair = pair
        pair.keyLocation.line = line
        pair.keyLocation.column += column
        pair.value = pair.value.moved(toLine: line, column: column)
        return pair
      }
      result.content = .mapping(moved, isFlow: isFlow)
    }
    return result
  }

  /// - Parameters:
  ///   - kind: the kind of this node in the format; nil if the format describes none.
  ///   - location: the location of the path's first component, which names a part of this node.
  private mutating func set(
    _ value: YAMLNode,
    at path: ArraySlice<String>,
    of kind: ValueKind?,
    from location: SourceLocation
  ) throws(OverrideProblem) {
    guard let component = path.first else {
      self = value
      return
    }
    func problem(_ reason: String) -> OverrideProblem { OverrideProblem(reason: reason, location: location) }
    guard !component.isEmpty else { throw problem("a part of the path is empty") }
    let rest = path.dropFirst()
    let part = kind?.part(component)
    var next = location
    next.column += component.unicodeScalars.count + 1
    switch content {
    case .mapping(var pairs, let isFlow):
      // The name of an operation may contain a dot, as in `messages.get`.
      if case .weights = kind, let end = path.dropFirst().first, self["\(component).\(end)"] != nil {
        return try set(value, at: ["\(component).\(end)"] + path.dropFirst(2), of: kind, from: location)
      }
      if let index = pairs.firstIndex(where: { $0.key == component }) {
        try pairs[index].value.set(value, at: rest, of: part ?? kind?.element, from: next)
        // A key whose value is set gets the override's location, so that problems of the key are reported there.
        if rest.isEmpty { pairs[index].keyLocation = location }
      } else {
        var made = YAMLNode(content: .mapping([], isFlow: true), location: location)
        if !rest.isEmpty, part?.isSection != true {
          throw problem(Self.missing(component, part, among: pairs.map(\.key), and: kind?.sections ?? []))
        }
        try made.set(value, at: rest, of: part, from: next)
        pairs.append(YAMLPair(key: component, keyLocation: location, value: made))
      }
      content = .mapping(pairs, isFlow: isFlow)
    case .sequence(var elements, let isFlow):
      let names = elements.map { $0[ScenarioGrammar.phase.name(of: \.name)]?.text }
      guard let index = names.firstIndex(of: component) ?? Int(component), elements.indices.contains(index) else {
        throw problem(Self.missing(component, among: elements.indices.map { names[$0] ?? String($0) }))
      }
      try elements[index].set(value, at: rest, of: kind?.element, from: next)
      content = .sequence(elements, isFlow: isFlow)
    case .scalar:
      guard part != nil else { throw problem("expected a mapping with the key \(quoted(component)), found \(found)") }
      // The value is a word, such as "latest", which the mapping replaces, or a weight, which is a key of the mapping.
      let (grammar, weight) = (ScenarioGrammar.operation.grammar, ScenarioGrammar.operation.name(of: \.weight))
      let isWeight = kind?.section?.noun == grammar.noun
      let pairs = isWeight ? [YAMLPair(key: weight, keyLocation: self.location, value: self)] : []
      content = .mapping(pairs, isFlow: true)
      try set(value, at: path, of: kind, from: location)
    }
  }

  private static func missing(_ component: String, among words: [String]) -> String {
    "there is no \(quoted(component)); \(Suggestion.remedy(for: component, among: words))"
  }

  /// - Parameter kind: the kind of the missing value; nil if the format knows no such key.
  private static func missing(
    _ component: String,
    _ kind: ValueKind?,
    among keys: [String],
    and sections: [String]
  ) -> String {
    if let kind { return "there is no \(quoted(component)); its value would be \(kind.expectation)" }
    return missing(component, among: keys + sections.filter { !keys.contains($0) })
  }
}

/// The kinds of values on a path.
extension ValueKind {
  /// Returns the kind of the value of `key` in a mapping of this kind; nil if the format does not define the key. The
  /// format does not define names: if a name is missing on a path, it is probably misspelt and not new.
  func part(_ key: String) -> ValueKind? { section?.key(key)?.kind }

  /// The kind of the elements that a value of this kind has under names or indices; nil if it has none.
  var element: ValueKind? {
    switch self {
    case .named(let grammar), .phaseActors(let grammar), .list(let grammar), .weights(let grammar): .mapping(grammar)
    default: nil
    }
  }

  /// Whether a value of this kind can be a mapping of keys that the format knows.
  var isSection: Bool {
    if case .weights = self { return true }
    return section != nil
  }

  /// The keys of a mapping of this kind whose values are sections.
  var sections: [String] {
    section?.keys.filter(\.kind.isSection).map(\.name) ?? []
  }
}
