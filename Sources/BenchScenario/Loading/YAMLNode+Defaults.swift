extension YAMLNode {
  /// Returns the value with the defaults of the grammar added, so that it can be read without the reference.
  ///
  /// A phase's overrides of an actor get no defaults, because these would override the actor's own settings.
  /// - Parameters:
  ///   - kind: the kind of the value.
  ///   - drivers: the drivers of the variants. An option that one of them does not have is not added.
  func withDefaults(of kind: ValueKind, for drivers: Set<DriverKind>) -> YAMLNode {
    var result = self
    switch (kind, content) {
    case (.mapping(let grammar), .mapping(let pairs, let isFlow)),
      (.wordOrMapping(_, let grammar), .mapping(let pairs, let isFlow)):
      result.content = .mapping(
        pairs.map { $0.withDefaults(of: grammar.key($0.key)?.kind, for: drivers) },
        isFlow: isFlow
      )
      for key in grammar.keys where self[key.name] == nil && !key.isAbsent(beside: self) {
        guard drivers.allSatisfy({ $0.knows(key.name, in: grammar) }) else { continue }
        guard let value = key.usualNode(at: location, for: drivers) else { continue }
        result.append(YAMLPair(key: key.name, keyLocation: location, value: value), to: grammar)
      }
    case (.named(let grammar), .mapping(let pairs, let isFlow)):
      result.content = .mapping(pairs.map { $0.withDefaults(of: .mapping(grammar), for: drivers) }, isFlow: isFlow)
    case (.list(let grammar), .sequence(let elements, let isFlow)):
      result.content = .sequence(elements.map { $0.withDefaults(of: .mapping(grammar), for: drivers) }, isFlow: isFlow)
    default: break
    }
    return result
  }

  /// Inserts a pair after the last key that precedes it in the grammar.
  private mutating func append(_ pair: YAMLPair, to grammar: MappingGrammar) {
    guard case .mapping(var pairs, let isFlow) = content else { return }
    let names = grammar.keys.map(\.name)
    let rank = names.firstIndex(of: pair.key) ?? names.count
    let later = pairs.lastIndex { names.firstIndex(of: $0.key) ?? 0 < rank }
    pairs.insert(pair, at: later.map { $0 + 1 } ?? pairs.startIndex)
    content = .mapping(pairs, isFlow: isFlow)
  }
}

extension YAMLNode {
  /// Returns the node with block style for every list or mapping that is too long for one line.
  func wrapped(at width: Int = 90) -> YAMLNode {
    var result = self
    switch content {
    case .mapping(let pairs, let isFlow) where !isFlow || inlineText.count > width:
      let wrapped = pairs.map { pair in
        var pair = pair
        pair.value = pair.value.wrapped(at: width)
        return pair
      }
      result.content = .mapping(wrapped, isFlow: false)
    case .sequence(let elements, let isFlow) where !isFlow || inlineText.count > width:
      result.content = .sequence(elements.map { $0.wrapped(at: width) }, isFlow: false)
    default: break
    }
    return result
  }
}

extension YAMLPair {
  fileprivate func withDefaults(of kind: ValueKind?, for drivers: Set<DriverKind>) -> YAMLPair {
    var result = self
    if let kind { result.value = value.withDefaults(of: kind, for: drivers) }
    return result
  }
}

extension KeyDescription {
  fileprivate func isAbsent(beside mapping: YAMLNode) -> Bool {
    guard let absent else { return false }
    return absent.keys.compactMap { mapping[$0] }.contains { node in
      absent.values.isEmpty || node.text.map { absent.values.contains($0) } ?? false
    }
  }

  /// Returns the value of a missing key: its default, or a section of defaults if no key of it is required.
  fileprivate func usualNode(at location: SourceLocation, for drivers: Set<DriverKind>) -> YAMLNode? {
    if let usual { return YAMLNode(content: .scalar(usual, .plain), location: location) }
    guard case .mapping(let grammar) = kind, !isRequired, !grammar.keys.contains(where: \.isRequired) else {
      return nil
    }
    let empty = YAMLNode(content: .mapping([], isFlow: true), location: location)
    let section = empty.withDefaults(of: kind, for: drivers)
    return section.pairs?.isEmpty ?? true ? nil : section
  }
}

extension LoadedScenario {
  /// Returns the scenario as YAML, with every override applied and the defaults of the grammar added. It still contains
  /// the matrix.
  /// - Throws: `ScalarProblem` if the text cannot be read back or written.
  public func explainedYAML() throws(ScalarProblem) -> String {
    let log = DiagnosticLog()
    guard let root = YAMLComposer.compose(Array(expandedYAML.utf8), file: scenario.name, log: log) else {
      throw ScalarProblem("the scenario cannot be read back: \(log.entries.first?.message ?? "")")
    }
    let drivers = Set(variants.map(\.scenario.engine.driver))
    return try root.withDefaults(of: .mapping(ScenarioGrammar.scenario.grammar), for: drivers).wrapped().serialised()
  }
}
