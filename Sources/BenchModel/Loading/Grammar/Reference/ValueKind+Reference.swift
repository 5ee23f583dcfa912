extension ValueKind {
  /// How the reference says what may stand there, in Markdown.
  var reference: String {
    switch self {
    case .text: "a text on one line"
    case .name: "a name"
    case .names: "`[…]` of names"
    case .nameOrNames: "a name, or `[…]` of names"
    case .boolean: "`true` `false`"
    case .integer(let range):
      range.lowerBound == range.upperBound ? "`\(range.lowerBound)`" : "\(range.lowerBound) to \(range.upperBound)"
    case .expectations: "`[…]` of [expectations](#expectations)"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: " ")
    case .listOfWords(let words) where words == Invariant.supportedWords: "`[…]` of [invariants](#invariants)"
    case .listOfWords(let words): "`[…]` of " + words.map { "`\($0)`" }.joined(separator: " ")
    case .mapping(let grammar): Self.link(grammar)
    case .named(let grammar): "names to " + Self.link(grammar)
    case .weights: "[operations](#operations) to weights"
    case .list(let grammar): "`[…]`, each " + Self.link(grammar)
    case .wordOrMapping(let words, let grammar):
      words.map { "`\($0)`" }.joined(separator: " ") + " or " + Self.link(grammar)
    case .phaseActors: "`[…]` of names, or names to keys of [an actor](#actor)"
    case .matrix: "paths to `[…]` of values; see [variants](#variants)"
    case .sizeDistribution: "[a size](#sizes-of-values)"
    case .keyDistribution: "[keys](#keys)"
    case .snapshotMove: "[a move](#moves-of-a-snapshot)"
    case .viewGroup: "[a group](#groups-of-a-view)"
    case .eventAction: "[an action](#what-events-do)"
    case .sizeOrZero: "size, `0B` too"
    case .durationOrZero: "duration, `0s` too"
    default: scalar?.name ?? ""
    }
  }

  private static func link(_ grammar: MappingGrammar) -> String {
    let anchor = grammar.title.split(separator: " ").joined(separator: "-")
    return "[\(grammar.noun)](#\(anchor))"
  }
}
