/// What an override needs to know of the format: where a path leads, and what on its way may be made.
extension ValueKind {
  /// The kind of what stands below `key` in a value of this kind; nil where the format knows no such key, or lets the
  /// scenario name it: a name that is missing is more likely misspelt than new.
  func part(_ key: String) -> ValueKind? {
    grammar?.key(key).flatMap { $0.isSupported ? $0.kind : nil }
  }

  /// The kind of each element of a value of this kind, which goes by its name or its index.
  var element: ValueKind? {
    switch self {
    case .named(let grammar), .phaseActors(let grammar), .list(let grammar): .mapping(grammar)
    default: nil
    }
  }

  /// Whether a value of this kind can be a mapping of keys that the format knows.
  var isSection: Bool {
    if case .weights = self { return true }
    return grammar != nil
  }

  /// The keys whose values are such mappings.
  var sections: [String] {
    grammar?.keys.filter { $0.isSupported && $0.kind.isSection }.map(\.name) ?? []
  }

  private var grammar: MappingGrammar? {
    switch self {
    case .mapping(let grammar), .wordOrMapping(_, let grammar): grammar
    default: nil
    }
  }
}
