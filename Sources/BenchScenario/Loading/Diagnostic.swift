/// One problem of a scenario: its location, and in words what was found, what was expected and what to write instead.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public let file: String
  /// Counts from 1.
  public let line: Int
  /// Counts from 1, in Unicode scalars.
  public let column: Int
  public let message: String

  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  public var description: String { "\(file):\(line):\(column): error: \(message)" }
}

/// All problems of a scenario, sorted by location; never empty.
public struct ScenarioDiagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// One line a problem, in the form that editors can jump to.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

/// The position of a piece of a scenario. Lines and columns count from 1, columns in Unicode scalars.
struct SourceLocation: Hashable, Comparable, Sendable {
  var file: String
  var line: Int
  var column: Int

  static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    // An override is not in the file, so it is reported after everything that is.
    let leftIsOverride = left.file == ScenarioOverride.file
    let rightIsOverride = right.file == ScenarioOverride.file
    if leftIsOverride != rightIsOverride { return rightIsOverride }
    return (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// Collects problems, so that one never hides another.
///
/// A class, because every part that is being decoded writes into the same one.
final class DiagnosticLog {
  private(set) var entries: [(location: SourceLocation, message: String)] = []

  /// Grows with each problem; a part whose decoding leaves it unchanged has none.
  var count: Int { entries.count }

  func report(_ message: String, at location: SourceLocation) {
    entries.append((location, message))
  }

  /// Reports a node that is not what was expected.
  func report(expected: String, found node: YAMLNode) {
    report("expected \(expected), found \(node.found)", at: node.location)
  }

  /// Parses a text, and reports a problem at the text's location.
  func parse<Value>(
    _ text: String,
    at location: SourceLocation,
    by parse: (String) throws(ScalarProblem) -> Value
  ) -> Value? {
    do {
      return try parse(text)
    } catch {
      report(error.message, at: location)
      return nil
    }
  }

  /// Parses a node that must be a scalar.
  func parse<Value>(_ node: YAMLNode, expected: String, by parse: (String) throws(ScalarProblem) -> Value) -> Value? {
    guard let text = node.text, !text.isEmpty else {
      report(expected: expected, found: node)
      return nil
    }
    return self.parse(text, at: node.location, by: parse)
  }

  /// The elements of a list that must have some; nil is reported.
  func elements(of node: YAMLNode, expected: String) -> [YAMLNode]? { parts(node.elements, of: node, expected) }

  /// The pairs of a mapping that must have some; nil is reported.
  func pairs(of node: YAMLNode, expected: String) -> [YAMLPair]? { parts(node.pairs, of: node, expected) }

  private func parts<Part>(_ parts: [Part]?, of node: YAMLNode, _ expected: String) -> [Part]? {
    if let parts, !parts.isEmpty { return parts }
    report("expected \(expected), found \(parts == nil ? node.found : "an empty one")", at: node.location)
    return nil
  }

  /// - Throws: everything reported, sorted and each once: an actor's problem is found again in every phase that
  ///   changes the actor.
  func throwIfAny() throws(ScenarioDiagnostics) {
    guard !entries.isEmpty else { return }
    var seen: Set<Diagnostic> = []
    let sorted = entries.enumerated().sorted { ($0.element.location, $0.offset) < ($1.element.location, $1.offset) }
    let diagnostics = sorted.map { entry in
      let location = entry.element.location
      return Diagnostic(
        file: location.file,
        line: location.line,
        column: location.column,
        message: entry.element.message
      )
    }
    throw ScenarioDiagnostics(diagnostics.filter { seen.insert($0).inserted })
  }
}

/// Finds the word that an author probably meant.
enum Suggestion {
  /// Words beyond this number are not compared.
  static let mostWords = 200
  /// Words beyond this number are not listed.
  static let mostListed = 40

  /// The nearest of the words, if it is near enough to be meant: about one wrong letter in three.
  static func nearest(to text: String, among words: [String]) -> String? {
    guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
    let letters = Array(text.unicodeScalars)
    var best: (word: String, distance: Int)?
    for word in words.prefix(mostWords) where word != text {
      let other = Array(word.unicodeScalars)
      // With one wrong letter nothing is left of a word of one letter.
      let shorter = min(letters.count, other.count)
      let allowed = shorter == 1 ? 0 : max(1, shorter / 3)
      guard abs(letters.count - other.count) <= allowed else { continue }
      let distance = word.lowercased() == text.lowercased() ? 0 : editDistance(letters, other)
      guard distance <= allowed else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (word, distance) }
    }
    return best?.word
  }

  /// `, did you mean "word"?`, or nothing.
  static func clause(for text: String, among words: [String]) -> String {
    nearest(to: text, among: words).map { ", did you mean \(quoted($0))?" } ?? ""
  }

  /// The reason why a form such as `zipfain(0.99)` is unknown; nil if the rest of the message says it.
  static func reason(for name: String, in text: String, among words: [String]) -> String? {
    if name == text { return nearest(to: name, among: words).map { "did you mean \(quoted($0))?" } }
    return "\(quoted(name)) is unknown\(clause(for: name, among: words))"
  }

  /// `did you mean "word"?` if one is near, else all words that can be written.
  static func remedy(for text: String, among words: [String]) -> String {
    if let near = nearest(to: text, among: words) { return "did you mean \(quoted(near))?" }
    if words.isEmpty { return "none is defined" }
    return "expected one of " + words.prefix(mostListed).map(escaped).joined(separator: ", ")
      + (words.count > mostListed ? ", …" : "")
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn one into the other (optimal string
  /// alignment).
  static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = beforePrevious
    for i in left.indices {
      current[0] = i + 1
      for j in right.indices {
        let substitution = previous[j] + (left[i] == right[j] ? 0 : 1)
        var distance = min(substitution, previous[j + 1] + 1, current[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          distance = min(distance, beforePrevious[j - 1] + 1)
        }
        current[j + 1] = distance
      }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[right.count]
  }
}
