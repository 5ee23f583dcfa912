/// One problem of a scenario or a YCSB workload, with its location.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable {
    case error
    /// A part that has no effect, or probably not the intended one. The scenario can run.
    case warning
    /// The meaning of a part of a YCSB workload that a scenario expresses in another way, or not at all.
    case note
  }

  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int
  public let message: String
  public internal(set) var severity = Severity.error

  public var description: String { "\(file):\(line):\(column): \(severity.rawValue): \(message)" }
}

extension Diagnostic {
  /// A problem of a whole file.
  public init(file: String, message: String) { self.init(file: file, line: 1, column: 1, message: message) }
}

/// All errors of a scenario or a YCSB workload, sorted by location; never empty.
public struct ScenarioDiagnostics: Error, Sendable, Equatable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  /// One line for each problem, in the form of compilers, from which editors can open the location.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

/// A location in a scenario, an override or a YCSB workload. Line and column count from 1, columns in Unicode scalars.
struct SourceLocation: Hashable, Comparable, Sendable {
  var file: String
  var line: Int
  var column: Int

  static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    // Problems of overrides, which are not in the file, are reported after the file's problems.
    let leftIsOverride = left.file == ScenarioOverride.file
    let rightIsOverride = right.file == ScenarioOverride.file
    if leftIsOverride != rightIsOverride { return rightIsOverride }
    return (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }
}

/// Collects problems, so that all can be reported together. It is a class, because all readers add to the same log.
final class DiagnosticLog {
  struct Entry: Hashable {
    var location: SourceLocation
    var message: String
    var severity = Diagnostic.Severity.error
    /// The consequence if several drivers are compared; nil if the variant of the driver is left out.
    var consequence: DriverConsequence?
  }

  private(set) var entries: [Entry] = []
  /// The number of errors. If it is the same before and after a part is decoded, the part has none.
  private(set) var count = 0

  /// Reports an error.
  func report(_ message: String, at location: SourceLocation, _ consequence: DriverConsequence? = nil) {
    report(Entry(location: location, message: message, consequence: consequence))
  }

  func warn(_ message: String, at location: SourceLocation) {
    report(Entry(location: location, message: message, severity: .warning))
  }

  func note(_ message: String, at location: SourceLocation) {
    report(Entry(location: location, message: message, severity: .note))
  }

  func report(_ entry: Entry) {
    entries.append(entry)
    if entry.severity == .error { count += 1 }
  }

  /// Reports a node that differs from the expected form.
  func report(expected: String, found node: YAMLNode) {
    report("expected \(expected), found \(node.found)", at: node.location)
  }

  /// Parses a text. Reports a problem at `location`, and then returns nil.
  func parse<Value>(
    _ text: String,
    at location: SourceLocation,
    by parse: (String) throws(ScalarProblem) -> Value
  ) -> Value? {
    do {
      return try parse(text)
    } catch {
      report(Self.problemOfQuotes(text) ?? error.message, at: location)
      return nil
    }
  }

  /// Returns the problem of a text in typographic quotation marks, which word processors write; nil for other texts.
  private static func problemOfQuotes(_ text: String) -> String? {
    guard let first = text.first, "“„‘‚".contains(first) else { return nil }
    let inner = text.dropFirst().prefix { !"“”‘’".contains($0) }
    return "expected straight quotation marks, found \(quoted(text)); write \(quoted(String(inner)))"
  }

  /// Parses a node, which must be a scalar that is not empty. Reports a problem, and then returns nil.
  func parse<Value>(_ node: YAMLNode, expected: String, by parse: (String) throws(ScalarProblem) -> Value) -> Value? {
    guard let text = node.text, !text.isEmpty else {
      report(expected: expected, found: node)
      return nil
    }
    return self.parse(text, at: node.location, by: parse)
  }

  /// Returns the elements of a list, which must not be empty. Reports any other node, and then returns nil.
  func elements(of node: YAMLNode, expected: String) -> [YAMLNode]? { parts(node.elements, of: node, expected) }

  /// Returns the pairs of a mapping, which must not be empty. Reports any other node, and then returns nil.
  func pairs(of node: YAMLNode, expected: String) -> [YAMLPair]? { parts(node.pairs, of: node, expected) }

  private func parts<Part>(_ parts: [Part]?, of node: YAMLNode, _ expected: String) -> [Part]? {
    if let parts, !parts.isEmpty { return parts }
    report("expected \(expected), found \(parts == nil ? node.found : "an empty one")", at: node.location)
    return nil
  }

  /// - Throws: the reported errors.
  func throwIfAny() throws(ScenarioDiagnostics) {
    if count > 0 { throw ScenarioDiagnostics(diagnostics: diagnostics(.error)) }
  }

  /// Returns the reported problems, sorted and each once. A problem of an actor is reported again in each phase that
  /// overrides the actor.
  func diagnostics(_ severity: Diagnostic.Severity) -> [Diagnostic] {
    var seen: Set<Entry> = []
    let found = entries.filter { $0.severity == severity && seen.insert($0).inserted }
    return found.sorted { $0.location < $1.location }.map { entry in
      Diagnostic(
        file: entry.location.file,
        line: entry.location.line,
        column: entry.location.column,
        message: entry.message,
        severity: severity
      )
    }
  }
}

/// Finds the word that was probably meant.
package enum Suggestion {
  /// The most words that are compared with a text.
  static let mostWords = 200
  /// The most words that a message lists.
  static let mostListed = 40

  /// Returns the word nearest to the text; nil if none is near. A near word has one wrong letter, or one for each three
  /// letters of the shorter text. A word that differs only in case and punctuation has none. If no word is near, the
  /// first one that the text begins is returned, such as `wal.backlogFrames` for `wal.backlog`.
  package static func nearest(to text: String, among words: [String]) -> String? {
    guard !text.isEmpty, text.utf8.count <= 64 else { return nil }
    let letters = Array(text.unicodeScalars)
    var best: (word: String, distance: Int)?
    for word in words.prefix(mostWords) where word != text {
      let other = Array(word.unicodeScalars)
      // A word of one letter with one wrong letter would fit every word of that length.
      let shorter = min(letters.count, other.count)
      let allowed = shorter == 1 ? 0 : max(1, shorter / 3)
      guard abs(letters.count - other.count) <= allowed else { continue }
      let distance = bare(word) == bare(text) ? 0 : editDistance(letters, other)
      guard distance <= allowed else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (word, distance) }
    }
    return best?.word ?? (text.count > 3 ? words.first { $0.hasPrefix(text) } : nil)
  }

  /// The letters and digits of a word, in lower case.
  private static func bare(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns `, did you mean "word"?`, or an empty text if no word is near.
  static func clause(for text: String, among words: [String]) -> String {
    nearest(to: text, among: words).map { ", did you mean \(quoted($0))?" } ?? ""
  }

  /// Returns the reason why a form such as `zipfain(0.99)` is refused; nil for a bare word that is near no other.
  static func reason(for name: String, in text: String, among words: [String]) -> String? {
    if name == text { return nearest(to: name, among: words).map { "did you mean \(quoted($0))?" } }
    return "\(quoted(name)) is unknown\(clause(for: name, among: words))"
  }

  /// Returns `did you mean "word"?` if one is near, otherwise a list of the words.
  package static func remedy(for text: String, among words: [String]) -> String {
    if let near = nearest(to: text, among: words) { return "did you mean \(quoted(near))?" }
    if words.isEmpty { return "none is defined" }
    return "expected one of " + words.prefix(mostListed).map(escaped).joined(separator: ", ")
      + (words.count > mostListed ? ", …" : "")
  }

  /// Returns the smallest number of insertions, deletions, substitutions and swaps of neighbours that convert one text
  /// to the other, by optimal string alignment.
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
