extension YAMLNode {
  /// Applies overrides in their order. The place of what they set is `--set`, the ordinal of the override as the line,
  /// and the column within `path=value`. Sections on the way that are missing and that the format knows are made.
  mutating func apply(_ overrides: [ScenarioOverride], log: DiagnosticLog) {
    for (index, override) in overrides.enumerated() {
      let start = Place(file: ScenarioOverride.file, line: index + 1, column: 1)
      guard let value = Self.value(of: override, line: index + 1, log: log) else { continue }
      set(value, at: override.path, start: start, log: log)
    }
  }

  /// Sets what a path of a scenario leads to.
  ///
  /// - Parameter start: where the path is written, so that what is wrong with it is told there.
  mutating func set(_ value: YAMLNode, at path: String, start: Place, log: DiagnosticLog) {
    do throws(OverrideProblem) {
      let kind = ValueKind.mapping(ScenarioGrammar.scenario)
      try set(value, at: Self.components(ofPath: path)[...], of: kind, column: start.column, start: start)
    } catch {
      var place = start
      place.column = error.column
      log.report("the path \(quoted(path)) leads nowhere: \(error.reason)", at: place)
    }
  }

  static func components(ofPath path: String) -> [String] {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private struct OverrideProblem: Error {
    var reason: String
    var column: Int
  }

  private static func value(of override: ScenarioOverride, line: Int, log: DiagnosticLog) -> YAMLNode? {
    let ours = DiagnosticLog()
    guard let bytes = SourceText.checked(Array(override.value.utf8), file: ScenarioOverride.file, log: ours),
      let node = YAMLComposer.compose(bytes, file: ScenarioOverride.file, log: ours), ours.count == 0
    else {
      let place = Place(file: ScenarioOverride.file, line: line, column: override.path.unicodeScalars.count + 2)
      log.report("the value of \(quoted(override.path)) is not one YAML value: \(quoted(override.value))", at: place)
      return nil
    }
    return node.moved(toLine: line, column: override.path.unicodeScalars.count + 1)
  }

  /// Gives a value's parts their place in `path=value`.
  private func moved(toLine line: Int, column: Int) -> YAMLNode {
    var result = self
    result.place.line = line
    result.place.column += column
    switch content {
    case .scalar: break
    case .sequence(let elements, let isFlow):
      result.content = .sequence(elements.map { $0.moved(toLine: line, column: column) }, isFlow: isFlow)
    case .mapping(let pairs, let isFlow):
      let moved = pairs.map { pair in
        var pair = pair
        pair.keyPlace.line = line
        pair.keyPlace.column += column
        pair.value = pair.value.moved(toLine: line, column: column)
        return pair
      }
      result.content = .mapping(moved, isFlow: isFlow)
    }
    return result
  }

  /// - Parameter kind: what the format says of this node; nil where it says nothing.
  private mutating func set(
    _ value: YAMLNode,
    at path: ArraySlice<String>,
    of kind: ValueKind?,
    column: Int,
    start: Place
  ) throws(OverrideProblem) {
    guard let component = path.first, !component.isEmpty else {
      throw OverrideProblem(reason: "a part of it is empty", column: column)
    }
    let rest = path.dropFirst()
    let part = kind?.part(component)
    let nextColumn = column + component.unicodeScalars.count + 1
    switch content {
    case .mapping(var pairs, let isFlow):
      if let index = pairs.firstIndex(where: { $0.key == component }) {
        try pairs[index].value.replace(by: value, at: rest, of: part ?? kind?.element, column: nextColumn, start: start)
        // A key that is set stands where it was set, so that its problems are told there.
        if rest.isEmpty { pairs[index].keyPlace = Place(file: start.file, line: start.line, column: column) }
      } else {
        let place = Place(file: start.file, line: start.line, column: column)
        var made = YAMLNode(content: .mapping([], isFlow: true), place: place)
        if !rest.isEmpty, part?.isSection != true {
          let reason = Self.missing(component, part, among: pairs.map(\.key), and: kind?.sections ?? [])
          throw OverrideProblem(reason: reason, column: column)
        }
        try made.replace(by: value, at: rest, of: part, column: nextColumn, start: start)
        pairs.append(YAMLPair(key: component, keyPlace: place, value: made))
      }
      content = .mapping(pairs, isFlow: isFlow)
    case .sequence(var elements, let isFlow):
      let names = elements.map { $0["name"]?.text }
      guard let index = names.firstIndex(of: component) ?? Int(component), elements.indices.contains(index) else {
        let indices = elements.indices.map { names[$0] ?? String($0) }
        throw OverrideProblem(reason: Self.missing(component, among: indices), column: column)
      }
      try elements[index].replace(by: value, at: rest, of: kind?.element, column: nextColumn, start: start)
      content = .sequence(elements, isFlow: isFlow)
    case .scalar:
      guard part != nil else {
        throw OverrideProblem(reason: "there is \(found), which has no \(quoted(component)) in it", column: column)
      }
      // A word in the place of a mapping, such as "latest", gives way to what is set.
      content = .mapping([], isFlow: true)
      try set(value, at: path, of: kind, column: column, start: start)
    }
  }

  private mutating func replace(
    by value: YAMLNode,
    at path: ArraySlice<String>,
    of kind: ValueKind?,
    column: Int,
    start: Place
  ) throws(OverrideProblem) {
    if path.isEmpty {
      self = value
    } else {
      try set(value, at: path, of: kind, column: column, start: start)
    }
  }

  private static func missing(_ component: String, among words: [String]) -> String {
    "there is no \(quoted(component)); \(Suggestion.remedy(for: component, among: words))"
  }

  /// - Parameter kind: what the component would be if it were there.
  private static func missing(
    _ component: String,
    _ kind: ValueKind?,
    among keys: [String],
    and sections: [String]
  ) -> String {
    if let kind { return "there is no \(quoted(component)), and it would be \(kind.expectation)" }
    return missing(component, among: keys + sections.filter { !keys.contains($0) })
  }
}
