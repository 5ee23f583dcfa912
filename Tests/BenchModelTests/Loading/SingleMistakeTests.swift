internal import Testing

@testable import BenchModel

/// The small scenario with one line replaced, and the one problem that this makes.
struct Mistake: Sendable, CustomTestStringConvertible {
  var line: Int
  var replacement: String
  /// Where and what, without the file's name.
  var expected = ""

  var testDescription: String { "\(line): \(replacement)" }

  /// Reads a part of the corpus.
  static func parse(_ text: String) -> [Mistake] {
    var result: [Mistake] = []
    for row in text.split(separator: "\n") {
      if row.hasPrefix("> ") {
        result[result.count - 1].expected = String(row.dropFirst(2))
      } else if row.hasPrefix("| ") {
        result[result.count - 1].replacement += "\n" + row.dropFirst(2)
      } else if let colon = row.firstIndex(of: ":"), let line = Int(row[..<colon]) {
        result.append(Mistake(line: line, replacement: String(row[colon...].dropFirst(2))))
      }
    }
    return result
  }
}

@Suite("One mistake gives one problem, where it stands")
struct SingleMistakeTests {
  @Test("the small scenario itself has none")
  func noMistake() {
    #expect(problems(in: smallScenario) == [])
  }

  @Test("at the top level", arguments: MistakeCorpus.topLevel)
  func topLevel(_ mistake: Mistake) { check(mistake) }

  @Test("in the engine, the dataset and the connections", arguments: MistakeCorpus.engineAndData)
  func engineAndData(_ mistake: Mistake) { check(mistake) }

  @Test("in an actor", arguments: MistakeCorpus.actors)
  func actors(_ mistake: Mistake) { check(mistake) }

  @Test("in a phase", arguments: MistakeCorpus.phases)
  func phases(_ mistake: Mistake) { check(mistake) }

  @Test("in an event", arguments: MistakeCorpus.events)
  func events(_ mistake: Mistake) { check(mistake) }

  @Test("in an expectation", arguments: MistakeCorpus.expectations)
  func expectations(_ mistake: Mistake) { check(mistake) }

  private func check(_ mistake: Mistake) {
    let found = problems(in: smallScenario(line: mistake.line, mistake.replacement))
    #expect(found == ["s.yaml:" + mistake.expected])
  }
}
