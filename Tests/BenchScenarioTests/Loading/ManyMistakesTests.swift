internal import Foundation
internal import TestSupport
internal import Testing

@testable import BenchResults
@testable import BenchScenario

@Suite("All problems of a file are reported together")
struct ManyMistakesTests {
  @Test("ten different mistakes give ten problems, in the file's order")
  func tenMistakes() {
    #expect(
      problems(in: Mistakes.text) == [
        "s.yaml:3:1: error: unknown key \"sumary\" in a scenario; did you mean \"summary\"?",
        "s.yaml:4:36: error: expected a synchronous level: off, normal, full, found \"sometimes\"",
        "s.yaml:6:35: error: expected a size of at least 32B, found \"8B\"; every value starts with a header of 32B, "
          + "by which reads are checked",
        "s.yaml:8:22: error: expected true or false, found \"perhaps\"",
        "s.yaml:11:17: error: there is no connection \"oen\"; did you mean \"one\"?",
        "s.yaml:14:11: error: the arguments of \"zipfian(0,99)\" are separated by spaces, never commas",
        "s.yaml:15:18: error: expected more than 0, found \"0/s\"",
        "s.yaml:16:3: error: no phase uses the actor \"idle\"",
        "s.yaml:18:22: error: expected a duration such as 250us, 5ms, 2s, 1m or 1h, found \"5\"; a bare number has no "
          + "unit: write one of 5us, 5ms, 5s, 5m, 5h",
        "s.yaml:20:5: error: unreachable expectation: there is no phase \"rum\"; did you mean \"run\"?",
      ]
    )
  }

  @Test("an empty mapping is reported with every required key")
  func nothingThere() {
    #expect(problems(in: "{}").count == 6)
    #expect(problems(in: "{}").allSatisfy { $0.hasPrefix("s.yaml:1:1: error: a scenario needs ") })
  }

  @Test("a problem of an actor that two phases use is reported once")
  func actorOfTwoPhases() {
    let text = smallScenario(line: 16, "    keys: zipfian(0)").replacingOccurrences(
      of: "    actors: [read, write]",
      with: """
            actors: {read: {threads: 2}, write: {}}
          - name: again
            for: 1s
            actors: {read: {threads: 3}}
        """
    )
    #expect(problems(in: text) == ["s.yaml:16:11: error: expected a theta above 0 and at most 10, found \"0\""])
  }

  @Test("a phase's override is merged, and its problems name the keys that it changes")
  func override() throws {
    let text = smallScenario(line: 26, "    actors: {write: {load: {rate: 5/s}, operations: {touch: 1}}, read: {}}")
    let phase = try #require(try ScenarioLoader.load(text: text).scenario.phases.first)
    let write = try #require(phase.actors.first)
    #expect(phase.actors.map(\.name) == ["write", "read"])
    #expect(write.overriddenKeys == ["load", "operations"])
    #expect(write.settings.load == .open(rate: .constant(perSecond: 5), arrival: .constant))
    #expect(write.settings.operations == [OperationWeight(.touch, weight: 1)])
    #expect(write.settings.collection == "items")
  }

  @Test("a key's value of the wrong form is never ignored", arguments: wrongForms)
  func wrongForm(_ section: String, _ key: String) throws {
    // No key accepts a list of lists.
    let override = ScenarioOverride(path: section + key, value: "[[[]]]")
    let found = problems(in: smallScenario, overrides: [override])
    #expect(!found.isEmpty)
  }

  private static let wrongForms: [(String, String)] = {
    let sections: [(String, MappingGrammar)] = [
      ("", ScenarioGrammar.scenario.grammar), ("engine.", ScenarioGrammar.engine.grammar),
      ("measure.", ScenarioGrammar.measure.grammar),
      ("dataset.items.", ScenarioGrammar.collection.grammar), ("dataset.items.value.", ScenarioGrammar.shape.grammar),
      ("connections.one.", ScenarioGrammar.connection.grammar), ("actors.read.", ScenarioGrammar.actor.grammar),
      ("phases.run.", ScenarioGrammar.phase.grammar), ("actors.write.load.", ScenarioGrammar.load.grammar),
    ]
    return sections.flatMap { path, grammar in grammar.keys.map { (path, $0.name) } }
  }()
}
