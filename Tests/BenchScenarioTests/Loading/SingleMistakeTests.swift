internal import Testing

@testable import BenchResults
@testable import BenchScenario

/// A replaced line of the small scenario, and the problem that it causes.
struct Mistake: Sendable, CustomTestStringConvertible {
  var line: Int
  var replacement: String
  /// The expected problem with its location, without the file's name.
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

@Suite("One mistake gives one problem at its location")
struct SingleMistakeTests {
  @Test("the small scenario has no problem")
  func noMistake() {
    #expect(problems(in: smallScenario) == [])
  }

  @Test("at the top level", arguments: MistakeCorpus.topLevel)
  func topLevel(_ mistake: Mistake) { check(mistake) }

  @Test("in the engine, the dataset and the connections", arguments: MistakeCorpus.engineAndData)
  func engineAndData(_ mistake: Mistake) { check(mistake) }

  @Test("in an actor", arguments: MistakeCorpus.actors)
  func actors(_ mistake: Mistake) { check(mistake) }

  @Test("in a collection and the operations on it", arguments: MistakeCorpus.collections)
  func collections(_ mistake: Mistake) { check(mistake) }

  @Test("in a phase", arguments: MistakeCorpus.phases)
  func phases(_ mistake: Mistake) { check(mistake) }

  @Test("in an event", arguments: MistakeCorpus.events)
  func events(_ mistake: Mistake) { check(mistake) }

  @Test("in a value of a form that other programs have", arguments: MistakeCorpus.foreignForms)
  func foreignForms(_ mistake: Mistake) { check(mistake) }

  @Test("in a name that other parts use", arguments: MistakeCorpus.names)
  func names(_ mistake: Mistake) { check(mistake) }

  @Test("in stages and bursts", arguments: MistakeCorpus.curves)
  func curves(_ mistake: Mistake) { check(mistake) }

  @Test("in an expectation", arguments: MistakeCorpus.expectations)
  func expectations(_ mistake: Mistake) { check(mistake) }

  @Test("in an expectation that compares figures", arguments: MistakeCorpus.comparedFigures)
  func comparedFigures(_ mistake: Mistake) { check(mistake) }

  @Test func `phases with too many default samples are reported at the section`() {
    let text = smallScenario(line: 27, "").replacing("for: 2s", with: "for: 60h")
    #expect(
      problems(in: text) == [
        "s.yaml:23:1: error: a sample every 100ms makes 2160000 in 60h of phases, and a run keeps at most 2000000; "
          + "expected \"measure.every\" to be at least 108ms"
      ]
    )
    // The largest number of samples is valid. In phases that count operations the number is unknown.
    #expect(problems(in: smallScenario(line: 27, "measure: {every: 1us}")) == [])
    #expect(problems(in: smallScenario(line: 25, "    operations: 2M").replacing("50ms}", with: "1ns}")) == [])
  }

  @Test func `phases with too many seconds of actors are rejected`() {
    let text = smallScenario(line: 27, "measure: {every: 2s}")
    #expect(
      problems(in: text.replacing("for: 2s", with: "for: 1000h")) == [
        "s.yaml:23:1: error: the phases of all actors have 7200000 seconds together, and a run keeps at most 3333333; "
          + "expected shorter phases, or fewer actors in them"
      ]
    )
    #expect(problems(in: text.replacing("for: 2s", with: "for: 460h")) == [])
  }

  private func check(_ mistake: Mistake) {
    let found = problems(in: smallScenario(line: mistake.line, mistake.replacement))
    #expect(found == ["s.yaml:" + mistake.expected])
  }
}
