internal import HarnessPrimitives

/// Texts that differ only in their numbers, as one text: "took 51 %" and "took 92 %" are "took 51 to 92 %".
///
/// A number that a letter or a quotation mark precedes is a part of a name.
package struct AlikeTexts: Sendable, Equatable {
  /// The first text, with the range of each number that differs.
  package let text: String
  /// The positions of the texts in the list, ascending.
  package let indices: [Int]

  /// Returns the groups of alike texts, in the order of their first texts.
  package static func groups(of texts: [String]) -> [AlikeTexts] {
    let parts = texts.map(Parts.init)
    let shapes = parts.map(\.words)
    return shapes.withoutDuplicates.map { shape in
      let indices = shapes.indices.filter { shapes[$0] == shape }
      return AlikeTexts(text: Parts.joined(indices.map { parts[$0] }), indices: indices)
    }
  }

  /// A text as its words, and the numbers between them.
  private struct Parts {
    var words: [String] = [""]
    var numbers: [String] = []

    init(_ text: String) {
      var rest = text[...]
      var previous: Character = " "
      while let first = rest.first {
        let isPartOfName = previous.isLetter || previous.isNumber || "\"'#_.-".contains(previous)
        let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "," }
        if first.isNumber, !isPartOfName {
          // A point or comma at the end belongs to the sentence.
          let end = number.lastIndex { $0.isNumber } ?? number.startIndex
          numbers.append(String(number[...end]))
          words.append("")
          previous = number[end]
          rest = rest[number.index(after: end)...]
        } else {
          words[words.count - 1].append(first)
          previous = first
          rest = rest.dropFirst()
        }
      }
    }

    static func joined(_ alike: [Parts]) -> String {
      guard let first = alike.first else { return "" }
      return first.numbers.indices.reduce(first.words[0]) { text, index in
        let found = alike.map { $0.numbers[index] }.sorted { value($0) < value($1) }
        let range = found[0] == found[found.count - 1] ? found[0] : "\(found[0]) to \(found[found.count - 1])"
        return text + range + first.words[index + 1]
      }
    }

    private static func value(_ number: String) -> Double { Double(number.filter { $0 != "," }) ?? 0 }
  }
}

extension ScenarioResult {
  /// The most runs that are named before a text; more are counted.
  private static var mostNamed: Int { 3 }

  /// Returns the texts of runs, each with its run. Texts that differ only in numbers become one line, with their runs,
  /// those of most runs first.
  /// - Parameter keepsEach: Whether every text keeps a line of its own.
  package func merged(_ texts: [(run: RunResult, texts: [String])], keepsEach: Bool = false) -> [String] {
    let all = texts.flatMap { run, texts in texts.map { (run: run, text: $0) } }
    guard !keepsEach else { return all.map { named($0.text, of: $0.run) } }
    let groups = AlikeTexts.groups(of: all.map(\.text)).sorted { $0.indices.count > $1.indices.count }
    return groups.map { group in
      let labels = group.indices.map { label(of: all[$0].run) }.withoutDuplicates
      guard labels.count > 1 else { return named(group.text, of: all[group.indices[0]].run) }
      let names = labels.count <= Self.mostNamed ? " (\(labels.joined(separator: "; ")))" : ""
      return "\(labels.count) of \(runs.count) runs\(names): \(group.text)"
    }
  }

  private func named(_ text: String, of run: RunResult) -> String {
    isSingle ? text : "\(label(of: run)): \(text)"
  }
}
