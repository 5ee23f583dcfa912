/// The keys of a mapping that its grammar does not know, and the mistakes that their author probably made.
struct UnknownKeys {
  private let grammar: MappingGrammar
  private let pairs: [YAMLPair]
  /// The key under which unknown keys belong, and these keys; nil if there are none.
  private var misplaced: (section: String, noun: String, pairs: [YAMLPair])?
  /// The known keys that the unknown ones probably mean.
  private(set) var meant: Set<String> = []

  init(of pairs: [YAMLPair], in grammar: MappingGrammar) {
    self.grammar = grammar
    let unknown = pairs.filter { grammar.key($0.key) == nil }
    let sections = grammar.keys.compactMap { key in
      key.kind.section.map { section in
        (section: key.name, noun: section.noun, pairs: unknown.filter { section.key($0.key) != nil })
      }
    }
    // The section with the most of the keys; of several such sections, the first.
    misplaced = sections.reduce(nil) { most, section in
      section.pairs.count > most?.pairs.count ?? 0 ? section : most
    }
    let moved = Set((misplaced?.pairs ?? []).map(\.key))
    self.pairs = unknown.filter { !moved.contains($0.key) }
    if let misplaced { meant.insert(misplaced.section) }
    for pair in self.pairs {
      let known = Self.keyWithoutColon(pair.key, in: grammar) ?? Suggestion.nearest(to: pair.key, among: grammar.names)
      known.map { _ = meant.insert($0) }
    }
  }

  func report(to log: DiagnosticLog) {
    if let misplaced, let first = misplaced.pairs.first {
      let keys = misplaced.pairs.map { quoted($0.key) }
      let list = [keys.dropLast().joined(separator: ", "), keys.last ?? ""].filter { !$0.isEmpty }
      let isOne = keys.count == 1
      log.report(
        "\(list.joined(separator: " and ")) \(isOne ? "is a key" : "are keys") of \(misplaced.noun); put "
          + "\(isOne ? "it" : "them") under \(quoted(misplaced.section))",
        at: first.keyLocation
      )
    }
    for pair in pairs {
      if let known = Self.keyWithoutColon(pair.key, in: grammar) {
        log.report("expected a colon after the key \(quoted(known))", at: pair.keyLocation)
      } else {
        let remedy = Suggestion.remedy(for: pair.key, among: grammar.names)
        log.report("unknown key \(quoted(pair.key)) in \(grammar.noun); \(remedy)", at: pair.keyLocation)
      }
    }
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
