/// The keys of a mapping that its grammar does not know, and the mistakes that their author probably made.
enum UnknownKeys {
  /// Reports the keys that the grammar does not know.
  /// - Returns: The known keys that they probably mean.
  static func report(_ pairs: [YAMLPair], in grammar: MappingGrammar, to log: DiagnosticLog) -> Set<String> {
    let unknown = pairs.filter { grammar.key($0.key) == nil }
    let sections = grammar.keys.compactMap { key in
      key.kind.section.map { section in
        (name: key.name, noun: section.noun, pairs: unknown.filter { section.key($0.key) != nil })
      }
    }
    var meant: Set<String> = []
    var moved: Set<String> = []
    // The section with the most of the keys; of several such sections, the first.
    let most = sections.map(\.pairs.count).max() ?? 0
    if most > 0, let section = sections.first(where: { $0.pairs.count == most }) {
      let keys = section.pairs.map { quoted($0.key) }
      let list = [keys.dropLast().joined(separator: ", "), keys[most - 1]].filter { !$0.isEmpty }
      log.report(
        "\(list.joined(separator: " and ")) \(most == 1 ? "is a key" : "are keys") of \(section.noun); put "
          + "\(most == 1 ? "it" : "them") under \(quoted(section.name))",
        at: section.pairs[0].keyLocation
      )
      meant.insert(section.name)
      moved = Set(section.pairs.map(\.key))
    }
    for pair in unknown where !moved.contains(pair.key) {
      if let known = keyWithoutColon(pair.key, in: grammar) {
        log.report("expected a colon after the key \(quoted(known))", at: pair.keyLocation)
        meant.insert(known)
      } else {
        let remedy = Suggestion.remedy(for: pair.key, among: grammar.names)
        log.report("unknown key \(quoted(pair.key)) in \(grammar.noun); \(remedy)", at: pair.keyLocation)
        meant.formUnion(Suggestion.nearest(to: pair.key, among: grammar.names).map { [$0] } ?? [])
      }
    }
    return meant
  }

  /// Returns the known key with which a key such as `engine {driver` begins, which YAML reads in
  /// `engine {driver: yap}`; nil for any other key.
  private static func keyWithoutColon(_ text: String, in grammar: MappingGrammar) -> String? {
    guard let space = text.firstIndex(of: " ") else { return nil }
    let word = String(text[..<space])
    let rest = text[space...].drop { $0 == " " }
    return grammar.key(word) != nil && (rest.first == "{" || rest.first == "[") ? word : nil
  }
}

extension ValueKind {
  /// The grammar of a value that can be one mapping with fixed keys; nil for any other value.
  var section: MappingGrammar? {
    switch self {
    case .mapping(let grammar), .wordOrMapping(_, let grammar): grammar
    default: nil
    }
  }
}
