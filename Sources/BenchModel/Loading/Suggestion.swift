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
    if words.isEmpty { return "there is none" }
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
